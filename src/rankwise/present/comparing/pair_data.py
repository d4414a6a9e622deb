"""Segments of systems as the script of a page reads them: texts, scores, who wrote what."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.comparing.every_pair import PairSummary
from rankwise.evaluate.segment_groups import length_weights, words_of_segments
from rankwise.text.languages import Language, target_language_of
from rankwise.text.word_differences import pieces_of
from rankwise.types import TestSet

#: Characters of texts that a page may hold.
CHARACTERS = 3_000_000
_LENGTH = 0x5D  # a piece of so many units is written as this character and so many on


@dataclass(frozen=True, slots=True, eq=False)
class PairMetric:
    """What one metric says: ``scores[s, i]`` of every system and segment, nan where there is none.

    ``digits`` are those behind the point, ``tests`` what pairs of systems have by it.
    """

    name: str
    higher_is_better: bool
    digits: int
    scores: NDArray[np.float64]
    tests: Mapping[tuple[int, int], PairSummary]


def within_room(
    testset: TestSet | None, places: Iterable[int], room: int = CHARACTERS
) -> list[int]:
    """As many of the first *places* as have *room*, in characters of texts; at least one."""
    if testset is None:
        return list(places)
    kept: list[int] = []
    for place in places:
        segment = testset.segments[place]
        texts = {testset.outputs[system][place] or "" for system in testset.systems}
        room -= len(segment.source) + sum(map(len, (*segment.references, *texts)))
        if kept and room < 0:
            break
        kept.append(place)
    return kept


def pair_data(
    systems: Sequence[str],
    ids: Sequence[str],
    metrics: Sequence[PairMetric],
    testset: TestSet | None,
    places: Sequence[int],
) -> dict[str, Any]:
    """What ``PairView`` holds, of the segments at *places*."""
    return {
        "systems": list(systems),
        "metrics": [
            {"name": m.name, "sign": 1 if m.higher_is_better else -1, "digits": m.digits}
            for m in metrics
        ],
        "ids": [ids[place] for place in places],
        "places": list(places),
        "scores": [_rounded(metric.scores[:, places], metric.digits) for metric in metrics],
        "tests": _tests(metrics),
        **_texts(systems, testset, places),
    }


def _texts(
    systems: Sequence[str], testset: TestSet | None, places: Sequence[int]
) -> dict[str, Any]:
    if testset is None:
        empty: list[Any] = [[] for _ in places]
        nothing = [None] * len(places)
        return {
            "domains": nothing, "documents": nothing, "words": nothing,
            "weights": [1] * len(places), "sources": [""] * len(places), "references": empty,
            "texts": [[["", ""]] for _ in places], "outputs": [[0] * len(systems) for _ in places],
            "languages": ["", ""],
        }  # fmt: skip
    language = target_language_of(testset)
    segments = [testset.segments[place] for place in places]
    counted = words_of_segments(testset, language)
    weights = length_weights(counted) if any(counted) else np.ones(len(counted))
    shared = [_shared(testset, systems, place, language) for place in places]
    return {
        "domains": [segment.domain for segment in segments],
        "documents": [segment.document for segment in segments],
        "words": [round(counted[place], 1) for place in places],
        "weights": [round(float(weights[place]), 4) for place in places],
        "sources": [segment.source for segment in segments],
        "references": [[cut_text(r, language) for r in s.references] for s in segments],
        "texts": [texts for texts, _ in shared],
        "outputs": [whose for _, whose in shared],
        "languages": [testset.source_language, language.code],
    }


def _shared(
    testset: TestSet, systems: Sequence[str], place: int, language: Language
) -> tuple[list[list[str]], list[int]]:
    """The different outputs of a segment, and which of them every system gave."""
    outputs = [testset.outputs[system][place] or "" for system in systems]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(outputs))}
    return [cut_text(text, language) for text in numbers], [numbers[text] for text in outputs]


def cut_text(text: str, language: Language | None = None) -> list[str]:
    """A text, and the lengths of its pieces (words with the space behind them), a character each.

    The lengths are those that scripts count, two of an emoji.

    >>> cut_text("A cat.")
    ['A cat.', '_`^']
    """
    sizes = [len(piece.encode("utf-16-le")) // 2 for piece in pieces_of(text, language)]
    return [text, "".join(chr(_LENGTH + size) for size in sizes)]


def _rounded(scores: NDArray[np.float64], digits: int) -> list[list[float | None]]:
    return [
        [None if math.isnan(value) else round(value, digits + 1) for value in row]
        for row in scores.tolist()
    ]


def _tests(metrics: Sequence[PairMetric]) -> dict[str, list[list[float | None] | None]]:
    pairs = dict.fromkeys(pair for metric in metrics for pair in metric.tests)
    return {
        f"{one},{two}": [_summary(metric.tests.get((one, two))) for metric in metrics]
        for one, two in pairs
    }


def _summary(found: PairSummary | None) -> list[float | None] | None:
    if found is None:
        return None
    numbers = (found.first, found.second, found.low, found.high, found.p_value)
    needed = math.ceil(found.needed) if math.isfinite(found.needed) else None
    return [*(None if math.isnan(one) else round(one, 6) for one in numbers), needed]
