"""The organiser's pages of an event: its campaigns, its people, one table and one export of all."""

from collections.abc import Collection, Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import person as named_person
from rankwise.server.campaign.standings.counted import ALL_ROLES, WORK, Keep
from rankwise.server.records import CampaignEvent, EventPerson
from rankwise.server.store.access.link_mails import Whom
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database.store_errors import NotAllowed, NotFound
from rankwise.server.web.campaign_parts import blocks, event_standing, move_all, packed_event
from rankwise.server.web.dependencies import (
    CurrentAccount,
    CurrentSettings,
    CurrentStore,
    Number,
    Posted,
    get_settings,
)
from rankwise.server.web.mail_requests import ask, given_words, mail_card, refuse_mail
from rankwise.server.web.manage.judges_page import MOST_INVITED
from rankwise.server.web.manage.links_page import encoded_sheet
from rankwise.server.web.manage.summaries import summary
from rankwise.server.web.pages import render, request_id
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/events")


def own_event(slug: str, store: CurrentStore, account: CurrentAccount) -> CampaignEvent:
    """The event of the address, for somebody who organises; 404 where there is none."""
    del account
    try:
        return store.groups.get(slug)
    except NotFound as error:
        raise Refusal(404, "no_event", f"There is no event {slug!r}.") from error


OwnEvent = Annotated[CampaignEvent, Depends(own_event)]


@router.get("/new")
def new_event(request: Request, store: CurrentStore, account: CurrentAccount) -> Response:
    """A name, and the campaigns that belong to it."""
    del account
    return _new_page(request, store)


@router.post("/new")
def add_event(
    request: Request, store: CurrentStore, account: CurrentAccount, form: Posted
) -> Response:
    """Make it; or the form again with what is wrong."""
    name, slugs = str(form.get("name") or ""), _texts(form.getlist("campaigns"))
    try:
        made = store.groups.add(name, slugs, actor=account.name)
    except (DataError, NotAllowed, NotFound) as error:
        return _new_page(request, store, name=name, slugs=slugs, problem=str(error), status=422)
    return _back(made)


def _new_page(
    request: Request,
    store: CampaignStore,
    *,
    name: str = "",
    slugs: Iterable[str] = (),
    problem: str | None = None,
    status: int = 200,
) -> Response:
    context = {"name": name, "slugs": list(slugs), "problem": problem, "free": _free(store)}
    return render(request, "manage/event_new.html", context, status=status)


def _free(store: CampaignStore) -> list[Campaign]:
    """The campaigns that belong to no event yet."""
    every = store.campaigns.all()
    return [campaign for campaign in every if store.groups.of_campaign(campaign.id) is None]


@router.get("/{slug}")
def event_page(request: Request, store: CurrentStore, event: OwnEvent) -> Response:
    """All campaigns with how far they are, and everybody with the pairs they judge in."""
    return _event_page(request, store, event)


def _event_page(
    request: Request,
    store: CampaignStore,
    event: CampaignEvent,
    *,
    problem: str | None = None,
    status: int = 200,
) -> Response:
    campaigns = store.groups.campaigns(event)
    people = store.groups.people(event)
    context = {
        "event": event,
        "campaigns": [summary(store, campaign) for campaign in campaigns],
        "people": [_shown(store, person, campaigns) for person in people],
        "free": _free(store),
        "problem": problem,
    }
    context |= mail_card(store.event_mails, get_settings(request), event.id)
    return render(request, "manage/event.html", context, status=status)


def _shown(store: CampaignStore, person: EventPerson, campaigns: list[Campaign]) -> dict[str, Any]:
    """Somebody with a cell for every campaign: ``None`` where the person does not judge."""
    live = {p.judge.campaign: p for p in person.pairs if p.judge.revoked_at is None}
    who = [store.judges.identity(pair.judge.id) for pair in person.pairs[:1]]
    name = next((one.name or one.email for one in who), None)
    done = sum(pair.done for pair in person.pairs)
    cells = [live.get(campaign.id) for campaign in campaigns]
    return {"person": person, "name": name, "cells": cells, "done": done}


@router.post("/{slug}/campaigns")
def join(
    request: Request, store: CurrentStore, account: CurrentAccount, event: OwnEvent, form: Posted
) -> Response:
    """Further campaigns of the event."""
    try:
        store.groups.join(event, _texts(form.getlist("campaigns")), actor=account.name)
    except (NotAllowed, NotFound) as error:
        return _event_page(request, store, event, problem=str(error), status=422)
    return _back(event)


@router.post("/{slug}/state")
def change_states(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    event: OwnEvent,
    state: Annotated[str, Form(max_length=20)],
) -> Response:
    """Open, pause or close all campaigns; none is opened that its check list stands against."""
    left = move_all(store, event, state, actor=account.name)
    if left:
        return _event_page(request, store, event, problem="; ".join(left), status=422)
    return _back(event)


