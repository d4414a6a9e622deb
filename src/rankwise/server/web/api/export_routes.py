"""Exports for programs: the file itself, and the side-car that says what is in it."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi import Path as PathParameter
from pydantic import BaseModel
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.standings.counted import ALL_ROLES, WORK, Keep
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.api.api_models import Exporter, OneCampaign
from rankwise.server.web.campaign_parts import write_export
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}/exports")
Name = Annotated[str, PathParameter(pattern=r"^[a-z-]+$", max_length=40)]
FILE = {"content": {"application/octet-stream": {}}, "description": "The file, or its side-car"}


class FormatOut(BaseModel):
    """A format that this campaign can be exported to."""

    name: str
    description: str


class Include(BaseModel):
    """What is taken beyond the judgments that make the leaderboard."""

    all_roles: bool = False
    surplus: bool = False
    excluded: bool = False
    superseded: bool = False
    machines: bool = False

    def keep(self) -> Keep:
        """The same as a filter."""
        roles = ALL_ROLES if self.all_roles else WORK.roles
        return Keep(roles, self.surplus, self.excluded, self.superseded, machines=self.machines)


@router.get("")
def formats(caller: Exporter, campaign: OneCampaign) -> list[FormatOut]:
    """List the formats a campaign can be exported to."""
    del caller
    found = export.formats(campaign.plan)
    return [FormatOut(name=name, description=words) for name, words in found]


@router.get("/{format}", response_class=FileResponse, responses={200: FILE})
def export_file(
    store: CurrentStore,
    caller: Exporter,
    campaign: OneCampaign,
    format: Name,
    include: Annotated[Include, Query()],
    spreadsheet: bool = False,
    part: Literal["data", "about", "screens"] = "data",
) -> FileResponse:
    """Export the judgments. Part ``about`` is the side-car: filters, counts, columns, snapshot.

    Part ``screens`` is the table of sampling probabilities of a format that cannot hold them.
    ``spreadsheet`` guards the cells of a table against being run as formulas.
    """
    folder = Path(tempfile.mkdtemp(prefix="rankwise-"))
    try:
        keep = include.keep()
        done = _write(store, campaign, folder, format, keep, spreadsheet)
        path = _part(done, part)
    except BaseException:
        shutil.rmtree(folder)
        raise
    details = {"format": format, "judgments": done.judgments, "filters": keep.words()}
    store.events.add(caller.account.name, "campaign.export", campaign=campaign.id, details=details)
    clean = BackgroundTask(shutil.rmtree, folder)
    return FileResponse(path, filename=path.name, background=clean)


def _part(done: export.Exported, part: str) -> Path:
    endings = {"about": ".about.json", "screens": ".screens.csv"}
    if part == "data":
        return done.path
    for path in done.files:
        if path.name.endswith(endings[part]):
            return path
    raise Refusal(404, "no_part", f"This format has no part {part!r}; the file holds everything.")


def _write(
    store: CampaignStore,
    campaign: Campaign,
    folder: Path,
    format: str,
    keep: Keep,
    spreadsheet: bool,
) -> export.Exported:
    if format not in dict(export.formats(campaign.plan)):
        raise Refusal(404, "no_format", f"There is no format {format!r} for this campaign.")
    return write_export(store, campaign, folder, format=format, keep=keep, spreadsheet=spreadsheet)
