"""Predicted and gold ranks of many lists of items, side by side as columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.types import Judgments, ScoreTable

#: Lists of ranks (None or nan where not ranked), an array of lists, rankings of named systems, or
#: (only as the predicted side) their scores.
Lists = Sequence[Sequence[float | None]] | NDArray[Any] | Judgments | ScoreTable


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """Two rankings of every list of items, smaller is better, nan is not ranked.

    List ``i`` owns the items ``starts[i] : starts[i + 1]`` of ``predicted`` and ``gold``.
    ``labels`` names the lists, where they have names; ``notes`` says in sentences what of the input
    is not here.
    """

    starts: NDArray[np.int64]
    predicted: NDArray[np.float64]
    gold: NDArray[np.float64]
    labels: Sequence[str] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many items each list has, ranked or not."""
        return np.diff(self.starts)

    def part(self, first: int, last: int) -> "RankedLists":
        """The lists *first* to *last* - 1, without a copy; names and notes stay behind."""
        begin, end = int(self.starts[first]), int(self.starts[last])
        starts = self.starts[first : last + 1] - begin
        return RankedLists(starts, self.predicted[begin:end], self.gold[begin:end])

    @classmethod
    def of(cls, predicted: "Lists | RankedLists", gold: Lists | None = None) -> "RankedLists":
        """The lists of two parallel inputs: list by list, or :class:`Judgments` by their names.

        Rankings are joined by segment, and by judge and screen where the predicted ones need it
        (see ``joined_lists``). A :class:`ScoreTable` ranks the
        systems of every gold ranking by their scores, higher is better.

        >>> RankedLists.of([[1, 2], [1, None]], [[2, 1], [1, 2]]).predicted
        array([ 1.,  2.,  1., nan])
        """
        if isinstance(predicted, RankedLists):
            return predicted
        if isinstance(gold, Judgments) and isinstance(predicted, Judgments | ScoreTable):
            from rankwise.agreement.lists.joined_lists import (  # they return it
                joined_lists,
                scored_lists,
            )

            if isinstance(predicted, ScoreTable):
                return scored_lists(predicted, gold)
            return joined_lists(predicted, gold)
        named = Judgments | ScoreTable
        if isinstance(predicted, named) or isinstance(gold, named) or gold is None:
            found = f"{type(predicted).__name__} and {type(gold).__name__}"
            raise DataError(
                f"ranks are {found}; expected Judgments (or scores) and Judgments, or lists twice"
            )
        starts, values = _columns(predicted, "predicted")
        gold_starts, gold_values = _columns(gold, "gold")
        _check_parallel(starts, gold_starts)
        return cls(starts, values, gold_values)


def _columns(lists: Any, side: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    expected = "expected a list of numbers (None where not ranked) for every segment"
    if isinstance(lists, np.ndarray) and lists.dtype != object:
        if lists.ndim != 2 or lists.dtype.kind not in "biuf":
            raise DataError(
                f"{side} ranks are {lists.dtype} of shape {lists.shape}; expected (lists, items)"
            )
        count, width = lists.shape
        starts = np.arange(count + 1, dtype=np.int64) * width
        return starts, np.ascontiguousarray(lists, np.float64).ravel()
    if isinstance(lists, str | bytes) or not isinstance(lists, Sequence | np.ndarray):
        raise DataError(f"{side} ranks are a {type(lists).__name__}; {expected}")
    try:
        starts, values = _core.flat_lists(cast(Any, lists))
    except TypeError as error:
        raise DataError(f"{side} ranks: {error}; {expected}") from error
    return starts[0], values[0]


def _check_parallel(predicted: NDArray[np.int64], gold: NDArray[np.int64]) -> None:
    if len(predicted) != len(gold):
        raise DataError(
            f"{len(predicted) - 1} predicted lists but {len(gold) - 1} gold lists; "
            "expected one of each for every segment"
        )
    unequal = np.flatnonzero(np.diff(predicted) != np.diff(gold))
    if len(unequal):
        place = int(unequal[0])
        sizes = [int(starts[place + 1] - starts[place]) for starts in (predicted, gold)]
        raise DataError(
            f"list {place + 1} has {sizes[0]} predicted ranks and {sizes[1]} gold ranks; "
            "expected the same items on both sides"
        )
