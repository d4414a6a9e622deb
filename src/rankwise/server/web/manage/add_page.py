"""Systems and documents for a campaign that may be under way: two forms, and what came of them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from rankwise.errors import DataError
from rankwise.io.files import read_lines
from rankwise.server.campaign.launch.added_texts import outputs_for
from rankwise.server.campaign.launch.check_list import CheckFinding
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan_files import given_of_system, texts_of
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database.store_errors import NotAllowed
from rankwise.server.web.campaign_parts import OwnCampaign
from rankwise.server.web.dependencies import CurrentAccount, CurrentSettings, CurrentStore, Posted
from rankwise.server.web.manage.create_page import keep_uploads, limits_of
from rankwise.server.web.manage.form_words import in_words_of_the_form
from rankwise.server.web.pages import render
from rankwise.types import TestSet

router = APIRouter(prefix="/campaigns/{slug}")


@router.get("/add")
def add_page(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """What may be added, and what cannot change."""
    return _page(request, store, campaign)


@router.post("/systems")
def add_system(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    form: Posted,
) -> Response:
    """A further system; or the form again with what is wrong."""
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    testset = store.campaigns.testset(campaign.id)
    try:
        name, texts, marked = _system(form, campaign, testset, limit=settings.upload_limit)
        found = store.additions.system(campaign.slug, name, texts, given=marked, actor=account.name)
    except (DataError, NotAllowed) as error:
        return _page(request, store, campaign, given=given, problem=str(error), status=422)
    done = f"System “{name}” is added."
    return _page(request, store, store.campaigns.by_id(campaign.id), done=done, found=found)


@router.post("/segments")
def add_segments(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    form: Posted,
) -> Response:
    """Further documents; or the form again with what is wrong."""
    try:
        added, found = _add_segments(store, settings, form, campaign, actor=account.name)
    except (DataError, NotAllowed) as error:
        return _page(request, store, campaign, problem=str(error), status=422)
    done = f"{len(added):,} segment{'s are' if len(added) > 1 else ' is'} added."
    return _page(request, store, store.campaigns.by_id(campaign.id), done=done, found=found)


def _system(
    form: FormData, campaign: Campaign, testset: TestSet, *, limit: int
) -> tuple[str, list[str | None], GivenSpans]:
    names: dict[str, str] = {}
    with TemporaryDirectory(prefix="rankwise-") as folder:
        files = keep_uploads(form, Path(folder), names, limit=limit)
        outputs = files.get("outputs")
        if not isinstance(outputs, dict) or len(outputs) != 1:
            raise DataError("choose one file with the outputs of the system, a line a segment")
        ((label, path),) = outputs.items()
        name = str(form.get("name") or "").strip() or label
        documents = [one.strip() for one in str(form.get("only") or "").splitlines()]
        try:
            lines = [line for _, line in read_lines(Path(folder) / path)]
            texts = outputs_for(testset, lines, [one for one in documents if one])
            spans = files.get("spans")
            marked = Path(folder) / spans if isinstance(spans, str) else None
            given = given_of_system(campaign.plan, testset, name, texts, marked)
        except DataError as error:
            raise DataError(in_words_of_the_form(str(error), names)) from error
    return name, texts, given


def _add_segments(
    store: CampaignStore, settings: Settings, form: FormData, campaign: Campaign, *, actor: str
) -> tuple[TestSet, list[CheckFinding]]:
    names: dict[str, str] = {}
    with TemporaryDirectory(prefix="rankwise-") as folder:
        files = keep_uploads(form, Path(folder), names, limit=settings.upload_limit)
        if "source" not in files:
            raise DataError("choose the source texts of the new segments, or a whole test set")
        try:
            limits = limits_of(settings)
            added, given, media = texts_of(campaign.plan, files, folder, limits)
        except DataError as error:
            raise DataError(in_words_of_the_form(str(error), names)) from error
        add = store.additions.segments
        return added, add(campaign.slug, added, given=given, media=media, actor=actor)


def _page(
    request: Request,
    store: CampaignStore,
    campaign: Campaign,
    *,
    given: dict[str, str] | None = None,
    problem: str | None = None,
    done: str | None = None,
    found: list[CheckFinding] | None = None,
    status: int = 200,
) -> Response:
    testset = store.campaigns.testset(campaign.id)
    documents = dict.fromkeys(s.document for s in testset.segments if s.document is not None)
    context = {
        "campaign": campaign,
        "given": given or {},
        "problem": problem,
        "done": done,
        "found": found or [],
        "systems": testset.systems,
        "documents": list(documents),
        "has_given": bool(store.campaigns.given(campaign.id)),
        "judgments": store.changes.judgments(campaign),
    }
    return render(request, "manage/add.html", context, status=status)
