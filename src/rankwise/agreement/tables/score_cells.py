"""The cells that several tables of scores share, packed group by group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.errors import DataError
from rankwise.types.named import check_choice

Table = NDArray[np.float64]
GROUPINGS = ("none", "item", "system")


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Scores of the cells that every table has, in groups.

    ``scores[t, c]`` is what table t says of cell c; group g owns the cells from ``starts[g]`` to
    ``starts[g + 1]``. ``missing`` counts the cells that lack a score in some table, and
    ``places[c]`` is where cell c was in the (flattened) table.
    """

    scores: NDArray[np.float64]
    starts: NDArray[np.int64]
    missing: int
    places: NDArray[np.int64]

    @property
    def gold(self) -> NDArray[np.float64]:
        """The scores of the first table."""
        gold: NDArray[np.float64] = self.scores[0]
        return gold

    @property
    def metric(self) -> NDArray[np.float64]:
        """The scores of the second table."""
        metric: NDArray[np.float64] = self.scores[1]
        return metric

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many cells every group has."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return int(self.scores.shape[1])


def pack(tables: Sequence[ArrayLike], grouping: str = "none") -> Cells:
    """The cells with a score (not nan) in all *tables*, which are (systems, segments).

    Groups are one group of all cells (``none``), one per segment (``item``) or one per system;
    a list of numbers is a table with one segment. Groups without any cell are left out.

    >>> cells = pack([[[1, 2], [3, np.nan]], [[5, 6], [7, 8]]], "item")
    >>> cells.metric, cells.starts, cells.missing
    (array([5., 7., 6.]), array([0, 2, 3]), 1)
    """
    check_choice("measure", "grouping", grouping, GROUPINGS)
    stacked = _stacked(tables)
    order = np.arange(stacked[0].size).reshape(stacked[0].shape)
    if grouping == "item":
        stacked, order = stacked.transpose(0, 2, 1), order.T
    present = ~np.isnan(stacked).any(axis=0)
    sizes = [int(present.sum())] if grouping == "none" else present.sum(axis=1)
    kept = np.array([size for size in sizes if size], np.int64)
    return Cells(
        np.ascontiguousarray(stacked[:, present]),
        np.concatenate(([0], np.cumsum(kept))).astype(np.int64),
        int(present.size - present.sum()),
        order[present].astype(np.int64),
    )


def score_table(table: ArrayLike) -> Table:
    """*table* as an array (systems, segments) of finite numbers or nan."""
    array: NDArray[Any] = np.asarray(table, np.float64)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise DataError(f"scores have shape {array.shape}; expected (systems, segments)")
    if np.isinf(array).any():
        raise DataError("a score is infinite; expected finite numbers, nan where there is none")
    return array


def common_cells(tables: Sequence[Table]) -> NDArray[np.bool_]:
    """Where all *tables* have a score."""
    return np.asarray(~np.isnan(np.stack(tables)).any(axis=0))


def _stacked(tables: Sequence[ArrayLike]) -> Table:
    arrays = [score_table(table) for table in tables]
    shapes = [array.shape for array in arrays]
    if len(set(shapes)) != 1:
        raise DataError(f"tables of scores have the shapes {shapes}; expected one shape")
    return np.stack(arrays)
