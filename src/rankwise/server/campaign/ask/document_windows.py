"""Documents as screens: the segments of one from top to bottom, the same systems in every row.

A document is a run of neighbouring segments with the same document's name; a segment that names
none is a document of its own. One that is longer than the plan's ``window`` is cut into parts of
equal size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np

from rankwise.server.campaign.ask.controls import spoilt
from rankwise.server.campaign.ask.looks import Looks, look, looks
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import PlannedScreen, Slot
from rankwise.types import Segment, TestSet

_BETWEEN = "\n\0"  # no text on a page has it


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """What is judged at one go: ``places[i]`` are the places of its segments in the test set.

    ``testset`` has a segment for every window, called by its first one; an output is there if
    every segment has one.
    """

    places: tuple[range, ...]
    testset: TestSet

    def names(self, number: int, testset: TestSet) -> tuple[str, ...]:
        """The segments of a window."""
        return tuple(testset.segments[place].id for place in self.places[number])


def windows(testset: TestSet, size: int) -> Windows:
    """The windows of a test set, at most *size* segments each; those of the last few are kept."""
    key = (id(testset), size)
    kept = _KEPT.get(key)
    if kept is None or kept[0] is not testset:
        kept = _KEPT[key] = (testset, _windows(testset, size))
        for old in list(_KEPT)[:-_MOST_KEPT]:
            _KEPT.pop(old, None)
    return kept[1]


def _windows(testset: TestSet, size: int) -> Windows:
    places = tuple(_runs(testset.segments, size))
    segments = tuple(testset.segments[part[0]] for part in places)
    outputs = {
        name: tuple(_joined([texts[place] for place in part]) for part in places)
        for name, texts in testset.outputs.items()
    }
    languages = (testset.source_language, testset.target_language)
    return Windows(places, TestSet(segments, outputs, testset.name, *languages))


def _runs(segments: Sequence[Segment], size: int) -> Iterator[range]:
    numbered = groupby(range(len(segments)), lambda place: segments[place].document or ("", place))
    for _, run in numbered:
        whole = list(run)
        for part in np.array_split(whole, -(-len(whole) // size)):
            yield range(int(part[0]), int(part[-1]) + 1)


def _joined(texts: Sequence[str | None]) -> str | None:
    found = [text for text in texts if text is not None]
    return _BETWEEN.join(found) if len(found) == len(texts) else None


# By identity, as the looks of a test set are kept.
_KEPT: dict[tuple[int, int], tuple[TestSet, Windows]] = {}
_MOST_KEPT = 8


def document_control(
    plan: Plan, testset: TestSet, seed: int, *, tries: int
) -> PlannedScreen | None:
    """A document with a control in one of its columns; ``None`` where the test set allows none.

    ``degraded``: every segment of one system's column is spoilt (see ``controls.degraded``), with
    the column itself beside it where there are several; ``rotated``
    likewise. ``reference``: a column of references.
    """
    found, random = windows(testset, plan.window), np.random.default_rng((seed, 2))
    seen = looks(found.testset)
    is_reference = plan.control_kind == "reference"
    make = _reference if is_reference else partial(_spoilt_column, plan.control_kind)
    best: PlannedScreen | None = None
    for _ in range(tries if len(found.places) else 0):
        number = int(random.integers(len(found.places)))
        groups = seen.groups(number)
        codes = [list(groups)[i] for i in random.permutation(len(groups)).tolist()]
        if not codes:
            continue
        control = make(testset, found, number, seen.systems[codes[0]], random)
        if control is None or _shows(found, number, control):
            continue
        size = min(plan.k, len(groups))
        others = codes if control.role == "BAD" else codes[1:]
        slots = (control, *(_column(seen, groups[code]) for code in others[: size - 1]))
        payload = {"segments": list(found.names(number, testset))}
        if best is None or len(slots) > len(best.slots):
            name = payload["segments"][0]
            best = PlannedScreen(
                name, slots, "control", strategy=plan.control_kind, seed=seed, payload=payload
            )
        if len(best.slots) == min(plan.k, len(seen.systems)):
            break
    return best


def _column(seen: Looks, systems: Sequence[int]) -> Slot:
    return Slot(tuple(seen.systems[system] for system in systems))


def _shows(found: Windows, number: int, control: Slot) -> bool:
    """Whether a column of the document looks like the control."""
    text = look(_BETWEEN.join(control.texts or ()))
    outputs = (texts[number] for texts in found.testset.outputs.values())
    return text in {look(output) for output in outputs if output is not None}


def _spoilt_column(
    kind: str,
    testset: TestSet,
    found: Windows,
    number: int,
    system: str,
    random: np.random.Generator,
) -> Slot | None:
    if len(testset) < 2:
        return None
    outputs, language, texts = testset.outputs[system], testset.target_language or "", []
    for place in found.places[number]:
        text = outputs[place] or ""
        other = (place + 1 + int(random.integers(len(testset) - 1))) % len(testset)
        donor, draw = outputs[other] or "", int(random.integers(2**31))
        if kind == "rotated" or (text.strip() and donor.strip()):
            text = spoilt(kind, text, donor, language=language, seed=draw)
        texts.append(text)
    return Slot((system,), "BAD", texts=tuple(texts))


def _reference(
    testset: TestSet, found: Windows, number: int, system: str, random: np.random.Generator
) -> Slot | None:
    del system, random
    segments = [testset.segments[place] for place in found.places[number]]
    texts = [segment.references[0] if segment.references else "" for segment in segments]
    return Slot((), "REF", texts=tuple(texts)) if all(text.strip() for text in texts) else None
