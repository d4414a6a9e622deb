"""From scores that people gave to preferences between systems (daRR)."""

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Assessments, Judgments, ScoreTable


def relative_rankings(
    scores: ScoreTable | Assessments,
    *,
    threshold: float = 25.0,
    strict: bool = True,
    by_judge: bool = False,
) -> Judgments:
    r"""Every pair of systems that people told clearly apart on a segment, as a ranking of two.

    .. math:: i \succ j \iff h_i - h_j > \text{threshold}

    Assessments are first averaged per system and segment; *by_judge* standardises every judge's
    values before that, and *threshold* then is in deviations. *Ties*: differences up to the
    threshold give nothing; ``strict=False`` keeps those that equal it, as mt-metrics-eval does
    (a threshold of 0 then keeps ties as ties). A missing score gives nothing. WMT17-20 called
    this daRR: Bojar et al. (2017), threshold 25 points of 100.

    >>> table = ScoreTable(("A", "B", "C"), ("1",), np.array([[90.0], [60.0], [50.0]]))
    >>> [(r.systems, r.ranks) for r in relative_rankings(table)]
    [(('A', 'B'), (1.0, 2.0)), (('A', 'C'), (1.0, 2.0))]
    """
    if not 0 <= threshold < np.inf:
        raise DataError(f"threshold is {threshold}; expected a number from 0")
    if isinstance(scores, Assessments):
        scores = scores.scores(by_judge=by_judge)
    elif by_judge:
        raise DataError("a table of scores has no judges; give assessments, or by_judge=False")
    left, right = np.triu_indices(len(scores.systems), 1)
    difference = (scores.values[left] - scores.values[right]).T  # (segments, pairs)
    size = np.abs(difference)
    with np.errstate(invalid="ignore"):  # nan compares false, which leaves it out
        kept = size > threshold if strict else size >= threshold
    segment, pair = np.nonzero(kept)
    sign = np.sign(difference[segment, pair])
    first = np.where(sign >= 0, left[pair], right[pair])
    second = np.where(sign >= 0, right[pair], left[pair])
    return _pairs(scores, segment, first, second, sign == 0)


def _pairs(
    table: ScoreTable,
    segment: NDArray[np.intp],
    better: NDArray[np.intp],
    worse: NDArray[np.intp],
    is_tied: NDArray[np.bool_],
) -> Judgments:
    count = len(segment)
    return Judgments(
        table.systems,
        table.segments,
        (table.name or "scores",),
        (("", ""),),
        starts=np.arange(0, 2 * count + 1, 2, dtype=np.int64),
        system=np.stack([better, worse], axis=1).ravel().astype(np.int32),
        rank=np.stack([np.ones(count), np.where(is_tied, 1.0, 2.0)], axis=1).ravel(),
        output=np.tile(np.array([0, 1], np.int16), count),
        segment=segment.astype(np.int32),
        judge=np.zeros(count, np.int32),
        language=np.zeros(count, np.int16),
        screen=np.arange(count, dtype=np.int64),
    )
