"""A new campaign from a form: files in, a draft out, errors beside the form with nothing lost."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import IO, Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.errors import DataError
from rankwise.io.packed.packings import GZIP, MAGIC_BYTES, broken, packing_of
from rankwise.server.campaign.plan.document_protocols import MOST_SEGMENTS as MOST_SEGMENTS_SHOWN
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import (
    PearmutCampaign,
    read_pearmut,
)
from rankwise.server.campaign.plan.plan import CONTROL_KINDS, Plan, person
from rankwise.server.campaign.plan.plan_files import (
    example_campaign,
    load_given,
    load_media,
    load_testset,
)
from rankwise.server.campaign.plan.plan_keys import toml_of
from rankwise.server.campaign.plan.protocols import PROTOCOLS
from rankwise.server.campaign.plan.size_limits import MOST_CELLS, MOST_SEGMENTS, AssetLimits
from rankwise.server.campaign.plan.sources.media_files import MOST_NAME
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import back
from rankwise.server.web.dependencies import CurrentAccount, CurrentSettings, CurrentStore, Posted
from rankwise.server.web.manage.form_words import in_words_of_the_form
from rankwise.server.web.manage.judges_page import invited
from rankwise.server.web.manage.links_page import links_page
from rankwise.server.web.pages import render
from rankwise.types import TestSet

router = APIRouter()

#: The fields of the form by what they hold; a field that is empty keeps its default.
WORDS = ("name", "slug", "source_language", "target_language", "protocol", "strategy")
LONG_WORDS = ("control_kind", "instructions", "consent", "currency")
WHOLE = ("k", "window", "coverage_floor", "cold_start", "context", "sitting", "seed")
NUMBERS = ("redundancy", "repeat_share", "control_share", "seconds_per_screen", "pay_per_hour")
FLAGS = ("show_reference", "single_pass", "show_value")
#: Flags that only documents know, and those of protocols that mark errors in them; a form of
#: another protocol does not send them.
DOCUMENT_FLAGS = ("highlight",)
SPAN_FLAGS = ("output_comments", "post_edits")
#: What is written as in the plan's file.
FURTHER = (
    "tutorial",
    "tutorial_tries",
    "tutorial_pass",
    "checks",
    "check_tries",
    "check_pass",
    "questions",
    "recruiting",
    "spans",
    "sliders",
    "domain_instructions",
    "language",
    "translations",
)
PARTS = ("source", "references", "outputs", "documents", "spans", "media")
#: Where the form's pictures, sounds and videos are put, as they are called.
ASSETS = "assets"


_DOCUMENTS = frozenset(name for name, rules in PROTOCOLS.items() if rules.is_document)


@router.get("/campaigns/new")
def new_page(request: Request, account: CurrentAccount) -> Response:
    """The form, with what most campaigns want."""
    del account
    return _page(request, {})


@router.post("/campaigns/new")
def create(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    form: Posted,
) -> Response:
    """A draft, then its check list; or the form again with a sentence about what is wrong.

    Judges who are named are invited at once, because a plan keeps nobody's name. A form with the
    field ``look`` is only looked at (204 if nothing is wrong): the page asks so before it sends the
    form, because a browser forgets the files that were chosen when it shows another page.
    """
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        if given.get("texts") == "example":
            plan, campaign = _made_of_example(store, given, account.name)
        else:
            plan, campaign = _made_of_files(store, settings, form, account.name)
    except DataError as error:
        problem = in_words_of_the_form(str(error), {})
        return _page(request, given, problem=problem, status=422)
    if campaign is None:
        return Response(status_code=204)
    if not plan.judges:
        return back(campaign, "/check")
    people = [person(name) for name in plan.judges]
    links = invited(store, settings, campaign, people, actor=account.name)
    return links_page(request, campaign, links)


@router.post("/campaigns/new/pearmut")
def create_of_pearmut(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    form: Posted,
) -> Response:
    """A draft of a campaign of Pearmut, texts and all; the page says what was not taken over."""
    upload, pair = form.get("campaign"), form.get("language_pair")
    try:
        if not isinstance(upload, UploadFile) or not upload.filename:
            raise DataError("no campaign was chosen; expected a JSON file of Pearmut")
        found = _of_pearmut(upload, str(pair or "").strip() or None, settings.upload_limit)
        nameless = replace(found.plan, judges=())
        made = store.campaigns.add(nameless, found.testset, given=found.given, actor=account.name)
    except DataError as error:
        problem = in_words_of_the_form(str(error), {})
        return _page(request, {}, problem=problem, status=422)
    people = [person(name) for name in found.plan.judges]
    links = invited(store, settings, made, people, actor=account.name)
    if not links and not found.warnings:
        return back(made, "/check")
    return links_page(request, made, links, untaken=found.warnings)


def _of_pearmut(upload: UploadFile, pair: str | None, limit: int) -> PearmutCampaign:
    name = Path(str(upload.filename).replace("\\", "/")).name
    with TemporaryDirectory(prefix="rankwise-") as folder:
        path = Path(folder) / "campaign.json"
        unpack_upload(name, upload.file, path, room=limit, limit=limit, most_lines=MOST_CELLS)
        try:
            return read_pearmut(path, language_pair=pair)
        except DataError as error:
            message = str(error).replace("--language-pair", "one in the form")
            raise DataError(in_words_of_the_form(message, {str(path): name})) from error


def _page(
    request: Request, given: dict[str, str], *, problem: str | None = None, status: int = 200
) -> Response:
    context = {
        "given": given,
        "problem": problem,
        "protocols": PROTOCOLS.values(),
        "strategies": list(STRATEGIES),
        "control_kinds": CONTROL_KINDS,
        "most_segments": MOST_SEGMENTS_SHOWN,
    }
    return render(request, "manage/new.html", context, status=status)


def _example(given: dict[str, str]) -> tuple[Plan, TestSet]:
    """The bundled texts under the form's plan; the tutorial comes along where it fits."""
    example, testset = example_campaign()
    table = _table(given)
    is_same = table.get("protocol", example.protocol) == example.protocol
    if is_same and "tutorial" not in table and "by_document" not in table:
        table["tutorial"] = example.to_json()["tutorial"]
    return Plan.from_json(table, where="the form"), testset


