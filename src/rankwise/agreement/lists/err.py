"""Expected reciprocal rank: where does a reader stop who stops at what satisfies."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankwise.agreement.lists.gain import check_compat, check_finite
from rankwise.agreement.lists.list_measure import (
    MeanMeasure,
    Request,
    Rows,
    check_depth,
    check_order,
)
from rankwise.agreement.lists.normalisation import ties_code
from rankwise.errors import DataError

_TOPS = {"items": 0.0, "observed": -1.0}


@dataclass(frozen=True, kw_only=True)
class Err(MeanMeasure):
    r"""Expected reciprocal rank under the cascade model, the mean over lists.

    .. math:: \text{ERR} = \sum_{r=1}^{n} \frac{1}{r} R_r \prod_{i=1}^{r-1} (1 - R_i),
              \quad R_i = \frac{2^{\text{rel}_i} - 1}{2^{\text{rel}_{\max}}}

    The relevance of one of n items is n + 1 minus its gold rank, normalised by *ties*; *rel_max* is
    the number of ``items`` (what RankEval takes), the highest relevance ``observed`` in the list,
    or a number. Only the first *k* places count, all of them without it.

    *Ties* of predicted ranks: the mean over all orders of the tied items (``order=expected``), the
    ``worst`` or the ``best`` order. With going-on chances :math:`q = 1 - R` of m tied items, the
    reader passes j of them in random order with chance :math:`M_j = e_j(q) / \binom{m}{j}`, the
    elementary symmetric mean, so the expectation needs no enumeration. Undefined for a list without
    ranked items. ``compat=rankeval`` gives the value of RankEval (2013), where of tied items only
    the last in input order keeps its gain, and *k* is ignored. Chapelle et al. (2009), CIKM.

    >>> Err().segments([[1, 2], [2, 1]], [[1, 2], [1, 2]]).tolist()
    [0.78125, 0.53125]
    >>> Err().segments([[1, 1]], [[1, 2]]).tolist()  # the mean of the two
    [0.65625]
    """

    name: ClassVar[str] = "err"
    at: ClassVar[str | None] = "k"

    k: int | None = None
    ties: str = "ceiling"
    order: str = "expected"
    rel_max: float | str = "items"
    compat: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        check_depth(self.name, self.k)
        ties_code(self.name, self.ties)
        check_order(self.name, self.order)
        check_compat(self.name, self.compat, self.ties)
        if self.rel_max not in _TOPS and not _is_grade(self.rel_max):
            raise DataError(
                f"err: rel_max is {self.rel_max!r}; expected items, observed or a number above 0"
            )

    @property
    def request(self) -> Request:
        """ERR of every list."""
        order = "overwritten" if self.compat else self.order
        top = _TOPS[self.rel_max] if isinstance(self.rel_max, str) else float(self.rel_max)
        return Request("err", self.ties, order, self.k, top)

    def values(self, columns: Rows) -> Rows:
        """ERR of every list; a relevance above *rel_max* is an error."""
        check_finite(self.name, columns[:, 0], f"a relevance above rel_max={self.rel_max}")
        return columns[:, 0]


def _is_grade(value: object) -> bool:
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return is_number and 0 < float(value) < np.inf  # type: ignore[arg-type]
