"""Discounted cumulated gain: good items count, and count more the further up they are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankwise.agreement.lists.list_measure import (
    MeanMeasure,
    Request,
    Rows,
    check_depth,
    check_order,
    ratio,
)
from rankwise.agreement.lists.normalisation import ties_code
from rankwise.errors import DataError
from rankwise.types.named import check_choice

_RAW, _SCALED, _LINEAR = 0.0, 1.0, 2.0


@dataclass(frozen=True, kw_only=True)
class CumulatedGain(MeanMeasure):
    """What DCG, IDCG and NDCG share.

    The relevance of one of n items is n + 1 minus its gold rank, normalised by *ties*; its gain is
    2^relevance - 1, or the relevance itself with ``gain=linear``. Only the first *k* places count,
    all of them without it. *Ties* of predicted ranks: the mean over all orders of the tied items
    (``order=expected``), the ``worst`` or the ``best`` order.
    """

    at: ClassVar[str | None] = "k"

    k: int | None = None
    ties: str = "ceiling"
    order: str = "expected"
    gain: str = "exponential"

    def __post_init__(self) -> None:
        """Check the options."""
        check_depth(self.name, self.k)
        ties_code(self.name, self.ties)
        check_order(self.name, self.order)
        check_choice(self.name, "gain", self.gain, ("exponential", "linear"))

    @property
    def request(self) -> Request:
        """DCG and the ideal DCG of every list."""
        gain = _LINEAR if self.gain == "linear" else _RAW
        return Request("gains", self.ties, self.order, self.k, gain)


@dataclass(frozen=True, kw_only=True)
class Dcg(CumulatedGain):
    r"""Discounted cumulated gain of the predicted order, the mean over lists.

    .. math:: \text{DCG}_k = \sum_{i=1}^{k} \frac{2^{\text{rel}_i} - 1}{\log_2(i + 1)}

    Options as in :class:`CumulatedGain`. Undefined for a list without ranked items. A list of 1,024
    items or more has no finite exponential gain. Järvelin and Kekäläinen (2002).

    >>> Dcg().segments([[1, 2], [2, 1]], [[1, 2], [1, 2]]).round(4).tolist()
    [3.6309, 2.8928]
    """

    name: ClassVar[str] = "dcg"

    def values(self, columns: Rows) -> Rows:
        """DCG of every list."""
        check_finite(self.name, columns[:, 0], "1,024 items or more and no finite gain")
        return columns[:, 0]


@dataclass(frozen=True, kw_only=True)
class Idcg(CumulatedGain):
    """Ideal discounted cumulated gain: that of the gold order, the mean over lists.

    Predicted ranks matter only where one is missing: then the item is left out on both sides.

    >>> Idcg().segments([[2, 1]], [[1, 2]]).round(4).tolist()
    [3.6309]
    """

    name: ClassVar[str] = "idcg"

    def values(self, columns: Rows) -> Rows:
        """The ideal DCG of every list."""
        check_finite(self.name, columns[:, 1], "1,024 items or more and no finite gain")
        return columns[:, 1]


@dataclass(frozen=True, kw_only=True)
class Ndcg(CumulatedGain):
    r"""Discounted cumulated gain as a share of the ideal one, the mean over lists.

    .. math:: \text{NDCG}_k = \text{DCG}_k / \text{IDCG}_k

    Options as in :class:`CumulatedGain`. Undefined for a list without ranked items; 1 where gold
    ties all. ``compat=rankeval`` gives the value of RankEval (2013), where of tied items only the
    last in input order keeps its gain. Wang et al. (2013); Avramidis (2013), PBML 100, eq. 8.

    >>> Ndcg().segments([[1, 1, 2]], [[1, 2, 3]]).round(4).tolist()
    [0.9214]
    >>> bounds = [Ndcg(order=order) for order in ("worst", "best")]
    >>> [round(b.macro([[1, 1, 2]], [[1, 2, 3]]), 4) for b in bounds]
    [0.8428, 1.0]
    >>> print(Ndcg(k=5))
    ndcg@5
    """

    name: ClassVar[str] = "ndcg"

    compat: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_compat(self.name, self.compat, self.ties)

    @property
    def request(self) -> Request:
        """DCG and the ideal DCG of every list, on a scale that cannot overflow."""
        order = "overwritten" if self.compat else self.order
        gain = _LINEAR if self.gain == "linear" else _SCALED
        return Request("gains", self.ties, order, self.k, gain)

    def values(self, columns: Rows) -> Rows:
        """NDCG of every list."""
        values: Rows = ratio(columns[:, 0], columns[:, 1])
        return values


def check_finite(owner: str, values: Rows, reason: str) -> None:
    """Raise if the value of a list is infinite, which has a *reason*."""
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise DataError(f"{owner}: list {int(infinite[0]) + 1} has {reason}")


def check_compat(owner: str, compat: str | None, ties: str) -> None:
    """Raise unless *compat* is a tool that we can follow; RankEval knew one way to rank ties."""
    check_choice(owner, "compat", compat, (None, "rankeval"))
    if compat and ties != "ceiling":
        raise DataError(f"{owner}: compat=rankeval ranks ties by ceiling; found ties={ties}")
