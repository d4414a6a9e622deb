"""Campaigns of Pearmut: one JSON file with the settings and all texts, as a plan and a test set.

``info`` has the settings, ``data`` the documents (of the assignment task-based a list of documents
for every user), a document is a list of items ``{item_id, src, ref, tgt: {system: text}}``. A key
that has no counterpart here is named in a warning. A file of ``pearmut_export`` also has
``info.rankwise``, what Pearmut has no key for, so that it reads back equal.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks
from rankwise.io.formats.assessments.error_spans import WEIGHTS
from rankwise.io.formats.assessments.pearmut_answers import spans_in
from rankwise.io.parts.json_values import parse_object
from rankwise.server.campaign.plan.lessons import lesson_files
from rankwise.server.campaign.plan.other_tools.pearmut_assets import (
    hosted_files,
    lessons_with_media,
    untaken,
    with_media,
)
from rankwise.server.campaign.plan.other_tools.pearmut_lessons import LESSON_INFO, read_lessons
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans, given_spans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.size_limits import AssetLimits
from rankwise.server.campaign.plan.sources.media_files import NO_MEDIA, MediaFiles
from rankwise.server.campaign.plan.span_rules import Span
from rankwise.server.records import Json
from rankwise.types import Segment, TestSet

PROTOCOLS = {"DA": "esa", "ESA": "esa", "cESA": "esa", "MQM": "mqm"}
ASSIGNMENTS = ("task-based", "single-stream", "dynamic")
#: The key of ``info`` that holds what only Rankwise knows.
OWN = "rankwise"
#: What joins the domain, the document and the segment in the ids of WMT26.
_JOINT = "_###_"
_PAIR = re.compile(r"(?:^|[_:. ])([a-z]{2,3}(?:_[A-Za-z]{2,4})*)-([a-z]{2,3}(?:_[A-Za-z]{2,4})*)$")

#: Keys without a counterpart, and what happens instead.
_INFO = {
    "shuffle": "columns are always shuffled",
    "assets": "sources are shown as texts",
    "show_progress": "a judge sees how much is done",
    "show_model_names": "judges never see names of systems",
}
_ITEM = {
    "validation": "outputs to be judged have no rules",
    "skippable": "every screen may be skipped",
}
_PARTS = {
    "data_goodbye": "there is no work after the last document",
}
_LESSONS = ("data_welcome", "data_random")
#: What holds here anyway.
_AS_HERE = {"shuffle": True, "show_progress": True, "show_model_names": False}
_KNOWN_INFO = {
    "assignment", "protocol", "users", "seed", "dynamic_models", "word_level", "special_tokens",
    "mqm_categories", "mqm_severities", "instructions", "sliders", "textfield",
    "show_alignment", OWN, *LESSON_INFO,
}  # fmt: skip
_KNOWN_ITEM = {"item_id", "src", "ref", "tgt", "error_spans", "instructions"}
#: What the field for a text is for, by Pearmut's names.
_TEXT_FIELDS = {
    "hidden": "output_comments",
    "visible": "output_comments",
    "prefilled": "post_edits",
}


@dataclass(frozen=True, slots=True)
class PearmutCampaign:
    """The plan and the texts of a file, and one sentence for every key that was not taken over.

    ``given`` are the errors that judges begin with, ``media`` the files of segments.
    """

    plan: Plan
    testset: TestSet
    warnings: tuple[str, ...] = ()
    given: GivenSpans = field(default_factory=dict)
    media: MediaFiles = NO_MEDIA


def is_pearmut(path: StrPath) -> bool:
    """Whether a file is called like JSON: plans are TOML."""
    return name_of(path).lower().endswith(".json")


def read_pearmut(
    path: StrPath, *, language_pair: str | None = None, limits: AssetLimits | None = None
) -> PearmutCampaign:
    """The campaign of a file; *language_pair* where neither the file nor its id says it.

    The pictures, sounds and videos that it names are read where there are *limits* to them, and
    stay HTML otherwise: a file that somebody sent must not say what is read here.
    """
    name = name_of(path)
    content = parse_object("".join(block for _, block in read_blocks(path)), path, 1)
    if not {"info", "data", "campaign_id"} <= set(content):
        raise DataError(f"{name}: expected an object with campaign_id, info and data")
    info = content["info"]
    if not isinstance(info, Mapping):
        raise DataError(f"{name}: 'info' is no object; expected the settings of a campaign")
    every = list(_documents(content["data"], info, name))
    practice = [
        one for one in every if any(i.get("skippable") and i.get("validation") for i in one)
    ]
    documents = [one for one in every if one not in practice]
    if not documents:
        raise DataError(f"{name}: 'data' has no documents; expected at least one")
    own = info.get(OWN) or {}
    base = own.get("plan") or _languages(str(content["campaign_id"]), language_pair, name)
    lessons, left_out = read_lessons(content, own.get("plan") or {}, name, practice)
    keys = {**base, **_settings(content, documents, name), **lessons}
    plan = Plan.from_json(keys, where=name)
    testset = _testset(documents, plan, own, name)
    given, media = _given(documents, plan, testset, name), NO_MEDIA
    known = _KNOWN_INFO
    if limits is not None and "assets" in info:
        plan, testset, media = _media(plan, testset, info, Path(path).parent, limits, name)
        known = known | {"assets"}
    practised = [source for item in plan.lessons for source, _ in item.rows]
    left = untaken([*(segment.source for segment in testset.segments), *practised])
    warnings = (*_warnings(content, documents, known), *left_out, *left)
    return PearmutCampaign(plan, testset, warnings, given, media)


def _media(
    plan: Plan, testset: TestSet, info: Json, folder: Path, limits: AssetLimits, name: str
) -> tuple[Plan, TestSet, MediaFiles]:
    """The lessons and the texts without the HTML of files, and the files."""
    try:
        hosted = hosted_files(info["assets"], folder, limits)
        tutorial, checks = (lessons_with_media(i, hosted) for i in (plan.tutorial, plan.checks))
        testset, media = with_media(testset, hosted)
        of_lessons = tuple(hosted.known[name] for name in lesson_files((*tutorial, *checks)))
        media = replace(media, lessons=of_lessons)
        limits.check_campaign(media.size)
        return replace(plan, tutorial=tutorial, checks=checks), testset, media
    except DataError as error:
        raise DataError(f"{name}: {error}") from error


def _given(
    documents: Sequence[Sequence[Json]], plan: Plan, testset: TestSet, name: str
) -> GivenSpans:
    """The errors of items, in the form in which judges mark."""
    found: dict[tuple[str, str], list[Span]] = {}
    for item in (item for document in documents for item in document):
        marked = item.get("error_spans") or {}
        where = f"{name}: 'error_spans' of item {item['item_id']!r}"
        if not isinstance(marked, Mapping):
            raise DataError(f"{where} is no object; expected a list of errors by system")
        for system, spans in marked.items() if plan.spans.severities else ():
            if not isinstance(spans, list) or system not in item["tgt"]:
                raise DataError(f"{where} has {system!r}; expected a list for a system of 'tgt'")
            try:
                found[system, str(item["item_id"])] = spans_in(spans, item["tgt"][system])
            except DataError as error:
                raise DataError(f"{where}: {error}") from error
    try:
        return given_spans(found, plan.spans, testset)
    except DataError as error:
        raise DataError(f"{name}: {error}") from error


def _languages(campaign: str, given: str | None, name: str) -> dict[str, object]:
    found = _PAIR.search(given if given is not None else campaign)
    if found is None:
        raise DataError(
            f"{name}: nothing says the languages; expected a campaign_id that ends in a pair like "
            "cs-en, or --language-pair"
        )
    return {"source_language": found[1], "target_language": found[2]}


def _documents(data: object, info: Json, name: str) -> Iterator[list[dict[str, Any]]]:
    """The documents of all users, in their order."""
    assignment = info.get("assignment")
    if assignment not in ASSIGNMENTS:
        known = ", ".join(ASSIGNMENTS)
        raise DataError(f"{name}: 'assignment' is {assignment!r}; expected one of {known}")
    lists = data if assignment == "task-based" else [data]
    if not isinstance(lists, list):
        raise DataError(f"{name}: 'data' is no list; expected one of documents")
    for documents in lists:
        for document in documents if isinstance(documents, list) else [None]:
            yield _items(document, name)


def _items(document: object, name: str) -> list[dict[str, Any]]:
    if not isinstance(document, list) or not document:
        raise DataError(f"{name}: a document of 'data' is no list of items; expected one")
    if not all(isinstance(item, dict) for item in document):
        raise DataError(f"{name}: an item of 'data' is no object; expected one")
    for item in document:
        texts = item.get("tgt")
        if "item_id" not in item or not isinstance(item.get("src"), str):
            raise DataError(f"{name}: an item lacks item_id or the text src; expected both")
        if not isinstance(texts, dict) or not all(isinstance(t, str) for t in texts.values()):
            found = f"'tgt' of item {item['item_id']!r}"
            raise DataError(f"{name}: {found} is no object of texts; expected one by system")
    return document


def _settings(content: Json, documents: Sequence[Sequence[Json]], name: str) -> dict[str, object]:
    """The keys of a plan that the file says; what it does not say is left to the plan."""
    info = content["info"]
    kind = info.get("protocol")
    if kind not in PROTOCOLS:
        raise DataError(f"{name}: 'protocol' is {kind!r}; expected one of {', '.join(PROTOCOLS)}")
    most = max(len(item.get("tgt") or ()) for document in documents for item in document)
    found: dict[str, object] = {
        "name": str(content["campaign_id"]),
        "protocol": PROTOCOLS[kind],
        "k": info.get("dynamic_models", min(most, 6)),
        "judges": _users(info.get("users"), name),
    }
    if "seed" in info:
        found["seed"] = info["seed"]
    own = (info.get(OWN) or {}).get("plan") or {}
    if info.get("instructions") and info["instructions"] != own.get("instructions"):
        found["instructions"] = plain_text(str(info["instructions"]))
    found |= _further_keys(info, name)
    told = _told(documents, own)
    if told:
        found["domain_instructions"] = told
    spans = {**(own.get("spans") or {}), **_span_keys(info, kind, own)}
    return {**found, "spans": spans} if spans else found


def _span_keys(info: Json, kind: str, own: Json) -> dict[str, object]:
    """What the file says about marking errors; severities that are not known weigh 1."""
    found: dict[str, object] = {"severities": [], "weights": {}} if kind == "DA" else {}
    if "mqm_severities" in info:
        severities = [str(severity) for severity in info["mqm_severities"]]
        given = (own.get("spans") or {}).get("weights") or WEIGHTS["wmt24"]
        weights = {key: value for key, value in given.items() if key != "no-error"}
        missing = {s.lower(): 1.0 for s in severities if s.lower() not in weights}
        found |= {"severities": severities, "weights": {**weights, **missing}}
    if "mqm_categories" in info:
        found["categories"] = {name: list(kinds) for name, kinds in info["mqm_categories"].items()}
    if "special_tokens" in info:
        found["marks"] = list(info["special_tokens"])
    if "word_level" in info and OWN not in info:
        found["unit"] = "word" if info["word_level"] else "character"
    return found


def _further_keys(info: Json, name: str) -> dict[str, object]:
    """Sliders, the field for a text, and whether places light up."""
    found: dict[str, object] = {}
    kind = info.get("textfield")
    if kind is not None and kind not in _TEXT_FIELDS:
        known = ", ".join(_TEXT_FIELDS)
        raise DataError(f"{name}: 'textfield' is {kind!r}; expected one of {known}")
    if "textfield" in info and OWN not in info:
        found = {key: _TEXT_FIELDS.get(str(kind)) == key for key in set(_TEXT_FIELDS.values())}
    if "show_alignment" in info or OWN not in info:
        found["highlight"] = info.get("show_alignment", True)  # what it does by default
    if info.get("sliders") is not None:
        if not isinstance(info["sliders"], list):
            raise DataError(f"{name}: 'sliders' is {info['sliders']!r}; expected a list of them")
        found["sliders"] = [_slider(one, info, name) for one in info["sliders"]]
    return found


def _slider(one: Any, info: Json, name: str) -> dict[str, object]:
    if not isinstance(one, Mapping) or not {"name", "min", "max", "step"} <= set(one):
        raise DataError(f"{name}: a slider is {one!r}; expected name, min, max and step")
    own = ((info.get(OWN) or {}).get("plan") or {}).get("sliders") or ()
    anchors = next((s.get("anchors") for s in own if s.get("name") == one["name"]), None) or []
    values = {"low": one["min"], "high": one["max"], "step": one["step"]}
    return {"name": one["name"], **values, "anchors": anchors}


def _told(documents: Sequence[Sequence[Json]], own: Json) -> dict[str, str]:
    """Instructions above documents, where all of a domain have the same."""
    told: dict[str, set[str]] = {}
    for document in documents:
        words = str(document[0].get("instructions") or "")
        told.setdefault(_domain(str(document[0]["item_id"])) or "", set()).add(words)
    known = own.get("domain_instructions") or {}
    found = {domain: plain_text(*words) for domain, words in told.items() if len(words) == 1}
    return {} if known else {domain: text for domain, text in found.items() if domain and text}


def _users(users: object, name: str) -> list[str]:
    """The names of judges; a number stands for so many without a name of their own."""
    if users is None:
        return []
    if type(users) is int and 0 <= users <= 10_000:
        return [f"user {number}" for number in range(1, users + 1)]
    if not isinstance(users, list):
        raise DataError(f"{name}: 'users' is {users!r}; expected a number or a list")
    return [str(user["user_id"] if isinstance(user, dict) else user) for user in users]


def _testset(documents: Iterable[Sequence[Json]], plan: Plan, own: Json, name: str) -> TestSet:
    segments: dict[str, Segment] = {}
    outputs: dict[str, dict[str, str]] = {system: {} for system in own.get("systems", ())}
    known = own.get("segments") or {}
    for document in documents:
        first = str(document[0].get("item_id"))
        for item in document:
            segment = _segment(item, first, known)
            old = segments.setdefault(segment.id, segment)
            if old.source != segment.source:
                raise DataError(f"{name}: item {segment.id!r} has two different sources")
            for system, text in item["tgt"].items():
                outputs.setdefault(system, {})[segment.id] = text
    columns = {
        system: tuple(texts.get(key) for key in segments) for system, texts in outputs.items()
    }
    return TestSet(tuple(segments.values()), columns, plan.name, *plan.languages)


def _segment(item: Json, first: str, known: Json) -> Segment:
    key, source = str(item["item_id"]), item["src"]
    if key in known:
        document, domain, references, names = known[key]
        return Segment(key, source, tuple(references), document, domain, tuple(names))
    references = (str(item["ref"]),) if item.get("ref") else ()
    document = key.rpartition(_JOINT)[0] if _JOINT in key else first
    return Segment(key, source, references, document, _domain(key))


def _domain(item: str) -> str | None:
    return item.partition(_JOINT)[0] if _JOINT in item else None


def _warnings(
    content: Json, documents: Sequence[Sequence[Json]], known: Collection[str]
) -> Iterator[str]:
    """One sentence for every key that has no counterpart."""
    info = content["info"]
    for key in content:
        if key in _PARTS and content[key]:
            yield f"{key!r} ({len(content[key])} documents) is not taken over: {_PARTS[key]}"
        elif key not in {*_PARTS, *_LESSONS, "campaign_id", "info", "data"}:
            yield f"{key!r} is not known and not taken over"
    for key in info:
        if key not in known and info[key] is not _AS_HERE.get(key, info):
            why = _INFO.get(key, "it is not known")
            yield f"'info.{key}' is not taken over: {why}"
    if OWN not in info and info["assignment"] != "dynamic":
        yield f"the assignment {info['assignment']!r} is not kept: screens are chosen as work goes"
    for severity in info.get("mqm_severities", ()):
        if OWN not in info and str(severity).lower() not in WEIGHTS["wmt24"]:
            yield f"severity {severity!r} of 'info.mqm_severities' weighs 1: no weight is known"
    if "<" in str(info.get("instructions", "")) and OWN not in info:
        yield "'info.instructions' is taken over as text, without its HTML"
    if OWN not in info and info.get("sliders"):
        yield "'info.sliders' are asked beside the score or the errors, not in their place"
    if OWN not in info:
        yield from _untold(documents)
    counts: dict[str, int] = {}
    for item in (item for document in documents for item in document):
        for key in item:
            if key not in _KNOWN_ITEM:
                counts[key] = counts.get(key, 0) + 1
    for key, count in counts.items():
        why = _ITEM.get(key, "it is not known")
        yield f"{key!r} of {count} items is not taken over: {why}"


def _untold(documents: Sequence[Sequence[Json]]) -> Iterator[str]:
    """A sentence where instructions of items are not shown."""
    told = _told(documents, {})
    lost = sum(
        bool(item.get("instructions")) and (place > 0 or _domain(str(item["item_id"])) not in told)
        for document in documents
        for place, item in enumerate(document)
    )
    if lost:
        why = "they are for whole domains, as the ids of items name them"
        yield f"'instructions' of {lost} items is not taken over: {why}"


class _Text(HTMLParser):
    """Collects the text of HTML; blocks become paragraphs."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A block begins a paragraph, a point of a list a line with a mark."""
        del attrs
        blocks = {"p": "\n\n", "div": "\n\n", "ul": "\n\n", "ol": "\n\n", "br": "\n", "li": "\n- "}
        self.parts.append(blocks.get(tag, ""))

    def handle_data(self, data: str) -> None:
        """Text stays."""
        self.parts.append(data)


def plain_text(html: str) -> str:
    r"""HTML as text with empty lines between paragraphs; what is no HTML stays as it is.

    >>> plain_text("<p>Mark <b>every</b> error.</p><ul><li>minor</li></ul>")
    'Mark every error.\n\n- minor'
    """
    if not re.search(r"<[a-zA-Z/]", html):
        return html
    parser = _Text()
    parser.feed(html)
    parser.close()
    return re.sub(r"\n(\s*\n)+", "\n\n", "".join(parser.parts)).strip()
