"""Events for programs: many campaigns with one link per judge, one table, one export."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from rankwise.server.campaign.standings.counted import ALL_ROLES, WORK, Keep
from rankwise.server.records import CampaignEvent
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.api.api_models import (
    CampaignOut,
    Exporter,
    Line,
    Manager,
    Reader,
    Sent,
    Slug,
    StateIn,
    campaign_out,
)
from rankwise.server.web.campaign_parts import blocks, event_standing, move_all, packed_event
from rankwise.server.web.dependencies import CurrentSettings, CurrentStore
from rankwise.server.web.pages import request_id

router = APIRouter(prefix="/events")
ZIP = {"content": {"application/zip": {}}, "description": "One table of all, and each campaign's"}
#: More campaigns than any event has.
MOST = 1000
Slugs = Annotated[list[Line], Field(max_length=MOST)]


def find_event(store: CurrentStore, slug: Slug) -> CampaignEvent:
    """The event of the address, or 404."""
    found: CampaignEvent = store.groups.get(slug)
    return found


OneEvent = Annotated[CampaignEvent, Depends(find_event)]


class EventIn(Sent):
    """A name, and the slugs of campaigns that belong to no event yet."""

    name: Line
    campaigns: Slugs = Field(default_factory=list)


class EventJoin(Sent):
    """Further campaigns of an event, by slug."""

    campaigns: Slugs


class EventInvite(Sent):
    """Whom to invite, and to which campaigns; to all where none is named."""

    name: Line | None = None
    email: Line | None = None
    campaigns: Slugs | None = None


class EventPersonOut(BaseModel):
    """Somebody with one link: the pseudonym and the screens done in each campaign."""

    id: int
    is_revoked: bool
    judges: dict[str, str]
    done: dict[str, int]


class EventInvited(BaseModel):
    """A person and the one link, which is shown this once."""

    person: EventPersonOut
    link: str


class EventWithCampaigns(BaseModel):
    """An event with its campaigns."""

    slug: str
    name: str
    created_at: int
    campaigns: list[CampaignOut]


class EventMoved(EventWithCampaigns):
    """The same, and in sentences what stayed as it is."""

    left: list[str]


@router.get("")
def list_events(store: CurrentStore, caller: Reader) -> list[EventWithCampaigns]:
    """List all events."""
    del caller
    return [EventWithCampaigns(**_event(store, event)) for event in store.groups.all()]


@router.post("", status_code=201)
def create_event(store: CurrentStore, caller: Manager, sent: EventIn) -> EventWithCampaigns:
    """Make an event of campaigns that are there."""
    made = store.groups.add(sent.name, sent.campaigns, actor=caller.account.name)
    return EventWithCampaigns(**_event(store, made))


@router.get("/{slug}")
def one_event(store: CurrentStore, caller: Reader, event: OneEvent) -> EventWithCampaigns:
    """One event."""
    del caller
    return EventWithCampaigns(**_event(store, event))


@router.post("/{slug}/campaigns")
def join_event(
    store: CurrentStore, caller: Manager, event: OneEvent, sent: EventJoin
) -> EventWithCampaigns:
    """Add campaigns to an event."""
    store.groups.join(event, sent.campaigns, actor=caller.account.name)
    return EventWithCampaigns(**_event(store, event))


@router.post("/{slug}/state")
def set_states(store: CurrentStore, caller: Manager, event: OneEvent, sent: StateIn) -> EventMoved:
    """Open, pause or close all campaigns, as far as each can be."""
    left = move_all(store, event, sent.state, actor=caller.account.name)
    return EventMoved(**_event(store, event), left=left)


@router.get("/{slug}/people")
def event_people(store: CurrentStore, caller: Reader, event: OneEvent) -> list[EventPersonOut]:
    """List everybody who has a link for the event, by pseudonyms."""
    del caller
    return [_person(store, event, one.id) for one in store.groups.people(event)]


@router.post("/{slug}/people", status_code=201)
def invite_to_event(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    event: OneEvent,
    sent: EventInvite,
) -> EventInvited:
    """Invite somebody to campaigns of an event by one link, which is in this answer alone."""
    person, token = store.groups.invite(
        event, sent.campaigns, name=sent.name, email=sent.email, actor=caller.account.name
    )
    link = settings.link(f"/j/{token}")
    return EventInvited(person=_person(store, event, person.id), link=link)


@router.put("/{slug}/people/{number}")
def set_event_pairs(
    store: CurrentStore, caller: Manager, event: OneEvent, number: int, sent: EventJoin
) -> EventPersonOut:
    """Let somebody judge in just these campaigns; what was judged stays."""
    store.groups.set_pairs(event, number, sent.campaigns, actor=caller.account.name)
    return _person(store, event, number)


@router.get("/{slug}/leaderboard")
def event_leaderboard(store: CurrentStore, caller: Reader, event: OneEvent) -> dict[str, Any]:
    """The table over all campaigns: ranks in each, the mean rank, mean scores where they compare.

    People alone count.
    """
    del caller
    return event_standing(store, store.groups.campaigns(event)).to_json()


@router.get("/{slug}/export", response_class=StreamingResponse, responses={200: ZIP})
def event_export(
    request: Request,
    store: CurrentStore,
    caller: Exporter,
    event: OneEvent,
    all_roles: Annotated[bool, Query()] = False,
    excluded: Annotated[bool, Query()] = False,
    machines: Annotated[bool, Query()] = False,
    spreadsheet: Annotated[bool, Query()] = False,
) -> StreamingResponse:
    """Export all campaigns: a zip file with one long table of all, and each one's own files.

    ``spreadsheet`` guards the cells of tables against being run as formulas.
    """
    keep = Keep(ALL_ROLES if all_roles else WORK.roles, excluded=excluded, machines=machines)
    what = {"actor": caller.account.name, "request": request_id(request)}
    packed = packed_event(store, event, keep, spreadsheet=spreadsheet, **what)
    headers = {"Content-Disposition": f'attachment; filename="{event.slug}.zip"'}
    return StreamingResponse(blocks(packed), media_type="application/zip", headers=headers)


def _event(store: CampaignStore, event: CampaignEvent) -> dict[str, Any]:
    campaigns = [campaign_out(campaign) for campaign in store.groups.campaigns(event)]
    named = {"slug": event.slug, "name": event.name, "created_at": event.created_at}
    return named | {"campaigns": campaigns}


def _person(store: CampaignStore, event: CampaignEvent, number: int) -> EventPersonOut:
    found = store.groups.person(event, number)
    slugs = {campaign.id: campaign.slug for campaign in store.groups.campaigns(event)}
    live = [pair for pair in found.pairs if pair.judge.revoked_at is None]
    return EventPersonOut(
        id=found.id,
        is_revoked=found.revoked_at is not None,
        judges={slugs[pair.judge.campaign]: pair.judge.pseudonym for pair in live},
        done={slugs[pair.judge.campaign]: pair.done for pair in live},
    )
