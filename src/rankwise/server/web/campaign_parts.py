"""What the organiser's routes share: the campaign of the address, launching, where to go next."""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Annotated, Any

from fastapi import Depends
from starlette.responses import RedirectResponse

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.event_export import EventPart, write_event
from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import models_of
from rankwise.server.campaign.standings.contents import BOARD, LiveBoard
from rankwise.server.campaign.standings.counted import Keep
from rankwise.server.campaign.standings.event_table import EventTable, event_table
from rankwise.server.records import CampaignEvent
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database.store_errors import NotAllowed, NotFound
from rankwise.server.web.dependencies import CurrentAccount, CurrentStore
from rankwise.server.web.refusals import Refusal

#: A zip file of so many bytes is made in memory.
IN_MEMORY = 8 << 20
_BLOCK = 1 << 16


def find_campaign(store: CampaignStore, slug: str) -> Campaign:
    """The campaign of that slug, or 404."""
    try:
        return store.campaigns.get(slug)
    except NotFound as error:
        raise Refusal(404, "no_campaign", f"There is no campaign {slug!r}.") from error


def own_campaign(slug: str, store: CurrentStore, account: CurrentAccount) -> Campaign:
    """The same for somebody who organises; nobody else learns whether it exists."""
    del account
    return find_campaign(store, slug)


OwnCampaign = Annotated[Campaign, Depends(own_campaign)]


def refuse_errors(store: CampaignStore, campaign: Campaign) -> None:
    """422 with the first error of the check list, if there is one: it cannot be launched then."""
    campaigns, number = store.campaigns, campaign.id
    found = check(campaign.plan, campaigns.testset(number), media=campaigns.assets(number))
    wrong = [finding.message for finding in found.findings if finding.level == "error"]
    if wrong:
        raise Refusal(422, "not_ready", f"The campaign cannot be launched: {wrong[0]}")


def refuse_another(campaign: Campaign, confirmed: str) -> None:
    """422 unless the name that was confirmed is this campaign's."""
    if confirmed != campaign.slug:
        raise Refusal(422, "not_confirmed", f"Nothing was deleted: confirm by {campaign.slug!r}.")


def write_export(
    store: CampaignStore,
    campaign: Campaign,
    folder: Path,
    *,
    format: str,
    keep: Keep,
    spreadsheet: bool,
) -> export.Exported:
    """Write the judgments of a campaign into *folder*, with all that belongs to the file."""
    return export.write(
        campaign.plan,
        store.campaigns.testset(campaign.id),
        store.log.stored(campaign.id, superseded=True),
        folder / export.file_name(campaign.plan, format, spreadsheet=spreadsheet),
        format=format,
        keep=keep,
        spreadsheet=spreadsheet,
        given=store.campaigns.given(campaign.id),
    )


def event_parts(store: CampaignStore, event: CampaignEvent) -> Iterator[EventPart]:
    """Everything that is exported of the campaigns of an event, one after the other."""
    for campaign in store.groups.campaigns(event):
        yield EventPart(
            campaign.plan,
            store.campaigns.testset(campaign.id),
            list(store.log.stored(campaign.id, superseded=True)),
            store.campaigns.given(campaign.id),
        )


def event_standing(store: CampaignStore, campaigns: Iterable[Campaign]) -> EventTable:
    """The table over the leaderboards that were computed last."""
    parts: list[tuple[Plan, LiveBoard | None]] = []
    for campaign in campaigns:
        kind = f"{BOARD}{models_of(campaign.plan)[0]}"
        kept = store.standings.get(campaign.id, kind)
        board: Any = None if kept is None else kept.content
        parts.append((campaign.plan, board))
    return event_table(parts)


def move_all(store: CampaignStore, event: CampaignEvent, state: str, *, actor: str) -> list[str]:
    """Bring all campaigns of an event into a state; in sentences, what stays as it is and why."""
    left = []
    for campaign in store.groups.campaigns(event):
        if campaign.state == state or (campaign.state == "draft" and state == "paused"):
            continue
        try:
            if state == "open" and campaign.opened_at is None:
                refuse_errors(store, campaign)
            store.campaigns.set_state(campaign.slug, state, actor=actor)
        except (Refusal, NotAllowed) as error:
            words = error.detail if isinstance(error, Refusal) else str(error)
            left.append(f"{campaign.name}: {words}")
    return left


def packed_event(
    store: CampaignStore,
    event: CampaignEvent,
    keep: Keep,
    *,
    spreadsheet: bool,
    actor: str,
    request: str,
) -> IO[bytes]:
    """The zip file of an event; the audit trail of every campaign says who took it."""
    packed = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    with TemporaryDirectory(prefix="rankwise-") as folder:
        where = Path(folder)
        formats = ("long", "records")
        found = write_event(
            event.slug,
            event_parts(store, event),
            where,
            formats=formats,
            keep=keep,
            spreadsheet=spreadsheet,
        )
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in found.files:
                archive.write(path, path.relative_to(where).as_posix())
    for campaign in store.groups.campaigns(event):
        details = {"event": event.slug, "judgments": found.judgments.get(campaign.slug, 0)}
        details["filters"] = keep.words()
        what: dict[str, Any] = {"campaign": campaign.id, "details": details, "request": request}
        store.events.add(actor, "campaign.export", **what)
    packed.seek(0)
    return packed


def blocks(packed: IO[bytes]) -> Iterator[bytes]:
    """A file piece by piece; it is closed in the end."""
    with packed:
        while block := packed.read(_BLOCK):
            yield block


def back(campaign: Campaign, page: str = "") -> RedirectResponse:
    """To a page of the campaign, after a form did its work."""
    return RedirectResponse(f"/campaigns/{campaign.slug}{page}", 303)
