"""The check list before launch: what is there, what will surprise judges, what it will cost."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.server.campaign.ask.chooser import control_screen
from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.ask.looks import Looks, looks
from rankwise.server.campaign.launch.estimate import Estimate, estimate
from rankwise.server.campaign.launch.suspicions import TEXT_CHECKS, SuspectText, counted
from rankwise.server.campaign.launch.system_names import SystemNames
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import TestSet
from rankwise.types.named import parse

Level = Literal["error", "warning", "info"]
#: A code of BCP 47, as far as its shape goes; an underscore is what many files have.
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One line of the list; *where* are up to five places, as (segment, system)."""

    level: Level
    message: str
    code: str
    count: int = 0
    where: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckList:
    """What was found; a campaign with an error cannot be launched."""

    findings: tuple[CheckFinding, ...]
    counts: dict[str, int]
    estimate: Estimate

    @property
    def can_launch(self) -> bool:
        """Whether there is no error."""
        return all(finding.level != "error" for finding in self.findings)

    @property
    def numbers(self) -> tuple[tuple[str, str], ...]:
        """Counts and estimates as (words, value) for people."""
        counts, found = self.counts, self.estimate
        price = "" if found.cost is None else f", {found.cost:,.2f} {found.currency}"
        lines = [
            ("Segments", f"{counts['segments']:,}"),
            ("Systems", f"{counts['systems']:,}"),
            ("References", f"{counts['references']:,}"),
            ("Documents", f"{counts['documents']:,}"),
            ("Outputs", f"{counts['outputs']:,}, {counts['distinct']:,} of them distinct"),
            ("Judges", f"{counts['judges']:,}"),
            ("Tutorial items", f"{counts['tutorial']:,}"),
            ("Goal", found.goal),
            ("Screens to reach it", f"about {found.judgments:,}, repeats and controls among them"),
            ("Working time", f"about {found.hours:,.1f} hours{price}"),
        ]
        if counts["media"]:
            words = ("Segments with a picture, sound or video", f"{counts['media']:,}")
            lines.insert(1, words)
        if found.per_judge is not None:
            lines.append(("Screens for each judge", f"about {found.per_judge:,}"))
        return tuple(lines)

    def to_json(self) -> dict[str, object]:
        """The list as JSON values."""
        return {**asdict(self), "can_launch": self.can_launch}


def check(
    plan: Plan,
    testset: TestSet,
    *,
    judges: int | None = None,
    media: Collection[int] = (),
) -> CheckList:
    """Everything that can be said about a campaign before anybody sees it.

    *judges* is how many there are, where more is known than the names in the plan. *media* are the
    places of segments that have a picture, sound or video, and need no source text.
    """
    found = looks(testset)
    asked = windows(testset, plan.window).testset if plan.rules.is_document else testset
    people = len(plan.judges) if judges is None else judges
    counts = {
        "segments": len(testset),
        "systems": len(testset.systems),
        "references": max((len(s.references) for s in testset.segments), default=0),
        "documents": len({s.document for s in testset.segments} - {None}),
        "outputs": int((found.codes >= 0).sum()),
        "missing": int((found.codes < 0).sum()),
        "distinct": int((found.codes == np.arange(len(testset.systems))).sum()),
        "judges": people,
        "tutorial": len(plan.tutorial),
        "media": len(media),
    }
    findings = [
        *_shape(plan, testset, counts),
        *_missing(testset, found),
        *_documents(plan, testset, counts, len(asked)),
        *_identical(plan, looks(asked)),
        *_texts(testset, media),
    ]
    if all(finding.level != "error" for finding in findings):
        findings += _controls(plan, testset)
    order = ("error", "warning", "info")
    findings.sort(key=lambda finding: order.index(finding.level))
    segments = len(testset) / max(len(asked), 1)
    cost = estimate(plan, len(testset.systems), judges=people, segments=segments)
    return CheckList(tuple(findings), counts, cost)


def _shape(plan: Plan, testset: TestSet, counts: dict[str, int]) -> Iterator[CheckFinding]:
    """Whether the plan and the test set fit together at all."""
    if not counts["segments"]:
        yield CheckFinding("error", "The test set has no segments.", "no-segments")
    least = 1 if plan.rules.is_scalar else 2
    if counts["systems"] < least:
        there = "is 1 system" if counts["systems"] == 1 else f"are {counts['systems']} systems"
        message = f"There {there}; {plan.protocol} needs {least} or more."
        yield CheckFinding("error", message, "few-systems", counts["systems"])
    elif counts["systems"] < plan.k:
        message = f"Screens will have {counts['systems']} texts: there are no {plan.k} systems."
        yield CheckFinding("warning", message, "small-screens", counts["systems"])
    if not counts["media"] and not any(one.source.strip() for one in testset.segments):
        yield CheckFinding("error", "No segment has a source text.", "no-source")
    wanted = getattr(parse(plan.strategy, STRATEGIES), "system", "")
    if wanted and wanted not in testset.systems:
        message = f"The strategy asks about {wanted!r}, and no system is called so."
        yield CheckFinding("error", message, "no-such-system")
    if not counts["references"] and (plan.show_reference or plan.control_kind == "reference"):
        if plan.show_reference:
            yield CheckFinding(
                "error", "The reference is to be shown, but there is none.", "no-reference"
            )
        if plan.control_kind == "reference" and plan.control_share:
            message = "Controls are to show the reference, but there is none."
            yield CheckFinding("error", message, "no-reference")
    if plan.show_reference and plan.control_kind == "reference" and plan.control_share:
        message = "The reference is shown, so that controls of the reference show the same twice."
        yield CheckFinding("error", message, "reference-twice")
    odd = [name for name in testset.systems if "#" in name or not name.strip()]
    if odd:
        message = f"System names may not hold '#', which marks controls in results: {odd[0]!r}."
        yield CheckFinding("error", message, "odd-name", len(odd))
    for name, code in zip(("source", "target"), plan.languages, strict=True):
        if not _LANGUAGE.fullmatch(code):
            message = f"The {name} language is {code!r}; expected a code such as de or zh-Hans, "
            message += "which chooses the font and the direction of writing."
            yield CheckFinding("warning", message, "odd-language", 1)
    if not counts["judges"]:
        yield CheckFinding("info", "Nobody is to be invited yet.", "no-judges")


