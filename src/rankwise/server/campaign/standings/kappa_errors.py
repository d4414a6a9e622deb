r"""How sure the kappa of a single judge is, with segments as what was drawn.

Labels of one segment depend on each other, so their sums by segment are what varies. Kappa is

.. math:: \kappa = 1 - \frac{1 - p_A}{1 - p_E}, \qquad p_A = \frac{\sum a_s}{\sum n_s}, \qquad
          p_E = p_=^2 + \frac{(1 - p_=)^2}{2}, \qquad p_= = \frac{\sum t_s}{\sum l_s}

with the identical and comparable pairs of labels :math:`a_s, n_s` and the ties and labels
:math:`t_s, l_s` of segment s. Its linear part in segment s, and its variance from S segments, are

.. math:: u_s = \frac{a_s - p_A n_s}{(1 - p_E) \sum n_s}
                - \frac{(1 - p_A)(3 p_= - 1)}{(1 - p_E)^2} \frac{t_s - p_= l_s}{\sum l_s}, \qquad
          v = \frac{S}{S - 1} \sum_s u_s^2

and the interval is that of Student's t with S - 1 degrees of freedom. Undefined (nan) for a judge
who shares labels in fewer than two segments. Liang and Zeger (1986), Biometrika 73.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from rankwise.agreement.judges.annotators import WmtKappa
from rankwise.agreement.judges.judge_labels import Labels, labels
from rankwise.agreement.judges.label_pairs import (
    LabelCounts,
    in_repeating_blocks,
    own_pairs_by_judge,
    shared_pairs_by_judge,
    ties_and_labels,
)
from rankwise.server.campaign.shares import LEVEL
from rankwise.types import Judgments

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Cells:
    """Sums for every judge and segment: pairs [identical, comparable] and [ties, labels].

    ``everywhere`` are the ties and labels of all segments, where chance is the same for all judges.
    """

    judge: NDArray[np.int64]
    pairs: NDArray[np.int64]
    ties: NDArray[np.int64]
    everywhere: NDArray[np.int64] | None = None


def kappa_widths(judgments: Judgments, per_judge: NDArray[np.int64], *, own: bool) -> Numbers:
    """Half the width of the interval of every judge's kappa, with others or (*own*) themselves.

    *per_judge* holds the sums of every judge, as ``AnnotatorAgreement`` has them.
    """
    cells, sums = _cells(labels(judgments), own=own), per_judge.astype(np.float64)
    judge, size = cells.judge, len(sums)
    segments = np.bincount(judge, cells.pairs[:, 1] > 0, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = _squares(cells, sums)
        wide = stdtrit(segments - 1, (1 + LEVEL) / 2) * np.sqrt(squares * segments / (segments - 1))
    return np.where(segments > 1, wide, np.nan)


def _squares(cells: _Cells, sums: Numbers) -> Numbers:
    """The sum of the squared linear parts over segments, for every judge."""
    measure, judge, size = WmtKappa(), cells.judge, len(sums)
    observed, expected = measure.observed(sums), measure.expected(sums)
    tied = sums[:, 2] / sums[:, 3]
    by_pairs = 1 / (1 - expected) / sums[:, 1]
    by_ties = (1 - observed) * (3 * tied - 1) / (1 - expected) ** 2 / sums[:, 3]
    apart = cells.ties[:, 0] - tied[judge] * cells.ties[:, 1]
    parts = by_pairs[judge] * (cells.pairs[:, 0] - observed[judge] * cells.pairs[:, 1])
    found = np.bincount(judge, (parts - by_ties[judge] * apart) ** 2, size)
    if cells.everywhere is not None and size:  # ties of segments that the judge did not see
        every = cells.everywhere[:, 0] - tied[0] * cells.everywhere[:, 1]
        found += by_ties**2 * ((every**2).sum() - np.bincount(judge, apart**2, size))
    return np.asarray(found)


def _cells(found: Labels, *, own: bool) -> _Cells:
    counts, judges = LabelCounts.of(found), max(1, found.judges)
    of_block = found.segment_of[counts.block_item] * judges + counts.block_judge
    keys, block = np.unique(of_block, return_inverse=True)
    cell = np.searchsorted(keys, found.segment_of[counts.item] * judges + counts.judge)
    # a judge in a segment counts like a judge
    by_cell = replace(counts, judge=cell, block_judge=block)
    pairs = own_pairs_by_judge if own else shared_pairs_by_judge
    segment, judge = np.divmod(keys, judges)
    of_pairs = pairs(by_cell, replace(found, judges=len(keys)))
    if own:
        repeating = in_repeating_blocks(counts, found)
        item, sign = found.item[repeating], found.sign[repeating]
        key = found.segment_of[item] * judges + found.judge[repeating]
        ties = ties_and_labels(np.searchsorted(keys, key), sign, len(keys))
        return _Cells(judge, of_pairs, ties)
    everywhere = ties_and_labels(found.segment_of[found.item], found.sign, found.segments)
    return _Cells(judge, of_pairs, everywhere[segment], everywhere)