def _made_of_example(
    store: CampaignStore, given: dict[str, str], actor: str
) -> tuple[Plan, Campaign | None]:
    plan, testset = _example(given)
    return plan, _made(store, given, plan, testset, actor=actor)


def _made(
    store: CampaignStore, form: dict[str, str], plan: Plan, testset: TestSet, **more: Any
) -> Campaign | None:
    """The campaign of a form; ``None`` where it was only to be looked at."""
    if form.get("look") == "on":
        store.campaigns.refuse_taken(plan.slug)
        return None
    return store.campaigns.add(replace(plan, judges=()), testset, **more)


def _made_of_files(
    store: CampaignStore, settings: Settings, form: FormData, actor: str
) -> tuple[Plan, Campaign | None]:
    """The same with the form's files, which are there until the campaign has them."""
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    names: dict[str, str] = {}
    with TemporaryDirectory(prefix="rankwise-") as folder:
        files = keep_uploads(form, Path(folder), names, limit=settings.upload_limit)
        plan = Plan.from_json(_table(given) | {"texts": files}, where="the form")
        if "source" not in files:
            raise DataError("no source was chosen; expected a file of source texts, or a test set")
        try:
            testset = load_testset(plan, folder)
            marked = load_given(plan, testset, folder)
            media = load_media(plan, testset, folder, limits_of(settings))
        except DataError as error:
            # where the files are kept here is nobody's business, and tells nobody which it was
            raise DataError(in_words_of_the_form(str(error), names) + _hint(files)) from error
        more = {"given": marked, "media": media, "actor": actor}
        return plan, _made(store, given, plan, testset, **more)


def limits_of(settings: Settings) -> AssetLimits:
    """How large pictures, sounds and videos may be on this server."""
    return AssetLimits(settings.asset_limit, settings.assets_limit)


def _hint(files: Mapping[str, object]) -> str:
    """What is missing, if it may be that."""
    if "outputs" in files:
        return ""
    return " No outputs were chosen: add one file for each system, unless the source is a test set"


def keep_uploads(
    form: FormData, folder: Path, names: dict[str, str], *, limit: int
) -> dict[str, str | dict[str, str]]:
    """Write the files under names of ours; their own *names* only name systems and references.

    Packed files are unpacked here, all together to at most *limit* bytes.
    """
    kept: dict[str, str | dict[str, str]] = {}
    room = limit
    # a file of a whole test set may have a line for each output, others have one for each segment
    is_parallel = any(isinstance(f, UploadFile) and f.filename for f in form.getlist("outputs"))
    most_lines = MOST_SEGMENTS if is_parallel else MOST_CELLS
    for part in PARTS:
        uploads = [f for f in form.getlist(part) if isinstance(f, UploadFile) and f.filename]
        paths: dict[str, str] = {}
        for number, upload in enumerate(uploads):
            name = _label(str(upload.filename), paths)
            path = folder / f"{part}-{number}{_ending(str(upload.filename))}"
            limits = {"room": room, "limit": limit, "most_lines": most_lines}
            room -= unpack_upload(str(upload.filename), upload.file, path, **limits)
            paths[name] = path.name
            names[str(path)] = Path(str(upload.filename).replace("\\", "/")).name
        if paths:
            kept[part] = paths if part in ("references", "outputs") else next(iter(paths.values()))
    assets = [f for f in form.getlist(ASSETS) if isinstance(f, UploadFile) and f.filename]
    if assets:
        (folder / ASSETS).mkdir()
        kept[ASSETS] = ASSETS
    for upload in assets:
        _keep_asset(upload, folder / ASSETS)
    return kept


