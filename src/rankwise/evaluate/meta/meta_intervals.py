"""Confidence intervals of every value of a meta-evaluation."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.tables.confidence import VARIANCES, fisher_interval
from rankwise.agreement.tables.score_cells import Table
from rankwise.evaluate.meta.meta_evaluation import EVERY, MetaEvaluation, MetaTask, table_of
from rankwise.evaluate.meta.meta_tests import resampled_values
from rankwise.evaluate.work_done import Done, Work
from rankwise.significance.few_items import intervals_of_few

#: Low and high ends, one of each per metric; nan where there is no interval.
Ends = tuple[NDArray[np.float64], NDArray[np.float64]]


def meta_intervals(
    found: MetaEvaluation, *, level: float = 0.95, progress: Done | None = None
) -> Mapping[str, Ends]:
    """Intervals by the label of the task.

    Correlations of systems have Fisher's interval, for systems are few and drawn independently;
    everything else has percentiles of resamples of segments, as many as the test draws, wider where
    people scored few. Pooled
    accuracy has none (nan): there is no single set of segments to resample. *progress* is called
    with shares of the work as they are done, in percent.
    """
    work = Work({task.label: task.measure.test_cost for task in found.tasks}, progress)
    ends: dict[str, Ends] = {}
    for task in found.tasks:
        ends[task.label] = _ends(found, task, level, work.of(task.label))
        work.finish(task.label)
    return ends


def _ends(found: MetaEvaluation, task: MetaTask, level: float, done: Done | None) -> Ends:
    nothing = np.full(len(found.metrics), np.nan)
    if task.pair == EVERY:
        return nothing, nothing
    if getattr(task.measure, "level", "segment") == "system":
        return _fisher(task, level)
    scores = next(scores for scores in found.data if scores.pair == task.pair)
    gold = table_of(scores.gold, task.measure)
    metrics: list[Table | None] = [
        table_of(scores.metrics[name], task.measure) if name in scores.metrics else None
        for name in found.metrics
    ]
    if gold is None:
        return nothing, nothing
    trial = found.trial
    drawn = resampled_values(
        task.measure, gold, metrics, draws=trial.draws, seed=trial.seed, done=done
    )
    judged = int(np.count_nonzero(~np.isnan(gold).all(axis=0)))
    intervals = intervals_of_few(drawn, [judged] * len(metrics), level=level)
    return intervals.low, intervals.high


def _fisher(task: MetaTask, level: float) -> Ends:
    if task.measure.name not in VARIANCES:
        nothing = np.full(len(task.values), np.nan)
        return nothing, nothing
    ends = [
        (np.nan, np.nan)
        if value is None
        else fisher_interval(value.value, value.cells, kind=task.measure.name, level=level)
        for value in task.values
    ]
    low, high = np.array(ends).T
    return low, high
