"""What people say of the item that was predicted best."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankwise.agreement.lists.list_measure import MeanMeasure, Request, check_order, columns_of
from rankwise.agreement.lists.normalisation import ties_code
from rankwise.agreement.lists.ranked_lists import Lists, RankedLists
from rankwise.errors import DataError


@dataclass(frozen=True, kw_only=True)
class AveragePredicted(MeanMeasure):
    """Average predicted: the mean gold rank of the item predicted best; 1 is best.

    Gold ranks are normalised by *ties*. Of several items *tied* as best the one that people ranked
    worst counts (``order=worst``, as in RankEval), the best, or the mean (``expected``). Undefined
    for a list without ranked items. Avramidis (2013), PBML 100, section 3.5.

    >>> AveragePredicted().macro([[1, 2, 3], [1, 1, 2]], [[2, 1, 3], [1, 2, 3]])
    2.0
    """

    name: ClassVar[str] = "avg-predicted"
    higher_is_better: ClassVar[bool] = False

    ties: str = "ceiling"
    order: str = "worst"

    def __post_init__(self) -> None:
        """Check the options."""
        ties_code(self.name, self.ties)
        check_order(self.name, self.order)

    @property
    def request(self) -> Request:
        """The gold rank of the item predicted best."""
        return Request("best_rank", self.ties, self.order)


@dataclass(frozen=True, kw_only=True)
class Bph(MeanMeasure):
    """Best predicted versus human: in which share of the lists has the predicted best this rank.

    ``bph@1`` is how often the prediction picks what people put first; the vector over all ranks is
    :func:`best_predicted_vs_human`. Gold ranks are normalised by *ties* (``minimize``, as in
    RankEval); of several items *tied* as best the one that people ranked worst counts
    (``order=worst``), the best, or each by its share (``expected``). Undefined for a list without
    ranked items. Avramidis (2013), PBML 100, section 3.5.

    >>> Bph(rank=2).macro([[1, 2, 3], [1, 1, 2]], [[1, 2, 3], [1, 2, 3]])
    0.5
    """

    name: ClassVar[str] = "bph"
    at: ClassVar[str | None] = "rank"

    rank: int | float = 1
    ties: str = "minimize"
    order: str = "worst"

    def __post_init__(self) -> None:
        """Check the options."""
        ties_code(self.name, self.ties)
        check_order(self.name, self.order)
        if isinstance(self.rank, bool) or not 1 <= self.rank < np.inf:
            raise DataError(f"bph: rank is {self.rank!r}; expected a number of at least 1")

    @property
    def request(self) -> Request:
        """Whether the item predicted best has the rank."""
        return Request("best_share", self.ties, self.order, value=float(self.rank))


def best_predicted_vs_human(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    *,
    ties: str = "minimize",
    order: str = "worst",
) -> Mapping[float, int]:
    """In how many lists the item predicted best has each of the gold ranks, best rank first.

    *Ties* as in :class:`Bph`; ranks that do not occur are absent. Lists without ranked items are
    not counted. Avramidis (2013), PBML 100, section 3.5.

    >>> best_predicted_vs_human([[1, 2], [2, 1], [1, 2]], [[1, 2], [1, 2], [1, 1]])
    {1.0: 2, 2.0: 1}
    """
    request = AveragePredicted(ties=ties, order=order).request
    ranks = columns_of([request], RankedLists.of(predicted, gold))[request][:, 0]
    values, counts = np.unique(ranks[~np.isnan(ranks)], return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
