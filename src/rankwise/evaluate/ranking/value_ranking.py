"""A ranking of systems by values that people gave, with the counts that it rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import DOCUMENT, JudgedValues
from rankwise.aggregate.scalar.value_means import system_means
from rankwise.aggregate.scalar.value_models import VALUE_MODELS, Mixed, ValueBoard, ValueModel
from rankwise.aggregate.scalar.value_recipes import VALUE_RECIPES, recipe_board
from rankwise.errors import DataError
from rankwise.evaluate.odd.odd_systems import judged_little
from rankwise.evaluate.ranking.error_counts import ErrorCounts, error_counts
from rankwise.evaluate.ranking.human_parts import in_words
from rankwise.types import Assessments, Leaderboard
from rankwise.types.named import parse
from rankwise.types.shown import Shown

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: What of a system is counted.
COUNTED = ("judgments", "judges", "segments", "documents")


@dataclass(frozen=True, slots=True)
class ValueRanker:
    """How values are ranked: the options of :func:`rankwise.rank_assessments`."""

    model: str | ValueModel | None = None
    recipe: str | None = None
    runs: int = 1000
    seed: int = 1
    level: float = 0.95

    def ranking(
        self, assessments: Assessments, labels: Mapping[str, str] | None = None
    ) -> "ValueRanking":
        """The ranking of *assessments*, which have *labels* in common."""
        judged = JudgedValues.of(assessments)
        found = self.board(judged)
        order = [judged.systems.index(name) for name in found.board.systems]
        raw, standardised = (
            system_means(judged, value, "segment")[order]
            for value in (judged.value, judged.standardised)
        )
        return ValueRanking(
            found,
            raw=raw,
            standardised=standardised,
            counts={name: counts[order] for name, counts in _counts(judged).items()},
            totals=_totals(judged),
            errors=error_counts(assessments, judged, found.board.systems),
            labels=dict(labels or {}),
            notes=tuple(self._notes(judged)),
        )

    def board(self, judged: JudgedValues) -> ValueBoard:
        """The systems, best first."""
        if self.recipe is not None:
            return recipe_board(judged, self.recipe, level=self.level)
        chosen = self.model or Mixed.name
        model = parse(chosen, VALUE_MODELS) if isinstance(chosen, str) else chosen
        return model.ranked(judged, runs=self.runs, seed=self.seed, level=self.level)

    def _notes(self, judged: JudgedValues) -> Iterator[str]:
        counts = np.bincount(judged.system, minlength=len(judged.systems)).tolist()
        yield from judged_little(dict(zip(judged.systems, counts, strict=True)), "judgments")
        if self.recipe is not None:
            wrong = VALUE_RECIPES[self.recipe].separates
            yield (
                f"the test of {self.recipe} takes segments for independent: in simulated campaigns "
                f"like those of its year it calls {100 * wrong:.0f} % of equally good systems "
                "different (the default model 5 %)"
            )
            return
        if judged.judge.max() == 0:
            yield "one judge: nothing is known about how others would have judged"
        if not judged.has_documents:
            yield "the judgments name no documents: segments stand for them"


@dataclass(frozen=True, slots=True, eq=False)
class ValueRanking(Shown):
    """Systems ranked by values, best first.

    ``found`` holds the ranking (also ``board``), intervals of the scores and p-values of every two
    systems. ``raw`` and ``standardised`` are the means of the segments' values as given and on each
    judge's own scale. ``counts`` says per system, ``totals`` in all, how many judgments, judges,
    segments and documents there are. ``errors`` counts what judges marked, if they did.
    """

    found: ValueBoard
    raw: Floats
    standardised: Floats
    counts: Mapping[str, Counts]
    totals: Mapping[str, int]
    errors: ErrorCounts | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> Leaderboard:
        """The ranking itself."""
        return self.found.board

    @property
    def title(self) -> str:
        """The labels in words."""
        return in_words(self.labels)

    def __repr__(self) -> str:
        """The order of systems with lines between clusters, in one line."""
        return repr(self.board).replace("<Leaderboard", "<ValueRanking")


def rank_assessments(
    assessments: Assessments,
    model: str | ValueModel | None = None,
    *,
    recipe: str | None = None,
    runs: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> ValueRanking:
    """Systems by the values that people gave them, with intervals, rank ranges and clusters.

    *model* is ``mixed``, the default, or ``mean``, with options: ``"mixed:average=domain"``. A
    *recipe* (``wmt17`` to ``wmt26``) is the procedure of that year; see
    :func:`rankwise.aggregate.scalar.value_recipes.recipe_board`. Only judgments of a system's own
    output count; those without a value are left out.

    >>> values = {"A": (61, 66, 64), "B": (52, 55, 50)}
    >>> rows = [(s, str(g), "ann", "TGT", values[s][g % 3]) for s in "AB" for g in range(9)]
    >>> rank_assessments(Assessments.from_rows(rows))
    <ValueRanking: A | B>
    """
    if recipe is not None and model is not None:
        raise DataError(f"recipe {recipe!r} brings its own model; leave out {model!r}")
    return ValueRanker(model, recipe, runs, seed, level).ranking(assessments)


def of_judges(assessments: Assessments, pattern: str) -> Assessments:
    """The judgments of those whose name matches *pattern*, like ``researcher_*``."""
    fitting = np.array([fnmatchcase(name, pattern) for name in assessments.judges], np.bool_)
    found = assessments.select(fitting[assessments.judge])
    if len(found) == 0:
        raise DataError(f"no judge matches {pattern!r}")
    return found


def value_parts(
    assessments: Assessments, by: str | None = None
) -> list[tuple[dict[str, str], Assessments]]:
    """All judgments, or those of every judge, segment, document or value of another column.

    Parts come in the order in which they first occur, each with what it has in common; judgments
    without a value in the column are in none.
    """
    if by is None:
        return [({}, assessments)]
    names = _column(assessments, by)
    order = dict.fromkeys(name for name in names if name is not None)
    cells = np.array(names, object)
    return [({by: name}, assessments.select(cells == name)) for name in order]


def _column(assessments: Assessments, by: str) -> list[str | None]:
    if by in ("judge", "segment"):
        names = assessments.judges if by == "judge" else assessments.segments
        return [names[code] for code in getattr(assessments, by).tolist()]
    known = {name.lower(): name for name in assessments.info}
    asked = DOCUMENT if by.lower() == "document" else (by.lower(),)
    found = next((known[name] for name in asked if name in known), None)
    if found is None:
        choices = ", ".join(["judge", "segment", *assessments.info])
        raise DataError(f"the judgments have no column {by!r}; choose from {choices}")
    cells: list[Any] = assessments.info[found].tolist()
    return [None if cell is None or cell != cell else str(cell) for cell in cells]


def _counts(judged: JudgedValues) -> dict[str, Counts]:
    """How many judgments, judges, segments and documents every system has."""
    size = len(judged.systems)
    found = {"judgments": np.bincount(judged.system, minlength=size).astype(np.int64)}
    for name in COUNTED[1:]:
        codes = getattr(judged, name[:-1])
        pairs = np.unique(judged.system * (int(codes.max()) + 1) + codes)
        systems = pairs // (int(codes.max()) + 1)
        found[name] = np.bincount(systems, minlength=size).astype(np.int64)
    return _without_documents(found, judged)


def _totals(judged: JudgedValues) -> dict[str, int]:
    found = {"judgments": len(judged)}
    found |= {name: int(getattr(judged, name[:-1]).max()) + 1 for name in COUNTED[1:]}
    return _without_documents(found, judged)


def _without_documents(found: dict[str, Any], judged: JudgedValues) -> dict[str, Any]:
    """Documents are counted only where judgments name some."""
    return found if judged.has_documents else {n: c for n, c in found.items() if n != "documents"}
