"""What a measure of ranked lists is: rows of statistics that add up, one per list, and a score."""

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.agreement.lists.normalisation import ties_code
from rankwise.agreement.lists.ranked_lists import Lists, RankedLists
from rankwise.errors import DataError
from rankwise.types.named import Named, check_choice

Rows = NDArray[np.float64]
Quantity = Literal["pairs", "reciprocal", "gains", "err", "best_rank", "best_share"]

#: What the native core counts in a list, in the order in which it numbers them.
QUANTITIES: Sequence[str] = get_args(Quantity)
#: What becomes of predicted ties, in the order in which the native core numbers it.
ORDERS = ("expected", "worst", "best", "ranked", "overwritten")
_WIDTHS = {"pairs": 8, "gains": 2}


class Request(NamedTuple):
    """What a measure wants the native core to count in every list."""

    quantity: Quantity
    ties: str = "ceiling"
    order: str = "expected"
    depth: int | None = None
    value: float = 0.0

    @property
    def width(self) -> int:
        """How many columns it gives."""
        return _WIDTHS.get(self.quantity, 1)

    @property
    def codes(self) -> tuple[int, int, int, int]:
        """What the native core calls it."""
        order, depth = ORDERS.index(self.order), self.depth or 0
        return QUANTITIES.index(self.quantity), ties_code("ties", self.ties), order, depth


@dataclass(frozen=True, kw_only=True)
class ListMeasure(Named):
    """A measure of predicted against gold ranks; its fields are its options.

    ``statistics`` gives one row per list; rows may be summed; ``score`` turns rows (any leading
    axes, statistics on the last) into values. A value is nan where it is undefined.
    """

    kind: ClassVar[str] = "measure of ranked lists"
    higher_is_better: ClassVar[bool] = True
    #: The option that may be written behind an @, as in ``ndcg@5``.
    at: ClassVar[str | None] = None
    #: Why a list has no value.
    undefined: ClassVar[str] = "no item is ranked on both sides"

    @property
    @abstractmethod
    def request(self) -> Request:
        """What the native core counts for this measure."""

    @abstractmethod
    def rows(self, columns: Rows) -> Rows:
        """Rows that may be summed, from what was counted."""

    @abstractmethod
    def score(self, rows: Any) -> Any:
        """Values of rows: a float for one row, an array for a stack of rows."""

    def statistics(self, predicted: Lists | RankedLists, gold: Lists | None = None) -> Rows:
        """One row per list, (n, k); rows may be summed.

        Both sides are lists of ranks over the same items (smaller is better, None or nan where not
        ranked), arrays, or :class:`~rankwise.types.Judgments`.
        """
        return rows_of([self], RankedLists.of(predicted, gold))[0]

    def segments(self, predicted: Lists | RankedLists, gold: Lists | None = None) -> Rows:
        """The value of every list, nan where it is undefined."""
        return np.asarray(self.score(self.statistics(predicted, gold)), np.float64)

    def micro(self, predicted: Lists | RankedLists, gold: Lists | None = None) -> float:
        """The value of all lists together: the score of the sum of their rows."""
        return float(self.score(self.statistics(predicted, gold).sum(axis=0)))

    def macro(self, predicted: Lists | RankedLists, gold: Lists | None = None) -> float:
        """The mean value of the lists that have one; nan if none has."""
        values = self.segments(predicted, gold)
        defined = values[~np.isnan(values)]
        return float(defined.mean()) if len(defined) else float("nan")

    def __str__(self) -> str:
        """The name and the options that differ from their defaults, ``ndcg@5:ties=floor``."""
        name, *options = super().__str__().split(":")
        behind = [o.partition("=")[2] for o in options if o.startswith(f"{self.at}=")]
        options = [o for o in options if not o.startswith(f"{self.at}=")]
        return ":".join(["@".join([name, *behind]), *options])


