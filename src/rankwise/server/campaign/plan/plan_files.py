"""Plans and test sets from files, and the bundled example as a plan that is ready to run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankwise.bundled import example
from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.parts.place_lines import with_places
from rankwise.io.study import study_of
from rankwise.io.study_files import StudyFiles
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.lessons import TutorialItem, lesson_files
from rankwise.server.campaign.plan.other_tools.appraise_batches import read_batches
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans, read_given
from rankwise.server.campaign.plan.plan import Plan, StopRule, Texts
from rankwise.server.campaign.plan.plan_keys import toml_of
from rankwise.server.campaign.plan.size_limits import USUAL_ASSETS, AssetLimits
from rankwise.server.campaign.plan.sources.media_files import (
    NO_MEDIA,
    MediaFiles,
    asset_file,
    read_media,
)
from rankwise.types import TestSet

#: The format of Appraise's batches, besides those that ``io`` reads.
BATCHES = "appraise-batches"


def read_plan(path: StrPath) -> Plan:
    """The plan of a TOML file; every error names the file and the key."""
    return Plan.from_json(read_keys(path), where=name_of(path))


def read_keys(path: StrPath) -> dict[str, Any]:
    """The keys of a TOML file as they stand."""
    name = name_of(path)
    try:
        return toml_of(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: byte {error.start} is no UTF-8; expected a TOML file") from error
    except DataError as error:
        raise DataError(f"{name}: {error}") from error


def load_testset(plan: Plan, folder: StrPath) -> TestSet:
    """The test set of a plan whose paths are relative to *folder*.

    One file or folder in any format of test sets, batches of Appraise (``appraise-batches``), or a
    source with parallel references and outputs. Languages and name are the plan's.
    """
    texts, root = plan.texts, Path(folder)
    if not texts.source:
        raise DataError("the plan's 'texts.source' is missing; expected a file of texts")
    found = _read(texts, root)
    return replace(
        found,
        name=plan.name,
        source_language=plan.source_language,
        target_language=plan.target_language,
    )


def load_given(plan: Plan, testset: TestSet, folder: StrPath) -> GivenSpans:
    """The errors that the plan's ``texts.spans`` gives judges to begin with; none without it."""
    path = plan.texts.spans
    if not path:
        return {}
    if not isinstance(plan.rules, Documented) or not plan.spans.severities:
        raise DataError("the plan's 'texts.spans' needs a protocol that marks errors: esa or mqm")
    return read_given(_place(path, Path(folder), "spans"), plan.spans, testset)


def load_media(
    plan: Plan, testset: TestSet, folder: StrPath, limits: AssetLimits = USUAL_ASSETS
) -> MediaFiles:
    """The files of segments that ``texts.media`` lists, and those that lessons name."""
    found = _media_of_segments(plan, testset, folder, limits)
    names = lesson_files(plan.lessons)
    if not names:
        return found
    if not plan.texts.assets:
        where = "expected the folder where it is as 'texts.assets'"
        raise DataError(f"the plan's tutorial or checks show the file {names[0]!r}; {where}")
    assets = _place(plan.texts.assets, Path(folder), "assets")
    lessons = tuple(asset_file(assets, name, limits) for name in names)
    media = replace(found, limits=limits, lessons=lessons)
    limits.check_campaign(media.size)
    return media


def _media_of_segments(
    plan: Plan, testset: TestSet, folder: StrPath, limits: AssetLimits
) -> MediaFiles:
    texts, root = plan.texts, Path(folder)
    if not texts.media:
        return NO_MEDIA
    assets = _place(texts.assets, root, "assets")
    return read_media(_place(texts.media, root, "media"), assets, len(testset), limits)


def load_more(
    plan: Plan,
    path: StrPath,
    spans: StrPath | None = None,
    limits: AssetLimits = USUAL_ASSETS,
) -> tuple[TestSet, GivenSpans, MediaFiles]:
    """Further texts for a campaign of *plan*, the errors given in them, and their files.

    *path* is a test set in any format, or TOML with a table ``texts`` as a plan has it. *spans* has
    errors that a machine marked.
    """
    file = Path(path)
    if file.suffix.lower() != ".toml":
        keys: dict[str, Any] = {"source": file.name}
    elif isinstance(found := read_keys(file).get("texts"), dict):
        keys = found
    else:
        raise DataError(f"{name_of(path)}: expected a table 'texts', as a plan has it")
    if spans is not None:
        keys = keys | {"spans": str(Path(spans).absolute())}
    return texts_of(plan, keys, file.parent, limits)