@router.post("/{slug}/invite")
def invite(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    event: OwnEvent,
    form: Posted,
) -> Response:
    """One link a line of names, for all campaigns chosen, shown this once.

    By mail those with an address get theirs, in the words that were used last, and the others' are
    shown.
    """
    by_mail = form.get("mail") == "true"
    if by_mail:
        refuse_mail(store.event_mails, settings, event.id)
    people = [named_person(one) for one in str(form.get("names") or "").splitlines() if one.strip()]
    slugs = _texts(form.getlist("campaigns"))
    if not 0 < len(people) <= MOST_INVITED:
        message = f"{len(people)} people are named; expected 1 to {MOST_INVITED}."
        return _event_page(request, store, event, problem=message, status=422)
    made = {}
    try:
        for name, email in people:
            one, token = store.groups.invite(
                event, slugs, name=name, email=email, actor=account.name
            )
            made[one.id] = _link(settings.link(f"/j/{token}"), name, email)
    except DataError as error:
        return _event_page(request, store, event, problem=str(error), status=422)
    asked = _by_mail(store, event, made, actor=account.name) if by_mail else set()
    links = [link for number, link in made.items() if number not in asked]
    return _links_page(request, event, links) if links else _back(event, "#people")


def _by_mail(
    store: CampaignStore, event: CampaignEvent, people: Collection[int], *, actor: str
) -> set[int]:
    """Those of *people* to whom the link goes by mail: they have an address, and may judge now."""
    words = store.event_mails.last_words(event.id)
    return {one.id for one in store.event_mails.ask(event.id, people, words, actor)}


@router.post("/{slug}/mail")
def mail_links(
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    event: OwnEvent,
    whom: Annotated[Whom, Form()],
    subject: Annotated[str, Form(max_length=2000)] = "",
    text: Annotated[str, Form(max_length=100_000)] = "",
) -> Response:
    """Send everybody of *whom* a new link in the organiser's words."""
    words = given_words(subject, text)
    people = [one.id for one in store.event_mails.whom(event.id, whom)]
    ask(store.event_mails, settings, event.id, people, words, actor=account.name)
    return _back(event, "#people")


@router.post("/{slug}/people/{person}/mail")
def mail_link(
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    event: OwnEvent,
    person: Number,
) -> Response:
    """Send somebody a new link, in the words that were used last."""
    found = store.groups.person(event, person)
    words = store.event_mails.last_words(event.id)
    ask(store.event_mails, settings, event.id, [found.id], words, actor=account.name)
    return _back(event, "#people")


def _link(link: str, name: str | None, email: str | None) -> dict[str, str | None]:
    label = name or email or "Without a name"
    return {"name": label, "link": link, "email": email, "judge": None, "person": name}


def _links_page(
    request: Request, event: CampaignEvent, links: list[dict[str, str | None]]
) -> Response:
    context = {"event": event, "links": links, "sheet": encoded_sheet(links)}
    return render(request, "manage/event_links.html", context)


@router.post("/{slug}/people/{person}/pairs")
def set_pairs(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    event: OwnEvent,
    person: Number,
    form: Posted,
) -> Response:
    """The campaigns that somebody may judge in from now on."""
    try:
        slugs = _texts(form.getlist("campaigns"))
        store.groups.set_pairs(event, person, slugs, actor=account.name)
    except DataError as error:
        return _event_page(request, store, event, problem=str(error), status=422)
    return _back(event, "#people")


@router.post("/{slug}/people/{person}/reissue")
def renew(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    event: OwnEvent,
    person: Number,
) -> Response:
    """A new link in place of the old one, shown this once."""
    found = store.groups.person(event, person)
    token = store.groups.renew(event, person, actor=account.name)
    who = [store.judges.identity(pair.judge.id) for pair in found.pairs[:1]]
    name, email = (who[0].name, who[0].email) if who else (None, None)
    return _links_page(request, event, [_link(settings.link(f"/j/{token}"), name, email)])


@router.post("/{slug}/people/{person}/revoke")
def revoke(
    store: CurrentStore, account: CurrentAccount, event: OwnEvent, person: Number
) -> Response:
    """End somebody's link and sessions; a new link opens the same campaigns again."""
    store.groups.revoke(event, person, actor=account.name)
    return _back(event, "#people")


@router.post("/{slug}/people/{person}/forget")
def forget(
    store: CurrentStore, account: CurrentAccount, event: OwnEvent, person: Number
) -> Response:
    """Erase who somebody is, in every campaign; the judgments stay."""
    store.groups.forget(event, person, actor=account.name)
    return _back(event, "#people")


@router.get("/{slug}/board")
def board(request: Request, store: CurrentStore, event: OwnEvent) -> Response:
    """One table over the leaderboards of all campaigns."""
    campaigns = store.groups.campaigns(event)
    table = event_standing(store, campaigns)
    context = {"event": event, "campaigns": campaigns, "table": table}
    return render(request, "manage/event_board.html", context)


@router.post("/{slug}/export")
def download(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    event: OwnEvent,
    roles: Annotated[bool, Form()] = False,
    excluded: Annotated[bool, Form()] = False,
    machines: Annotated[bool, Form()] = False,
    spreadsheet: Annotated[bool, Form()] = False,
) -> Response:
    """A zip file with one long table of all, and every campaign's own files."""
    kinds = ALL_ROLES if roles else WORK.roles
    keep = Keep(kinds, excluded=excluded, machines=machines)
    what = {"actor": account.name, "request": request_id(request)}
    packed = packed_event(store, event, keep, spreadsheet=spreadsheet, **what)
    headers = {"Content-Disposition": f'attachment; filename="{event.slug}.zip"'}
    return StreamingResponse(blocks(packed), media_type="application/zip", headers=headers)


def _texts(values: Iterable[object]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def _back(event: CampaignEvent, part: str = "") -> RedirectResponse:
    return RedirectResponse(f"/events/{event.slug}{part}", 303)
