"""Scores of a metric beside what people judge: attach them, see their worth, remove them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from rankwise.errors import DataError
from rankwise.io.study_scores import read_proxy
from rankwise.server.campaign.plan.size_limits import MOST_CELLS
from rankwise.server.campaign.standings.powered_panel import campaign_scores
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import OwnCampaign, back
from rankwise.server.web.dependencies import CurrentAccount, CurrentSettings, CurrentStore, Posted
from rankwise.server.web.manage.create_page import unpack_upload
from rankwise.server.web.pages import render
from rankwise.types import ScoreTable

router = APIRouter(prefix="/campaigns/{slug}")
#: More files than any metric writes for one test set.
MOST_FILES = 200


@router.get("/scores")
def scores(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """What is attached, and what it does."""
    return _page(request, store, campaign)


@router.post("/scores")
def attach(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    form: Posted,
) -> Response:
    """Read the files as ``rankwise rank --proxy`` reads them, and keep their scores."""
    try:
        table = _uploaded(form, limit=settings.upload_limit)
        found, notes = campaign_scores(table, store.campaigns.testset(campaign.id))
    except DataError as error:
        return _page(request, store, campaign, problem=str(error), status=422)
    store.scores.attach(campaign.id, found, actor=account.name)
    return _page(request, store, campaign, notes=notes)


@router.post("/scores/remove")
def remove(store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign) -> Response:
    """Take the scores away; judgments stay as they are."""
    store.scores.remove(campaign.id, actor=account.name)
    return back(campaign, "/scores")


def _page(
    request: Request,
    store: CampaignStore,
    campaign: Campaign,
    *,
    problem: str | None = None,
    notes: list[str] | None = None,
    status: int = 200,
) -> Response:
    kept = store.standings.get(campaign.id, "powered")
    context = {
        "campaign": campaign,
        "scores": store.scores.get(campaign.id),
        "powered": None if kept is None else kept.content,
        "problem": problem,
        "notes": notes or [],
    }
    return render(request, "manage/scores.html", context, status=status)


def _uploaded(form: FormData, *, limit: int) -> ScoreTable:
    """The scores of the files of a form; messages call files as their owner does."""
    uploads = [f for f in form.getlist("files") if isinstance(f, UploadFile) and f.filename]
    if not 0 < len(uploads) <= MOST_FILES:
        raise DataError(f"{len(uploads)} files were chosen; expected 1 to {MOST_FILES}")
    with TemporaryDirectory(prefix="rankwise-") as folder:
        room, paths = limit, []
        for upload in uploads:
            name = Path(str(upload.filename).replace("\\", "/")).name.removesuffix(".gz")
            path = Path(folder) / name
            if not name.strip(".") or path in paths:
                raise DataError(f"a file is called {name!r}; expected different names")
            limits = {"room": room, "limit": limit, "most_lines": MOST_CELLS}
            room -= unpack_upload(name, upload.file, path, **limits)
            paths.append(path)
        try:
            return read_proxy(paths)
        except DataError as error:
            raise DataError(str(error).replace(f"{folder}/", "")) from error
