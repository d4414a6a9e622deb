"""How values become a ranking: the mixed model, or plain means of resampled judgments."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import numpy as np

from rankwise.aggregate.scalar.clustered_errors import ClusteredErrors, clustered_errors, members_of
from rankwise.aggregate.scalar.judged_values import Codes, Floats, JudgedValues, numbered
from rankwise.aggregate.scalar.mixed_effects import mixed_fit
from rankwise.aggregate.scalar.value_means import Average, Normalise, system_means, values_of
from rankwise.errors import DataError
from rankwise.types import Leaderboard
from rankwise.types.clusters import check_level, leaderboard
from rankwise.types.named import Named, check_choice

MixedUnit = Literal["judge+document", "judge+segment", "judge", "document", "segment"]
Unit = Literal["segment", "document", "judge"]
_BLOCK = 1 << 22  # weights drawn at a time: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class ValueBoard:
    """A ranking, the interval of every score, p-values of every two, and scores of the runs.

    All are in the order of the ranking; ``p_values[i, j]`` is two-sided, nan on the diagonal.
    """

    board: Leaderboard
    low: Floats
    high: Floats
    p_values: Floats
    runs: Floats | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """How often means are drawn around those found, and of which level ranges are."""

    runs: int = 1000
    seed: int = 1
    level: float = 0.95


def drawn_board(
    systems: tuple[str, ...],
    means: Floats,
    errors: ClusteredErrors,
    drawing: Drawing,
    *,
    signature: str,
) -> ValueBoard:
    """Systems by their means, with ranges of ranks from draws of Student's distribution.

    Systems of which nothing tells how sure their means are have no interval and may have any rank.
    """
    check_level(drawing.level)
    alone = np.zeros(len(systems), np.bool_) if errors.unknown is None else errors.unknown
    low, high = errors.intervals(means, level=drawing.level)
    drawn = errors.draws(means, runs=drawing.runs, seed=drawing.seed)
    low[alone] = high[alone] = drawn[:, alone] = np.nan
    how = f"draws:runs={drawing.runs}:seed={drawing.seed}:level={drawing.level:g}"
    board = leaderboard(systems, means, drawn, level=drawing.level, signature=f"{signature} {how}")
    order = [systems.index(name) for name in board.systems]
    p_values = errors.p_values(means)
    p_values[(alone[:, None] | alone) & ~np.eye(len(alone), dtype=bool)] = 1.0
    p_values = p_values[np.ix_(order, order)]
    board = replace(board, deviations=np.where(alone, np.nan, errors.deviations)[order])
    return ValueBoard(board, low[order], high[order], p_values, drawn[:, order])


@dataclass(frozen=True)
class ValueModel(Named):
    """Base of the ways to rank systems by values."""

    kind: ClassVar[str] = "model of values"

    @abstractmethod
    def ranked(self, judged: JudgedValues, *, runs: int, seed: int, level: float) -> ValueBoard:
        """The systems, best first."""


@dataclass(frozen=True)
class Mixed(ValueModel):
    r"""System means of a mixed model, with errors that know of judges and documents.

    .. math:: y = \mu_{system} + a_{judge} + b_{segment} + e

    Strict judges and hard segments are taken away as far as the data say that they are strict and
    hard (see :mod:`rankwise.aggregate.scalar.mixed_effects`), so that systems compare even where
    they were not judged by the same people on the same texts. Scores stay on the scale of the
    values. ``average="domain"`` fits every domain and takes the mean of them.

    Standard errors, ranges of ranks and p-values count judgments of one judge, and of one document,
    as dependent (``unit="judge+document"``, see
    :mod:`rankwise.aggregate.scalar.clustered_errors`), whatever the model assumes: the conclusion
    is about other judges and other documents. ``judge+segment`` takes segments of one document as
    independent; ``judge``, ``document`` or ``segment`` know of one alone. Where the judgments name
    no documents, segments stand for them; where there is one judge, nothing is known about others,
    and documents alone count. Ranges are those of *runs* draws from Student's distribution around
    the means. A system that was judged on few documents, or by few judges, is known by these few,
    whatever others have: its intervals and p-values have their degrees of freedom, and on one
    document it has no interval and may have any rank.

    >>> from rankwise.types import Assessments
    >>> values = {"A": (61, 66, 64), "B": (52, 55, 50)}
    >>> rows = [(s, str(g), "ann", "TGT", values[s][g % 3]) for s in "AB" for g in range(9)]
    >>> judged = JudgedValues.of(Assessments.from_rows(rows))
    >>> found = Mixed().ranked(judged, runs=1000, seed=1, level=0.95)
    >>> found.board.systems, found.board.scores.round(2), found.board.clusters
    (('A', 'B'), array([63.67, 52.33]), array([1, 2]))
    """

    name: ClassVar[str] = "mixed"
    average: Literal["segment", "domain"] = "segment"
    unit: MixedUnit = "judge+document"

    def __post_init__(self) -> None:
        check_choice(self.name, "average", self.average, ("segment", "domain"))
        check_choice(self.name, "unit", self.unit, get_args(MixedUnit))

    def ranked(self, judged: JudgedValues, *, runs: int, seed: int, level: float) -> ValueBoard:
        """The systems, best first."""
        means, errors = self.estimates(judged)
        drawing = Drawing(runs, seed, level)
        return drawn_board(judged.systems, means, errors, drawing, signature=self.signature)

    def estimates(self, judged: JudgedValues) -> tuple[Floats, ClusteredErrors]:
        """The means of the systems, and how sure they are."""
        means, influence = self._fitted(judged)
        return means, clustered_errors(influence, *self._groups(judged), system=judged.system)

    def _groups(self, judged: JudgedValues) -> tuple[Codes, ...]:
        return tuple(getattr(judged, name) for name in self.unit.split("+"))

    def _fitted(self, judged: JudgedValues) -> tuple[Floats, Floats]:
        """Means (S,) and the influence (S, N) of every judgment on them."""
        parts = [np.arange(len(judged))]
        if self.average == "domain":
            judged.must_have_domains(f"model {self.name!r}")
            parts = [judged.of_domain(code) for code in range(len(judged.domains))]
        means = np.zeros(len(judged.systems))
        influence = np.zeros((len(judged.systems), len(judged)))
        for rows in parts:
            judge, segment = numbered(judged.judge[rows]), numbered(judged.segment[rows])
            fit = mixed_fit(judged.value[rows], judged.system[rows], judge, segment)
            means += fit.means / len(parts)
            influence[:, rows] = fit.influence / len(parts)
        return means, influence


@dataclass(frozen=True)
class Mean(ValueModel):
    r"""The mean of a system's values, with ranges of ranks from resampled judgments.

    .. math:: s = \frac{1}{|G_s|} \sum_{g \in G_s} \frac{1}{|J_{sg}|} \sum_{j \in J_{sg}} z_j

    ``normalise="judge"`` takes each judge's scale away first (:meth:`Assessments.standardised`; a
    judge with one value, or always the same, says 0), ``"none"`` keeps raw values. A segment counts
    once however often it was judged; ``average="judgment"`` counts every judgment once, and
    ``"domain"`` takes the mean of the means of domains.

    Segments, documents or judges (``unit``) are drawn with replacement, with the weights that their
    judgments have in the mean; a system of which a draw holds nothing may have any rank in it. One
    whose values are all of one unit has no interval and may have any rank; of few units draws are
    as much farther from the mean as Student's t asks for (Hesterberg 2015).
    Judges' scales are not estimated anew. Only one of judges and documents is drawn, so that
    ranges are too narrow where both matter: :class:`Mixed` knows of both. Graham et al. (2017),
    Natural Language Engineering 23.
    """

    name: ClassVar[str] = "mean"
    normalise: Normalise = "judge"
    average: Average = "segment"
    unit: Unit = "segment"

    def __post_init__(self) -> None:
        check_choice(self.name, "normalise", self.normalise, get_args(Normalise))
        check_choice(self.name, "average", self.average, get_args(Average))
        check_choice(self.name, "unit", self.unit, get_args(Unit))

    def ranked(self, judged: JudgedValues, *, runs: int, seed: int, level: float) -> ValueBoard:
        """The systems, best first."""
        check_level(level)
        if self.average == "domain":
            judged.must_have_domains(f"model {self.name!r}")
        value = values_of(judged, self.normalise)
        scores = system_means(judged, value, self.average)
        drawn = self._drawn(judged, value, runs=runs, seed=seed)
        drawn = _as_of_few(
            scores, drawn, members_of(judged.system, getattr(judged, self.unit)), level
        )
        signature = f"{self.signature} resampled:runs={runs}:seed={seed}:level={level:g}"
        board = leaderboard(judged.systems, scores, drawn, level=level, signature=signature)
        order = [judged.systems.index(name) for name in board.systems]
        drawn = drawn[:, order]
        low, high = _quantiles(drawn, level)
        return ValueBoard(board, low, high, _run_p_values(drawn), drawn)

    def _drawn(self, judged: JudgedValues, value: Floats, *, runs: int, seed: int) -> Floats:
        """Scores (runs, S) of units drawn with replacement."""
        if runs < 1:
            raise DataError(f"{runs} runs; expected at least 1")
        units: Codes = getattr(judged, self.unit)
        size = int(units.max()) + 1
        random, chances = np.random.default_rng(seed), np.full(size, 1 / size)
        weight = np.ones(len(judged)) if self.average == "judgment" else judged.shares()
        parts = [np.arange(len(judged))]
        if self.average == "domain":
            parts = [judged.of_domain(code) for code in range(len(judged.domains))]
        shape = (size, len(judged.systems))
        sums = [
            (
                _table(units[rows], judged.system[rows], (weight * value)[rows], shape),
                _table(units[rows], judged.system[rows], weight[rows], shape),
            )
            for rows in parts
        ]
        found = []
        block = max(1, _BLOCK // size)
        for first in range(0, runs, block):
            drawn = random.multinomial(size, chances, size=min(block, runs - first))
            times = drawn.astype(np.float64)
            means = [_ratio(times @ total, times @ count) for total, count in sums]
            found.append(np.mean(means, axis=0))
        return np.concatenate(found)


def _as_of_few(scores: Floats, drawn: Floats, units: Codes, level: float) -> Floats:
    r"""Draws (runs, S) of systems with so many *units* each, as far away as these few allow.

    .. math:: \sqrt{n / (n - 1)} \; t_{(1 + \text{level}) / 2,\, n - 1} / z_{(1 + \text{level}) / 2}

    times as far: Hesterberg (2015), The American Statistician. Of one unit every draw is the same,
    which tells nothing: nan.
    """
    from scipy.special import ndtri, stdtrit  # slow to import

    few, end = np.maximum(units, 2), (1 + level) / 2
    wide = np.sqrt(few / (few - 1)) * stdtrit(few - 1, end) / ndtri(end)
    found: Floats = scores + (drawn - scores) * np.where(units > 1, wide, np.nan)
    return found


def _quantiles(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """The interval of every system's scores over runs; nan for one that has none."""
    found: Floats = np.full((2, drawn.shape[1]), np.nan)
    known, cut = ~np.isnan(drawn).all(axis=0), (1 - level) / 2
    found[:, known] = np.nanquantile(drawn[:, known], [cut, 1 - cut], axis=0)
    return found[0], found[1]


def _table(rows: Codes, columns: Codes, values: Floats, shape: tuple[int, int]) -> Floats:
    """Sums of values by row and column."""
    cells = np.bincount(rows * shape[1] + columns, values, shape[0] * shape[1])
    return np.asarray(cells, np.float64).reshape(shape)


def _ratio(total: Floats, count: Floats) -> Floats:
    found: Floats = np.full(total.shape, np.nan)
    return np.divide(total, count, out=found, where=count > 0)


def _run_p_values(runs: Floats) -> Floats:
    """Twice the share of runs in which the order of two systems is the other way round."""
    count = runs.shape[1]
    found: Floats = np.full((count, count), np.nan)
    for one in range(count):
        for other in range(one + 1, count):
            difference = runs[:, one] - runs[:, other]
            turned = float(np.mean(~(difference > 0)))
            share = 2 * min(turned, float(np.mean(~(difference < 0))))
            found[one, other] = found[other, one] = min(1.0, max(share, 2 / (len(runs) + 1)))
    return found


#: The models by their names; the first is the default.
VALUE_MODELS: dict[str, type[ValueModel]] = {Mixed.name: Mixed, Mean.name: Mean}
