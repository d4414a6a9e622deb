"""The meta-evaluation of a WMT metrics paper: every metric under every measure, ranked."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.tables.exchange import Exchanged
from rankwise.agreement.tables.exchange_coins import DRAWS, SEED, Coins
from rankwise.agreement.tables.metric_ranks import greedy_ranks
from rankwise.agreement.tables.pair_measures import AccEq, PairwiseAccuracy
from rankwise.agreement.tables.score_cells import Table
from rankwise.agreement.tables.score_value import Value
from rankwise.agreement.tables.table_measure import TableMeasure
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.errors import DataError
from rankwise.evaluate.meta.meta_scores import PairScores, Scores
from rankwise.evaluate.meta.meta_tests import (
    all_pairs,
    bootstrap_test,
    permutation_test,
    williams_p_values,
)
from rankwise.evaluate.work_done import Done, Work, part_of
from rankwise.significance.few_items import one_sided_of_few
from rankwise.types.named import check_choice
from rankwise.types.shown import Shown

#: The measures unless others are named.
USUAL_MEASURES = ("spa", "acc-eq")
#: The measures of a year's metrics task, with the tests that it had.
RECIPES: Mapping[str, tuple[str, ...]] = {
    "wmt23": ("accuracy", "pearson:level=system", "pearson:test=scores", "acc-eq:test=pairs"),
    "wmt24": ("spa:test=scores", "acc-eq:test=pairs"),
}
TESTS = ("permutation", "bootstrap", "williams", "none")
EVERY = "all"  # the language pair of a measure that pools them
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MetaTrial:
    """How pairs of metrics are tested."""

    test: str = "permutation"
    draws: int = DRAWS
    seed: int = SEED
    alpha: float = 0.05
    compat: str = ""

    def __post_init__(self) -> None:
        check_choice("meta-evaluation", "test", self.test, TESTS)
        if not 0 < self.alpha < 1:
            raise DataError(f"alpha is {self.alpha}; expected a share between 0 and 1")
        is_drawn = self.test in ("permutation", "bootstrap") and not self.compat
        if is_drawn and (1 + self.draws) * self.alpha < 1 - 1e-9:
            raise DataError(
                f"with {self.draws} draws p is never {self.alpha:g} or less; expected "
                f"{math.ceil(1 / self.alpha - 1 - 1e-9)} or more"
            )


@dataclass(frozen=True, eq=False)
class MetaTask:
    """One measure on one language pair (or all of them): a column of the table.

    ``values[m]`` is what the measure says of metric m, None where the metric is absent.
    ``better[a, b]`` is the p-value of metric a being better than b; nan where nothing was tested.
    ``weight`` is what the task counts in the average, ``resampled`` on how many items a bootstrap
    stands (None: nothing was resampled).
    """

    pair: str
    measure: TableMeasure
    values: tuple[Value | None, ...]
    better: Matrix
    differences: Exchanged | None = None
    weight: float = 1.0
    alpha: float = 0.05
    resampled: int | None = None

    @property
    def label(self) -> str:
        """The name of the column: language pair and measure, the level of systems in words."""
        name = str(self.measure)
        if ":level=system" in name:
            name = "system " + name.replace(":level=system", "")
        return f"{self.pair} {name}"

    @property
    def basis(self) -> str:
        """How many groups the values stand on, of how many; scores where all are one group."""
        values = [value for value in self.values if value is not None and value.cells]
        if not values:
            return "nothing"
        if not self.measure.counted:
            cells = "systems" if getattr(self.measure, "level", "") == "system" else "scores"
            return f"{_extent([value.cells for value in values])} {cells}"
        groups = _extent([value.groups for value in values])
        whole = max(value.groups + value.undefined for value in values)
        share = groups if groups == f"{whole}" else f"{groups} of {whole}"
        return f"{share} {self.measure.counted}"

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers, nan where there is none."""
        return np.array([np.nan if value is None else value.value for value in self.values])

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of every metric by significance; 0 without a value, or without any test."""
        return ranks_of(self.numbers, self.better, self.alpha)


@dataclass(frozen=True, eq=False)
class MetaEvaluation(Shown):
    """All tasks over the same metrics, and their weighted average.

    A correlation r enters the average as (r + 1) / 2. ``average`` is nan for a metric that lacks
    a value of some task.
    """

    metrics: tuple[str, ...]
    tasks: tuple[MetaTask, ...]
    data: tuple[PairScores, ...]
    trial: MetaTrial

    @cached_property
    def average(self) -> NDArray[np.float64]:
        """The weighted mean over tasks."""
        weights = np.array([task.weight for task in self.tasks])
        shares = [
            (task.numbers + 1) / 2 if task.measure.is_correlation else task.numbers
            for task in self.tasks
        ]
        averages: NDArray[np.float64] = weights @ np.stack(shares) / weights.sum()
        return averages

    @cached_property
    def better(self) -> Matrix:
        """p-values of the average: differences of all tasks drawn side by side.

        Tasks of the same segments exchange or draw the same ones. Few items count as the fewest.
        """
        if len(self.tasks) == 1:
            return self.tasks[0].better
        total = sum(task.weight for task in self.tasks)
        parts = []
        for task in self.tasks:
            if task.differences is None:
                return np.full((len(self.metrics),) * 2, np.nan)
            scale = task.weight / total / (2 if task.measure.is_correlation else 1)
            parts.append((scale, task.differences))
        items = min((t.resampled for t in self.tasks if t.resampled is not None), default=None)
        return p_matrix(combined(parts), len(self.metrics), self.trial.compat, items)

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Ranks of the average by significance, 0 where it is nan."""
        return ranks_of(self.average, self.better, self.trial.alpha)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Metrics best first by the average (by the first task if only that has a value)."""
        keys = [np.array(self.metrics), -self.tasks[0].numbers, -self.average]
        return np.lexsort(keys)

    def __repr__(self) -> str:
        """How many metrics in which tasks, and the first, in one line."""
        tasks = ", ".join(task.label for task in self.tasks)
        first = self.metrics[int(self.order[0])]
        return f"<MetaEvaluation of {len(self.metrics)} metrics by {tasks}: {first} first>"


def _extent(counts: Sequence[int]) -> str:
    """One number, or the least and the most."""
    return f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def evaluate_metrics(
    data: Sequence[PairScores],
    measures: Sequence[str | TableMeasure] = USUAL_MEASURES,
    *,
    trial: MetaTrial | None = None,
    progress: Callable[[float], object] | None = None,
) -> MetaEvaluation:
    """Every metric of *data* under every measure, with tests between all pairs of metrics.

    Pairwise accuracy is pooled over language pairs and weighs as much as they together; every
    other measure is a task of its own in each language pair. Tasks in which whole segments are
    exchanged or drawn share the draws of their language pair, so that their average is tested as
    one; every other task has a seed of its own, counted up from the given one. With
    ``compat="mtme"`` measures whose test is not named have that of mt-metrics-eval. *progress* is
    called with shares of the work as they are done, in percent.
    """
    trial = trial or MetaTrial()
    if not data or not measures:
        raise DataError("nothing to evaluate; expected a language pair and a measure")
    metrics = tuple(dict.fromkeys(name for scores in data for name in scores.metrics))
    if not metrics:
        raise DataError("there is no metric to evaluate; give scores or metrics")
    parsed = [table_measure(m) if isinstance(m, str) else m for m in measures]
    if trial.compat:
        parsed = [_as_theirs(measure) for measure in parsed]
    planned: list[tuple[TableMeasure, list[PairScores]]] = []
    for measure in parsed:
        pools = isinstance(measure, PairwiseAccuracy) and len(data) > 1
        planned += [(measure, group) for group in ([[*data]] if pools else [[s] for s in data])]
    work = Work(dict(enumerate(_cost(*plan) for plan in planned)), progress)
    tasks: list[MetaTask] = []
    for number, (measure, group) in enumerate(planned):
        stream = 1000 * number
        if len(group) == 1 and _moves_segments(measure, group[0], trial):
            stream = [scores.pair for scores in data].index(group[0].pair)
        tasks.append(_task(measure, group, metrics, trial, stream, work.of(number)))
        work.finish(number)
    return MetaEvaluation(metrics, tuple(tasks), tuple(data), trial)


def _as_theirs(measure: TableMeasure) -> TableMeasure:
    """A measure with the test of mt-metrics-eval, where segments would be exchanged."""
    if getattr(measure, "test", "") != "segments":
        return measure
    return measure.tested_as("pairs" if isinstance(measure, AccEq) else "scores")


def _moves_segments(measure: TableMeasure, scores: PairScores, trial: MetaTrial) -> bool:
    """Whether segments are what a test exchanges or draws."""
    gold = table_of(scores.gold, measure)
    if gold is None or gold.shape[1] < 2:
        return False
    return trial.test == "bootstrap" or measure.units(gold) is not None


def _cost(measure: TableMeasure, data: Sequence[PairScores]) -> float:
    """About how long the test of a task takes, beside that of another."""
    golds = [table_of(scores.gold, measure) for scores in data]
    cells = sum(float((~np.isnan(gold)).sum()) for gold in golds if gold is not None)
    return 1.0 + measure.test_cost * cells


def _task(
    measure: TableMeasure,
    data: Sequence[PairScores],
    metrics: tuple[str, ...],
    trial: MetaTrial,
    stream: int,
    done: Done | None = None,
) -> MetaTask:
    golds = [table_of(scores.gold, measure) for scores in data]
    if golds[0] is not None:
        measure = measure.for_scores(golds[0])  # only a measure without a scale pools several
    tables = [
        [table_of(scores.metrics[m], measure) if m in scores.metrics else None for m in metrics]
        for scores in data
    ]
    values = _pooled([_values(measure, g, t) for g, t in zip(golds, tables, strict=True)])
    differences, better = None, np.full((len(metrics),) * 2, np.nan)
    resampled = None
    if trial.test == "williams":
        better = _one_sided(williams_p_values(measure, _given(golds[0]), tables[0]), values)
    elif trial.test != "none":
        share = part_of(done, len(data))
        found = [
            _differences(measure, _given(gold), some, trial, stream + place, share)
            for place, (gold, some) in enumerate(zip(golds, tables, strict=True))
        ]
        sizes = [len(scores.systems) * (len(scores.systems) - 1) for scores in data]
        differences = combined([(s / sum(sizes), f) for s, f in zip(sizes, found, strict=True)])
        if trial.test == "bootstrap":
            resampled = min(_items(_given(gold)) for gold in golds)
        better = p_matrix(differences, len(metrics), trial.compat, resampled)
    pair = data[0].pair if len(data) == 1 else EVERY
    return MetaTask(
        pair, measure, tuple(values), better, differences, float(len(data)), trial.alpha, resampled
    )


def _items(gold: Table) -> int:
    """How many segments people judged, or systems where there is one score for each."""
    axis = 0 if gold.shape[1] > 1 else 1
    return int(np.count_nonzero(~np.isnan(gold).all(axis=axis)))


def _differences(
    measure: TableMeasure,
    gold: Table,
    tables: Sequence[Table | None],
    trial: MetaTrial,
    place: int,
    done: Done | None = None,
) -> Exchanged:
    seed = trial.seed + place
    if trial.test == "bootstrap":
        return bootstrap_test(measure, gold, tables, draws=trial.draws, seed=seed, done=done)
    counted = part_of(done, len(all_pairs(len(tables))))
    return permutation_test(measure, gold, tables, Coins(trial.draws, seed, trial.compat), counted)


def table_of(scores: Scores, measure: TableMeasure) -> Table | None:
    """The scores of the level that a measure is about."""
    return scores.systems if getattr(measure, "level", "segment") == "system" else scores.segments


def _given(gold: Table | None) -> Table:
    if gold is None:
        raise DataError("there are no human scores of segments; choose measures of systems")
    return gold


def _values(
    measure: TableMeasure, gold: Table | None, tables: Sequence[Table | None]
) -> list[Value | None]:
    present = [table for table in tables if table is not None]
    found = iter(measure.values(_given(gold), present) if present else [])
    return [None if table is None else next(found) for table in tables]


def _pooled(parts: Sequence[list[Value | None]]) -> list[Value | None]:
    """Shares of pairs of systems, pooled over language pairs; None where one is absent."""
    if len(parts) == 1:
        return parts[0]
    pooled: list[Value | None] = []
    for values in zip(*parts, strict=True):
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            pooled.append(None)
            continue
        sizes = [value.cells * (value.cells - 1) // 2 for value in known]
        right = sum(s * v.value for s, v in zip(sizes, known, strict=True) if s)
        cells, missing = sum(v.cells for v in known), sum(v.missing for v in known)
        share = right / sum(sizes) if sum(sizes) else float("nan")
        pooled.append(Value(share, len(known), 0, cells, missing))
    return pooled


def combined(parts: Sequence[tuple[float, Exchanged]]) -> Exchanged:
    """A weighted sum of differences, draw by draw."""
    observed = sum(weight * found.observed for weight, found in parts)
    drawn = sum(weight * found.drawn for weight, found in parts)
    return Exchanged(np.asarray(observed), np.asarray(drawn))


def p_matrix(
    differences: Exchanged, count: int, compat: str = "", items: int | None = None
) -> Matrix:
    """``[a, b]``: the p-value of a being better than b, both ways; nan on the diagonal.

    Resamples of few *items* scatter too little: p-values are then larger, as intervals are wider.
    """
    better = np.full((count, count), np.nan)
    if count < 2:
        return better
    left, right = np.array(all_pairs(count), np.intp).T
    better[left, right] = differences.p_values(compat=compat)
    opposite = Exchanged(-differences.observed, -differences.drawn)
    better[right, left] = opposite.p_values(compat=compat)
    return better if items is None else one_sided_of_few(better, items)


def _one_sided(p_values: NDArray[np.float64], values: Sequence[Value | None]) -> Matrix:
    """Williams' p-values as a matrix: the worse metric has the rest of the chance."""
    better = np.full((len(values), len(values)), np.nan)
    for (left, right), p in zip(all_pairs(len(values)), p_values.tolist(), strict=True):
        one, two = values[left], values[right]
        if one is None or two is None:
            continue
        ahead, behind = (left, right) if one.value >= two.value else (right, left)
        better[ahead, behind], better[behind, ahead] = p, 1 - p
    return better


def ranks_of(values: NDArray[np.float64], better: Matrix, alpha: float) -> NDArray[np.int64]:
    """Greedy ranks of the metrics that have a value; 0 for the others, and for all untested."""
    known = np.flatnonzero(~np.isnan(values))
    if np.isnan(better).all() and len(values) > 1:
        return np.zeros(len(values), np.int64)
    order = known[np.argsort(-values[known], kind="stable")]
    ranks = np.zeros(len(values), np.int64)
    ranks[order] = greedy_ranks(better[np.ix_(order, order)], alpha=alpha)
    return ranks
