"""Human judgments beside the scores of a machine: the same systems, segments and documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.proxies.powered_wins import Contests
from rankwise.aggregate.scalar.judged_values import (
    DOCUMENT,
    Codes,
    Floats,
    JudgedValues,
    counted_rows,
    numbered,
)
from rankwise.errors import DataError
from rankwise.types import Assessments, Judgments, ScoreTable
from rankwise.types.score_table import must_count_alike

Documents = Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPlaces:
    """What a machine says of all systems on M segments, and where judgments stand among them.

    ``scores`` are (S, M); ``place`` is the segment of every judgment; ``document`` (M,) numbers the
    documents as the judgments do, with higher numbers where nobody judged. ``left_out`` counts
    judgments of segments that the machine did not score for every system, and ``unplaced``
    segments without judgment of which nobody says the document.
    """

    systems: tuple[str, ...]
    name: str
    scores: Floats
    place: Codes
    document: Codes
    unplaced: int
    left_out: int
    has_documents: bool
    judges: int

    @property
    def unscored(self) -> tuple[str, ...]:
        """The systems that people judged and the machine did not score."""
        missing = np.flatnonzero(np.isnan(self.scores).all(axis=1))
        return tuple(self.systems[place] for place in missing.tolist())

    @property
    def judged_segments(self) -> int:
        """How many segments people saw."""
        return len(np.unique(self.place))

    @property
    def judged_documents(self) -> int:
        """How many documents people saw."""
        return len(np.unique(self.document[self.place]))


def values_in_place(
    assessments: Assessments, proxy: ScoreTable, documents: Documents | None = None
) -> tuple[JudgedValues, ScoredPlaces]:
    """The values that count, on segments that *proxy* scored, and where they stand."""
    counted = assessments.select(counted_rows(assessments))
    if not len(counted):
        raise DataError("the assessments hold no value of a system's own output")
    systems = tuple(counted.systems[code] for code in np.unique(counted.system).tolist())
    segments, scores = _scored(proxy, systems)
    kept = _kept(counted.segments, counted.segment, segments, proxy.name)
    judged = JudgedValues.of(_with_documents(counted.select(kept), documents))
    _check_systems(systems, judged.systems, proxy.name)
    names = _names(counted.segments, counted.segment[kept])
    return judged, ScoredPlaces(
        systems,
        proxy.name,
        scores,
        *_places(names, judged.document, segments, documents),
        left_out=len(counted) - len(kept),
        has_documents=judged.has_documents,
        judges=int(judged.judge.max()) + 1,
    )


def contests_in_place(
    judgments: Judgments, proxy: ScoreTable, documents: Documents | None = None
) -> tuple[Contests, ScoredPlaces]:
    """The comparisons of rankings, on segments that *proxy* scored, and where they stand."""
    pairs = judgments.pairs()
    if not len(pairs):
        raise DataError("the rankings hold no comparison of two systems")
    codes = np.unique(np.concatenate([pairs.left, pairs.right]))
    systems = tuple(judgments.systems[code] for code in codes.tolist())
    segments, scores = _scored(proxy, systems)
    of_pair = judgments.segment[pairs.ranking]
    kept = _kept(judgments.segments, of_pair, segments, proxy.name)
    names = _names(judgments.segments, of_pair[kept])
    ranking = pairs.ranking[kept]
    cells = _document_cells(judgments, documents)
    labels = None if cells is None else [cells[row] for row in ranking.tolist()]
    document = numbered(np.array(_labelled(labels, names)))
    place, everywhere, unplaced = _places(names, document, segments, documents)
    left, right = (np.searchsorted(codes, column[kept]) for column in (pairs.left, pairs.right))
    won = (1 + np.where(left < right, 1, -1) * pairs.sign[kept]) / 2
    contests = Contests(
        systems,
        np.minimum(left, right),
        np.maximum(left, right),
        won,
        numbered(judgments.judge[ranking]),
        document,
        place,
    )
    return contests, ScoredPlaces(
        systems,
        proxy.name,
        scores,
        place,
        everywhere,
        unplaced,
        left_out=len(pairs) - len(kept),
        has_documents=cells is not None,
        judges=int(contests.judge.max()) + 1,
    )


def _scored(proxy: ScoreTable, systems: Sequence[str]) -> tuple[tuple[str, ...], Floats]:
    """The segments of which every scored system has a score, and the scores (S, M).

    A system without any score, such as a reference, has a row of nan.
    """
    if proxy.level != "segment":
        raise DataError(
            f"the scores {proxy.name!r} are of {proxy.level}s; a proxy needs those of segments"
        )
    has_scores = [name in proxy.scored for name in systems]
    if not any(has_scores):
        raise DataError(
            f"the scores {proxy.name!r} are of other systems: people judged "
            f"{', '.join(systems)}, and the scores are of {', '.join(proxy.systems)}"
        )
    scores = proxy.over(systems, proxy.segments)
    there = np.flatnonzero(~np.isnan(scores[has_scores]).any(axis=0))
    if not len(there):
        raise DataError(f"the scores {proxy.name!r} hold no segment of all systems")
    return tuple(proxy.segments[place] for place in there.tolist()), scores[:, there]


def _kept(
    names: Sequence[str], segment: NDArray[Any], segments: Sequence[str], proxy: str
) -> NDArray[np.intp]:
    """The judgments of segments that are among *segments*."""
    must_count_alike(f"scores {proxy!r}", segments, names)
    known = set(segments)
    kept = np.flatnonzero(np.array([name in known for name in names], np.bool_)[segment])
    if not len(kept):
        raise DataError(
            f"no judged segment has scores {proxy!r} for every system: people judged "
            f"{names[0]!r} and so on, and the scores are of {segments[0]!r} and so on"
        )
    return kept


def _check_systems(judged: Sequence[str], left: Sequence[str], proxy: str) -> None:
    lost = next((name for name in judged if name not in left), None)
    if lost is not None:
        raise DataError(f"no judgment of {lost!r} is of a segment that {proxy!r} scored")


def _names(names: Sequence[str], codes: NDArray[Any]) -> list[str]:
    return [names[code] for code in codes.tolist()]


def _with_documents(assessments: Assessments, documents: Documents | None) -> Assessments:
    """The judgments with the documents of their segments, unless they name some."""
    known = {name.lower() for name in assessments.info}
    if documents is None or known & set(DOCUMENT):
        return assessments
    cells = np.array([documents.get(name) for name in assessments.segments], object)
    return replace(assessments, info={**assessments.info, "document": cells[assessments.segment]})


def _document_cells(judgments: Judgments, documents: Documents | None) -> list[str | None] | None:
    """The document of every ranking, by its own columns or by *documents*; None without any."""
    known = {name.lower(): name for name in judgments.info}
    column = next((known[name] for name in DOCUMENT if name in known), None)
    if column is not None:
        cells = judgments.info[column].tolist()
        return [None if cell is None or cell != cell else str(cell) for cell in cells]
    if documents is None:
        return None
    return [documents.get(judgments.segments[code]) for code in judgments.segment.tolist()]


def _labelled(cells: Sequence[str | None] | None, names: Sequence[str]) -> list[str]:
    """Documents; a segment without one is a document of its own."""
    if cells is None:
        return list(names)
    both = zip(cells, names, strict=True)
    return [f"\0{name}" if cell is None else cell for cell, name in both]


def _places(
    names: Sequence[str], document: Codes, segments: Sequence[str], documents: Documents | None
) -> tuple[Codes, Codes, int]:
    """Where judgments stand among *segments*, the documents of these, and how many have none."""
    index = {name: place for place, name in enumerate(segments)}
    place = np.array([index[name] for name in names], np.int64)
    found = np.full(len(segments), -1, np.int64)
    found[place] = document
    label = documents or {}
    known = {
        label[segments[seen]]: int(found[seen])
        for seen in np.unique(place).tolist()
        if segments[seen] in label
    }
    count, unplaced = int(document.max()) + 1, 0
    for seen in np.flatnonzero(found < 0).tolist():
        name = label.get(segments[seen])
        unplaced += name is None
        key = f"\0{segments[seen]}" if name is None else name
        if key not in known:
            known[key] = count
            count += 1
        found[seen] = known[key]
    return place, found, unplaced