def _keep_asset(upload: UploadFile, folder: Path) -> None:
    """Write a picture, sound or video under its own name, by which the list knows it."""
    name = Path(str(upload.filename).replace("\\", "/")).name
    unfit = DataError(f"{name[:80]!r} is no name for a file here; give it another")
    if name in ("", "..") or len(name) > MOST_NAME:
        raise unfit
    try:
        with (folder / name).open("xb") as out:
            copyfileobj(upload.file, out)
    except FileExistsError as error:
        raise DataError(f"two files are called {name!r}; expected different names") from error
    except (OSError, ValueError) as error:
        raise unfit from error


def unpack_upload(
    name: str, packed: IO[bytes], path: Path, *, room: int, limit: int, most_lines: int
) -> int:
    """Write the text of a file, gzip or plain, to *path*; its bytes."""
    is_packed = packing_of(packed.read(MAGIC_BYTES), name.lower()) is GZIP
    packed.seek(0)
    source = GZIP.unpacked(packed, name) if is_packed else packed
    size = lines = 0
    try:
        with path.open("wb") as out:
            while chunk := source.read(1 << 16):
                size += len(chunk)
                lines += chunk.count(b"\n")
                if size > room:
                    raise DataError(f"the files unpack to more than {limit:,} bytes; send less")
                if lines > most_lines:
                    raise DataError(f"{name!r}: expected at most {most_lines:,} lines")
                out.write(chunk)
    except broken() as error:
        raise DataError(f"{name!r}: expected an intact gzip file, but {error}") from error
    with path.open("rb") as unpacked:  # whoever reads it would unpack it again, and without a limit
        packing = packing_of(unpacked.read(MAGIC_BYTES))
    if packing is not None:
        raise DataError(
            f"{name!r}: is packed by {packing.name}; send it as gzip, once, or unpacked"
        )
    return size


def _label(filename: str, taken: Iterable[str]) -> str:
    name = Path(filename.replace("\\", "/")).name.removesuffix(".gz").rsplit(".", 1)[0] or "unnamed"
    if name in taken:
        raise DataError(f"two files are called {name!r}; expected one file for each system")
    return name


def _ending(filename: str) -> str:
    """The endings that say how a file is laid out; nothing else of the name is used."""
    suffixes = [suffix for suffix in Path(filename).suffixes[-2:] if suffix[1:].isalnum()]
    return "".join(suffixes).lower().removesuffix(".gz")[:12]


def _table(given: dict[str, str]) -> dict[str, object]:
    """The form's fields as the table of a plan."""
    table: dict[str, object] = {}
    for key in (*WORDS, *LONG_WORDS):
        if given.get(key, "").strip():
            table[key] = given[key].strip().replace("\r\n", "\n")
    numbers = (WHOLE, int, "a whole number"), (NUMBERS, float, "a number such as 0.5")
    for keys, kind, words in numbers:
        for key in keys:
            if given.get(key, "").strip():
                table[key] = _number(key, given[key], kind, words)
    table |= {key: given.get(key) == "on" for key in FLAGS}
    marks_errors = table.get("protocol") in _DOCUMENTS
    by_document = given.get("by_document") == "on" and not marks_errors
    if marks_errors or by_document:
        table |= {key: given.get(key) == "on" for key in DOCUMENT_FLAGS}
    if marks_errors:
        table |= {key: given.get(key) == "on" for key in SPAN_FLAGS}
    table |= {"by_document": True} if by_document else {}
    table["judges"] = [
        line.strip() for line in given.get("judges", "").splitlines() if line.strip()
    ]
    stop = {"max_judgments": int, "boundary_support": float}
    table["stop"] = {
        key: _number(key, given[key], kind, "a number")
        for key, kind in stop.items()
        if given.get(key, "").strip()
    }
    found = table | _further(given.get("further", ""))
    lines = [line for line in given.get("sliders", "").splitlines() if line.strip()]
    return found | {"sliders": [_slider(line) for line in lines]} if lines else found


def _slider(line: str) -> dict[str, object]:
    """A slider of a line: its name, and its lowest value, its highest and its step."""
    name, *rest = (part.strip() for part in line.split(","))
    words = "a name, the lowest and the highest value, and a step, with commas between them"
    if not name or len(rest) > 3:
        raise DataError(f"the form's field 'sliders' has {line!r}; expected {words}")
    values = [_number("sliders", part, float, words) for part in rest]
    return {"name": name, **dict(zip(("low", "high", "step"), values, strict=False))}


def _number(key: str, text: str, kind: type[int] | type[float], words: str) -> int | float:
    try:
        return kind(text)
    except ValueError as error:
        raise DataError(f"the form's field {key!r} is {text!r}; expected {words}") from error


def _further(text: str) -> dict[str, object]:
    """The keys of a plan that the form has no field for, as TOML."""
    found = further_keys(text)
    odd = [key for key in found if key not in FURTHER]
    if odd:
        known = ", ".join(FURTHER)
        raise DataError(f"the form's further keys have {odd[0]!r}; expected one of {known}")
    return found


def further_keys(text: str) -> dict[str, object]:
    """The keys of a plan that a field holds as TOML."""
    try:
        return toml_of(text.replace("\r\n", "\n"))
    except DataError as error:
        raise DataError(f"the form's further keys: {error}") from error