@dataclass(frozen=True, kw_only=True)
class MeanMeasure(ListMeasure):
    """A measure whose value of all lists is the mean of their values: rows ``[value, 1]``.

    A list without a value has the row ``[0, 0]``; the mean of nothing is nan.
    """

    def rows(self, columns: Rows) -> Rows:
        """``[value, 1]`` of every list, ``[0, 0]`` where it has none."""
        return mean_rows(self.values(columns))

    def values(self, columns: Rows) -> Rows:
        """The value of every list, nan where it has none."""
        return columns[:, 0]

    def score(self, rows: Any) -> Any:
        """Means of (sums of) rows."""
        return mean_score(self.name, rows)


def mean_rows(values: Rows, weights: Rows | None = None) -> Rows:
    """Rows ``[weight * value, weight]``, zeros where the value is nan."""
    defined = ~np.isnan(values)
    rows = np.zeros((*values.shape, 2))
    rows[..., 1] = defined if weights is None else np.where(defined, weights, 0.0)
    np.multiply(values, rows[..., 1], out=rows[..., 0], where=defined)
    return rows


def mean_score(owner: str, rows: Any) -> Any:
    """Means of (sums of) rows ``[weight * value, weight]``, nan where nothing was counted."""
    rows = check_rows(owner, rows, 2)
    return ratio(rows[..., 0], rows[..., 1])


def ratio(over: Rows, under: Rows) -> Any:
    """``over / under``, nan where that is 0 / 0; a float for one pair of numbers."""
    values = np.full(over.shape, np.nan)
    np.divide(over, under, out=values, where=under != 0)
    return float(values) if values.ndim == 0 else values


def check_rows(owner: str, rows: Any, columns: int) -> Rows:
    """*rows* as an array, or a clear error unless its last axis has *columns* statistics."""
    array = np.asarray(rows, np.float64)
    if array.ndim == 0 or array.shape[-1] != columns:
        raise DataError(
            f"{owner}: statistics of shape {array.shape}; expected {columns} on the last axis"
        )
    return array


def check_order(owner: str, order: object, more: Sequence[str] = ()) -> None:
    """Raise unless *order* says what becomes of predicted ties."""
    check_choice(owner, "order", order, (*more, "expected", "worst", "best"))


def check_depth(owner: str, k: object) -> None:
    """Raise unless *k* is None or a whole number from 1."""
    if k is None or (isinstance(k, int | np.integer) and not isinstance(k, bool) and k >= 1):
        return
    raise DataError(f"{owner}: k is {k!r}; expected a whole number of at least 1")


def rows_of(measures: Sequence[ListMeasure], lists: RankedLists) -> list[Rows]:
    """The rows of several measures, counted in one pass over the lists."""
    requests = list(dict.fromkeys(measure.request for measure in measures))
    columns = columns_of(requests, lists)
    return [measure.rows(columns[measure.request]) for measure in measures]


def columns_of(requests: Sequence[Request], lists: RankedLists) -> dict[Request, Rows]:
    """What the native core counts for each of several requests, a row per list."""
    if not requests:
        return {}
    counted = _core.ranked_list_rows(
        lists.starts,
        lists.predicted,
        lists.gold,
        np.array([request.codes for request in requests], np.int64),
        np.array([request.value for request in requests], np.float64),
    )
    ends = np.cumsum([request.width for request in requests])
    return dict(zip(requests, np.split(counted, ends[:-1], axis=1), strict=True))


_AT = re.compile(r"([a-z-]+)@([^:]+)")


def without_at(text: str, at: Any) -> str:
    """``name@value`` as ``name:option=value``; *at* gives the option of a name, or None.

    >>> without_at("ndcg@5:ties=floor", {"ndcg": "k"}.get)
    'ndcg:k=5:ties=floor'
    """
    found = _AT.match(text)
    if found is None:
        return text
    name, value = found.groups()
    option = at(name)
    if option is None:
        raise DataError(f"measure {name!r} takes nothing behind an @; found {text!r}")
    return f"{name}:{option}={value}{text[found.end() :]}"
