"""Reciprocal rank: how far up is the item that people put first."""

from dataclasses import dataclass
from typing import ClassVar

from rankwise.agreement.lists.list_measure import MeanMeasure, Request, check_order
from rankwise.agreement.lists.normalisation import ties_code


@dataclass(frozen=True, kw_only=True)
class Mrr(MeanMeasure):
    r"""Mean reciprocal rank: 1 over the predicted rank of the item that gold puts first.

    .. math:: \text{MRR} = \frac{1}{n} \sum_{j=1}^{n} \frac{1}{\text{rank}_{j,i}}

    *Ties* of gold at the top are resolved in the ranker's favour: the first of these items counts.
    A tie of predicted ranks is valued by its normalised rank (``order=ranked``, with *ties*: m
    items tied at the top give 1/m under ceiling), or by the place of that item in a random
    (``expected``), the ``worst`` or the ``best`` order of the tied items. Undefined for a list
    without ranked items. Radev et al. (2002); Avramidis (2013), PBML 100, eq. 5 and 6.

    >>> Mrr().segments([[2, 1, 3], [1, 1, 2]], [[1, 2, 3], [1, 2, 3]]).tolist()
    [0.5, 0.5]
    >>> Mrr(order="expected").segments([[1, 1, 2]], [[1, 2, 3]]).tolist()
    [0.75]
    """

    name: ClassVar[str] = "mrr"

    ties: str = "ceiling"
    order: str = "ranked"

    def __post_init__(self) -> None:
        """Check the options."""
        ties_code(self.name, self.ties)
        check_order(self.name, self.order, ["ranked"])

    @property
    def request(self) -> Request:
        """The reciprocal rank of every list."""
        return Request("reciprocal", self.ties, self.order)
