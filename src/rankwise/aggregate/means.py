"""Systems ranked by the mean of scalar judgments: adequacy, fluency, direct assessment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Assessments, Leaderboard
from rankwise.types.clusters import check_level, leaderboard
from rankwise.types.judging.assessments import REAL_ROLES
from rankwise.types.named import check_choice

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Normalise = Literal["judge", "none"]
Average = Literal["segment", "judgment"]
Unit = Literal["segment", "judge"]
Separate = Literal["ranges", "rank-sum"]
_BLOCK = 1 << 22  # weights drawn at a time: 32 MB


def rank_assessments(
    assessments: Assessments,
    *,
    normalise: Normalise = "judge",
    average: Average = "segment",
    unit: Unit = "segment",
    separate: Separate = "ranges",
    runs: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> Leaderboard:
    r"""Systems by the mean of their scalar judgments, with rank ranges and clusters.

    .. math:: s = \frac{1}{|G_s|} \sum_{g \in G_s} \frac{1}{|J_{sg}|} \sum_{j \in J_{sg}} z_j

    ``normalise="judge"`` takes each judge's scale away first (:meth:`Assessments.standardised`; a
    judge with one value, or always the same, says 0), ``"none"`` keeps raw values. A segment counts
    once however often it was judged, as WMT does it; ``average="judgment"`` counts every judgment
    once. Only judgments of a system's own output count; those without a value are left out.

    ``separate="ranges"``: *runs* times segments, or judges (``unit="judge"``), are drawn with
    replacement; ranges and clusters are those of :func:`rankwise.types.clusters.leaderboard`, and a
    system of which a draw holds nothing may have any rank in it. Judges' scales are not estimated
    anew. ``separate="rank-sum"`` is what WMT did from 2016: see :func:`rank_sum_clusters`; nothing
    is drawn, and *level* 0.95 means p < 0.05.

    Graham et al. (2017), Natural Language Engineering 23; Bojar et al. (2016), WMT.

    >>> values = {"A": (61, 66, 64), "B": (52, 55, 50)}
    >>> rows = [(s, str(g), "ann", "TGT", values[s][g % 3]) for s in "AB" for g in range(9)]
    >>> board = rank_assessments(Assessments.from_rows(rows), normalise="none")
    >>> board.systems, board.scores.round(2), board.clusters
    (('A', 'B'), array([63.67, 52.33]), array([1, 2]))
    """
    _check_options(normalise, average, unit, separate, level)
    values = _Values.of(assessments, normalise)
    drawn = f":runs={runs}:seed={seed}:unit={unit}" if separate == "ranges" else ""
    signature = f"mean:normalise={normalise}:average={average} {separate}{drawn}:level={level:g}"
    if separate == "rank-sum":
        return _separated_by_rank_sums(values, average, level, signature)
    total, count = values.sums(average, "segment")
    scores = _means(total.sum(axis=0), count.sum(axis=0))
    resampled = values.resampled(average, unit, runs=runs, seed=seed)
    return leaderboard(values.systems, scores, resampled, level=level, signature=signature)


def rank_sum_clusters(scores: Sequence[Floats], *, level: float = 0.95) -> NDArray[np.int64]:
    """Clusters, from 1, of systems given best first with their scores of segments or judgments.

    A new cluster begins where every system above has significantly larger scores than every one
    below: the one-sided rank-sum test of Wilcoxon (1945), also Mann and Whitney (1947), normal
    approximation with corrections for ties and continuity, p < 1 - *level*, not corrected for the
    number of pairs. Bojar et al. (2016), WMT.

    >>> rank_sum_clusters([np.arange(9.0) + 9, np.arange(9.0) + 1, np.arange(9.0)])
    array([1, 2, 2])
    """
    # Slow to import, and only this needs it.
    from scipy.stats import mannwhitneyu

    def is_better(left: Floats, right: Floats) -> bool:
        test = mannwhitneyu(left, right, alternative="greater", method="asymptotic")
        return bool(test.pvalue < 1 - level)

    starts = [
        all(is_better(left, right) for left in scores[:place] for right in scores[place:])
        for place in range(1, len(scores))
    ]
    return np.cumsum([1, *starts])


def _separated_by_rank_sums(
    values: "_Values", average: Average, level: float, signature: str
) -> Leaderboard:
    """Clusters of rank sums; the ranks of a cluster are the range of each of its systems."""
    scores = values.by_system(average)
    means = [float(np.mean(one)) for one in scores]
    names = values.systems
    order = sorted(range(len(names)), key=lambda s: (-means[s], names[s]))
    found = rank_sum_clusters([scores[s] for s in order], level=level)
    low, high = (np.searchsorted(found, found, side) for side in ("left", "right"))
    best = tuple(names[s] for s in order)
    return Leaderboard(best, np.array(means)[order], low + 1, high, found, signature)


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """Judgments with a value of systems' own outputs, by numbers of system, segment and judge."""

    systems: tuple[str, ...]
    system: Codes
    segment: Codes
    judge: Codes
    value: Floats

    @classmethod
    def of(cls, assessments: Assessments, normalise: Normalise) -> "_Values":
        value = assessments.standardised() if normalise == "judge" else assessments.value
        real = np.array([role in REAL_ROLES for role in assessments.roles], np.bool_)
        counts = ~np.isnan(value)
        counts[counts] = real[assessments.role[counts]]
        if not counts.any():
            raise DataError("the assessments hold no value of a system's own output")
        systems, system = np.unique(assessments.system[counts], return_inverse=True)
        _, segment = np.unique(assessments.segment[counts], return_inverse=True)
        _, judge = np.unique(assessments.judge[counts], return_inverse=True)
        names = tuple(assessments.systems[code] for code in systems.tolist())
        return cls(names, system, segment, judge, value[counts])

    def sums(self, average: Average, unit: Unit) -> tuple[Floats, Floats]:
        """Totals (units, S) and how many values they are of; both add up over units."""
        if average == "segment":
            return self._segment_means(self.value, np.ones(len(self.value)))
        units = self.segment if unit == "segment" else self.judge
        return self._sums(units, self.value, np.ones(len(self.value)))

    def by_system(self, average: Average) -> list[Floats]:
        """The scores of each system's segments, or single judgments."""
        if average == "judgment":
            return [self.value[self.system == code] for code in range(len(self.systems))]
        means, present = self.sums("segment", "segment")
        return [one[held > 0] for one, held in zip(means.T, present.T, strict=True)]

    def resampled(self, average: Average, unit: Unit, *, runs: int, seed: int) -> Floats:
        """Scores (runs, S) of units drawn with replacement."""
        units = self.segment if unit == "segment" else self.judge
        draws = _draws(int(units.max()) + 1, runs=runs, seed=seed)
        if average == "segment" and unit == "judge":
            return np.array([self._of_judges(weights) for block in draws for weights in block])
        total, count = self.sums(average, unit)
        return np.concatenate([_means(block @ total, block @ count) for block in draws])

    def _of_judges(self, weights: Floats) -> Floats:
        """Scores (S,) where every judge's values are there as often as *weights* say."""
        means, present = self._segment_means(self.value, weights[self.judge])
        return _means(means.sum(axis=0), present.sum(axis=0))

    def _segment_means(self, value: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Mean values (segments, S), 0 where there are none, and whether there are any."""
        total, count = self._sums(self.segment, value, weight)
        return np.nan_to_num(_means(total, count)), (count > 0).astype(np.float64)

    def _sums(self, rows: Codes, value: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Weighted totals (rows, S) of values, and their weights."""
        width = len(self.systems)
        cell, shape = rows * width + self.system, (int(rows.max()) + 1, width)
        total = np.bincount(cell, value * weight, shape[0] * width).reshape(shape)
        count = np.bincount(cell, weight, shape[0] * width).reshape(shape)
        return np.asarray(total, np.float64), np.asarray(count, np.float64)


def _draws(size: int, *, runs: int, seed: int) -> Iterator[Floats]:
    """Blocks (runs, size): how often each of *size* units is among as many drawn ones."""
    if runs < 1:
        raise DataError(f"{runs} runs; expected at least 1")
    random, chances = np.random.default_rng(seed), np.full(size, 1 / size)
    block = max(1, _BLOCK // size)
    for first in range(0, runs, block):
        drawn = random.multinomial(size, chances, size=min(block, runs - first))
        yield drawn.astype(np.float64)


def _means(total: Floats, count: Floats) -> Floats:
    """Totals divided by counts, nan where nothing was counted."""
    means: Floats = np.full(total.shape, np.nan)
    return np.divide(total, count, out=means, where=count > 0)


def _check_options(
    normalise: Normalise, average: Average, unit: Unit, separate: Separate, level: float
) -> None:
    owner = "mean of assessments"
    check_choice(owner, "normalise", normalise, get_args(Normalise))
    check_choice(owner, "average", average, get_args(Average))
    check_choice(owner, "unit", unit, get_args(Unit))
    check_choice(owner, "separate", separate, get_args(Separate))
    check_level(level)
