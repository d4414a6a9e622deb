"""Getting the judgments out: choose a format and what to include, and take a zip file away."""

import zipfile
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response, StreamingResponse

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.long_table import long_rows
from rankwise.server.campaign.exchange.media_copies import write_media
from rankwise.server.campaign.standings.counted import ALL_ROLES, WORK, Keep
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import IN_MEMORY, OwnCampaign, blocks, write_export
from rankwise.server.web.dependencies import CurrentAccount, CurrentStore
from rankwise.server.web.pages import render, request_id
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}")

#: What may be included beyond the judgments that make the leaderboard.
FILTERS = (
    ("roles", "repeated, control and tutorial screens"),
    ("surplus", "late work that nobody needed any more"),
    ("excluded", "judgments of excluded judges"),
    ("superseded", "judgments that were revised later"),
    ("machines", "judgments of machines, marked as such"),
    ("media", "the pictures, sounds and videos of sources, and a list of them"),
    ("spreadsheet", "a mark before cells that a spreadsheet would take for a formula (CSV only)"),
)


@router.get("/exports")
def exports(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """The formats, the filters, and the first rows of the long table."""
    assets = store.campaigns.assets(campaign.id)
    rows = list(islice(long_rows(campaign.plan, store.log.first(campaign.id, 200), WORK), 5))
    formats = [{"name": name, "sentence": words} for name, words in export.formats(campaign.plan)]
    context = {
        "campaign": campaign,
        "total": store.log.count(campaign.id),
        "by_machines": store.log.count(campaign.id, kind="machine"),
        "formats": formats,
        "filters": [one for one in FILTERS if one[0] != "media" or assets],
        "columns": list(rows[0]) if rows else [],
        "rows": [list(row.values()) for row in rows],
    }
    return render(request, "manage/exports.html", context)


@router.post("/exports")
def download(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    format: Annotated[str, Form(max_length=60)],
    roles: Annotated[bool, Form()] = False,
    surplus: Annotated[bool, Form()] = False,
    excluded: Annotated[bool, Form()] = False,
    superseded: Annotated[bool, Form()] = False,
    machines: Annotated[bool, Form()] = False,
    spreadsheet: Annotated[bool, Form()] = False,
    media: Annotated[bool, Form()] = False,
) -> Response:
    """A zip file with the data and its side-car; the audit trail says who took what."""
    if format not in dict(export.formats(campaign.plan)):
        raise Refusal(422, "format", f"There is no format {format!r} for this campaign.")
    kinds = ALL_ROLES if roles else WORK.roles
    keep = Keep(kinds, surplus=surplus, excluded=excluded, superseded=superseded, machines=machines)
    packed, judgments = _packed(store, campaign, format, keep, spreadsheet=spreadsheet, media=media)
    details = {"format": format, "judgments": judgments, "filters": keep.words()}
    store.events.add(
        account.name,
        "campaign.export",
        campaign=campaign.id,
        details=details,
        request=request_id(request),
    )
    name = f"{campaign.slug}-{format}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(blocks(packed), media_type="application/zip", headers=headers)


def _packed(
    store: CampaignStore,
    campaign: Campaign,
    format: str,
    keep: Keep,
    *,
    spreadsheet: bool,
    media: bool,
) -> tuple[IO[bytes], int]:
    """The zip file, in memory unless it is large, and how many judgments it has."""
    packed = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    with TemporaryDirectory(prefix="rankwise-") as folder:
        where = Path(folder)
        found = write_export(
            store, campaign, where, format=format, keep=keep, spreadsheet=spreadsheet
        )
        more = _media(store, campaign, where) if media else ()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in found.files:
                archive.write(path, path.name)
            for path in more:
                archive.write(path, path.relative_to(where))
    packed.seek(0)
    return packed, found.judgments


def _media(store: CampaignStore, campaign: Campaign, folder: Path) -> tuple[Path, ...]:
    """The files of sources and their list, where there are any."""
    assets = store.campaigns.assets(campaign.id)
    if not assets:
        return ()
    count = len(store.campaigns.testset(campaign.id))
    return write_media(campaign.slug, assets, store.assets.content, count, folder).paths