def _documents(
    plan: Plan, testset: TestSet, counts: dict[str, int], screens: int
) -> Iterator[CheckFinding]:
    """What becomes of documents where screens are made of them."""
    if not plan.rules.is_document or not len(testset):
        return
    if not counts["documents"]:
        message = "No segment names its document, so that every screen has a single segment."
        yield CheckFinding("warning", message, "no-documents", len(testset))
    whole = len(windows(testset, len(testset)).testset)
    if screens > whole:
        message = f"Documents of more than {plan.window} segments are shown in parts: "
        message += f"{whole:,} documents make {screens:,} screens."
        yield CheckFinding("info", message, "parts", screens)


def _controls(plan: Plan, testset: TestSet) -> Iterator[CheckFinding]:
    """Whether there will be controls at all; *testset* has what they are made of."""
    if plan.control_kind == "own" or not plan.control_share:
        return  # the organiser's own are in the plan
    if control_screen(plan, testset, seed=plan.seed) is None:
        why = {
            "degraded": "no output was found in which words can be replaced",
            "rotated": "no output was found in which words can change places",
            "reference": "no segment was found in which no output equals the reference",
        }
        message = f"Judges get no controls: {why[plan.control_kind]}."
        yield CheckFinding("warning", message, "no-controls")


def _missing(testset: TestSet, found: Looks) -> Iterator[CheckFinding]:
    rows, columns = np.nonzero(found.codes < 0)
    if len(rows):
        where = _places(found, rows, columns)
        message = counted(len(rows), "output is missing", "outputs are missing")
        message += "; what is missing is never shown."
        yield CheckFinding("warning", message, "missing", len(rows), where)
    for name, texts in testset.outputs.items():
        if texts and all(text is None for text in texts):
            yield CheckFinding(
                "error", f"System {name!r} has no output at all.", "no-output", len(texts)
            )


def _places(
    found: Looks, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> tuple[tuple[str, str], ...]:
    cells = zip(rows[:5].tolist(), columns[:5].tolist(), strict=True)
    return tuple((found.segments[row], found.systems[column]) for row, column in cells)


def _identical(plan: Plan, found: Looks) -> Iterator[CheckFinding]:
    """Outputs that look the same are shown once; where all do, there is nothing to rank."""
    numbers = np.arange(len(found.systems))
    is_copy = (found.codes >= 0) & (found.codes != numbers)
    segments = np.flatnonzero(is_copy.any(axis=1))
    if len(segments):
        rows, columns = np.nonzero(is_copy)
        message = (
            f"{int(is_copy.sum()):,} outputs in {len(segments):,} of {len(found.segments):,} "
            "segments look the same as another system's; each such text is shown once for all of "
            "them."
        )
        where = _places(found, rows, columns)
        yield CheckFinding("info", message, "identical", int(is_copy.sum()), where)
    same = (found.codes == numbers).sum(axis=1) < 2
    if same.any() and len(found.systems) > 1:
        rows = np.flatnonzero(same)
        message = counted(len(rows), "segment has", "segments have")
        message += " a single text from all systems"
        where = tuple((found.segments[row], "") for row in rows[:5].tolist())
        if plan.rules.is_scalar:
            message += ", which tells none from another."
            yield CheckFinding("info", message, "one-text", len(rows), where)
        else:
            message += " and cannot be ranked."
            yield CheckFinding("warning", message, "one-text", len(rows), where)


def _texts(testset: TestSet, media: Collection[int]) -> Iterator[CheckFinding]:
    """One finding for every kind of suspicion about outputs or sources."""
    systems = SystemNames(testset.systems)
    counts = dict.fromkeys(TEXT_CHECKS, 0)
    names: Counter[str] = Counter()
    where: dict[str, list[tuple[str, str]]] = {name: [] for name in TEXT_CHECKS}
    columns = [("", [segment.source for segment in testset.segments]), *testset.outputs.items()]
    for system, texts in columns:
        for place, (segment, text) in enumerate(zip(testset.segments, texts, strict=True)):
            is_shown = not system and place in media  # what is seen or heard needs no text
            if text is None or (is_shown and not text.strip()):
                continue
            for name in SuspectText(text, segment, is_output=bool(system)).reasons(systems):
                counts[name] += 1
                if name == "names-system":
                    names.update(set(systems.found(text)))
                if len(where[name]) < 5:
                    where[name].append((segment.id, system))
    for name, (level, message) in TEXT_CHECKS.items():
        if counts[name]:
            sentence = counted(counts[name], *message)
            if name == "names-system":
                sentence += f" Found: {_most(names)}."
            yield CheckFinding(level, sentence, name, counts[name], tuple(where[name]))


def _most(names: Counter[str]) -> str:
    """The five names found most, and in how many texts."""
    first = sorted(names.items(), key=lambda pair: (-pair[1], pair[0]))[:5]
    return ", ".join(f"{word!r} in {count:,}" for word, count in first)