def texts_of(
    plan: Plan, keys: Mapping[str, Any], folder: StrPath, limits: AssetLimits = USUAL_ASSETS
) -> tuple[TestSet, GivenSpans, MediaFiles]:
    """The texts that the *keys* of a table ``texts`` name, in the languages of *plan*."""
    asked = Plan.from_json(plan.to_json() | {"texts": dict(keys)}, where="the texts")
    testset = load_testset(asked, folder)
    given = load_given(asked, testset, folder)
    return testset, given, _media_of_segments(asked, testset, folder, limits)


def given_of_system(
    plan: Plan,
    testset: TestSet,
    system: str,
    outputs: Sequence[str | None],
    path: StrPath | None,
) -> GivenSpans:
    """The errors that *path* gives in the *outputs* of one system alone; none without it."""
    if path is None:
        return {}
    alone = replace(testset, outputs={system: tuple(outputs)})
    keys = {**plan.to_json(), "texts": {"source": "-", "spans": str(Path(path).absolute())}}
    return load_given(Plan.from_json(keys), alone, "")


def example_plan() -> Plan:
    """The bundled example as a campaign: rank five of eight systems, German to English."""
    tutorial = TutorialItem(
        "Das Museum ist montags geschlossen.",
        (
            "The museum is closed on Mondays.",
            "The museum is Mondays shut.",
            "The museum is open on Mondays.",
        ),
        {"ranks": [1, 2, 3]},
        "The first says it well. The second has the meaning in bad English. The third reads well "
        "but says the opposite, which is worse.",
    )
    return replace(
        Plan.from_json(
            {"name": "Example", "source_language": "de", "target_language": "en", "sitting": 20}
        ),
        tutorial=(tutorial,),
        stop=StopRule(max_judgments=600, boundary_support=0.95),
    )


def example_campaign() -> tuple[Plan, TestSet]:
    """The plan and the test set of the bundled example."""
    plan = example_plan()
    return plan, replace(example().testset, name=plan.name)


def _read(texts: Texts, root: Path) -> TestSet:
    places = _place(texts.documents, root, "documents") if texts.documents else None
    source = _place(texts.source, root, "source")
    if texts.format == BATCHES:
        found = read_batches(source)
        return found if places is None else with_places(found, places)
    files = StudyFiles(
        testset=source,
        format=texts.format or None,
        references=_named(texts.references, root, "references"),
        outputs=_named(texts.outputs, root, "outputs"),
        documents=places,
        human_systems=True,  # people are to judge them, whoever wrote them
    )
    study = study_of(files, unpacks=False)
    assert study.texts is not None
    return study.texts


def _named(files: tuple[tuple[str, str], ...], root: Path, key: str) -> dict[str, Path]:
    """Files by name; a pattern stands for the files that it matches, by their own names."""
    found: dict[str, Path] = {}
    for name, path in files:
        is_pattern = set(path) & set("*?[")
        paths = _matching(path, root, key) if is_pattern else [_place(path, root, key)]
        if not paths:
            raise DataError(f"the plan's 'texts.{key}' has {path!r}, which matches no file")
        for one in paths:
            label = name or stem_of(one)
            if label in found:
                raise DataError(f"the plan's 'texts.{key}' has two files called {label!r}")
            found[label] = one
    return found


def _place(path: str, root: Path, key: str) -> Path:
    """Where a file of the plan is."""
    if "\0" in path:
        raise DataError(f"the plan's 'texts.{key}' has {path!r}; a file's name cannot hold a NUL")
    return root / path


def _matching(pattern: str, root: Path, key: str) -> list[Path]:
    """The files that a pattern matches, which may begin at the root of the system."""
    place = _place(pattern, root, key)
    folder = Path(place.anchor) if Path(pattern).is_absolute() else root
    try:
        return sorted(folder.glob(str(place.relative_to(folder))))
    except ValueError as error:
        raise DataError(f"the plan's 'texts.{key}' has {pattern!r}, which is no pattern") from error
