"""Coins for permutation tests: which cells keep their scores in which draw."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.types.named import check_choice
from rankwise.types.seeds import generator_state

#: What is drawn unless told otherwise.
DRAWS, SEED = 1000, 12345
COMPATS = ("", "mtme")
_HELD = 1 << 25  # coins held at a time
_BITS = 61  # of an int64, what sums and their sums of two may use
#: What sums of whole numbers may be off: scores have 53 bits, sums use 61 and are of two tables.
ROUNDING = 1 << (_BITS - 53 + 2)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Cells of a (flattened) table that exchange together: ``of[c]`` is the unit of cell c."""

    of: NDArray[np.intp]
    count: int

    @classmethod
    def segments(cls, shape: tuple[int, ...]) -> "Units":
        """The cells of a segment go together, of a table (systems, segments).

        >>> Units.segments((2, 3)).of
        array([0, 1, 2, 0, 1, 2])
        """
        systems, segments = shape
        return cls(np.tile(np.arange(segments), systems), segments)

    def sums(self, rows: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of the cells at *places*, summed by unit."""
        found = np.zeros((self.count, rows.shape[1]), np.int64)
        np.add.at(found, self.of[places], rows)
        return found


@dataclass(frozen=True, slots=True)
class Coins:
    """*draws* tosses of a coin per cell, from a seed.

    ``compat="mtme"`` tosses those of mt-metrics-eval after ``np.random.seed(seed)``; otherwise
    they are ``np.random.default_rng(seed).integers(2, size=(draws, cells), dtype=bool)``.
    """

    draws: int = DRAWS
    seed: int = SEED
    compat: str = ""

    def __post_init__(self) -> None:
        check_choice("permutation test", "compat", self.compat, COMPATS)
        if self.draws < 1:
            raise DataError(f"{self.draws} draws; expected at least 1")

    def matrix(self, cells: int) -> NDArray[np.uint8]:
        """Ones (keep) and zeros (exchange), (draws, cells)."""
        if self.compat:
            random = np.random.RandomState(self.seed)
            return random.binomial(1, 0.5, (self.draws, cells)).astype(np.uint8)
        random_bits = np.random.default_rng(self.seed)
        return random_bits.integers(2, size=(self.draws, cells), dtype=np.bool_).view(np.uint8)

    def of_cells(self, places: NDArray[np.int64], units: Units | None) -> NDArray[np.uint8]:
        """The coin of every cell: one of its own, or that of its unit."""
        if units is None:
            return self.matrix(len(places))
        return self.matrix(units.count)[:, units.of[places]]

    def block_sizes(self, cells: int) -> list[int]:
        """How many rows of ``matrix`` each block has: so many that they fill about 32 MB."""
        most = max(1, _HELD // (8 * max(1, cells)))
        if not self.compat:  # coins come 32 at a time; what is left at the end of a call is lost
            most = 32 * max(1, _HELD // (32 * max(1, cells)))
        return [min(most, self.draws - first) for first in range(0, self.draws, most)]

    def blocks(self, cells: int, units: Units | None = None) -> Iterator[NDArray[np.uint8]]:
        """The coins of so many cells, block by block: a coin for each, or for its unit."""
        if units is not None:
            sizes = self.block_sizes(cells)
            yield from (block[:, units.of] for block in self._rows(sizes, units.count))
            return
        yield from self._rows(self.block_sizes(cells), cells)

    def _rows(self, sizes: Sequence[int], cells: int) -> Iterator[NDArray[np.uint8]]:
        """The rows of ``matrix`` in blocks of given sizes."""
        if self.compat:
            random = np.random.RandomState(self.seed)
            yield from (random.binomial(1, 0.5, (rows, cells)).astype(np.uint8) for rows in sizes)
            return
        random_bits = np.random.default_rng(self.seed)
        for rows in sizes:
            yield random_bits.integers(2, size=(rows, cells), dtype=np.bool_).view(np.uint8)

    def pair_matrix(self, sizes: Sequence[int]) -> NDArray[np.uint8]:
        """A coin per pair of every group, as mt-metrics-eval tosses them: whole squares of them."""
        random = np.random.RandomState(self.seed)
        corners = [np.tril_indices(size, -1) for size in sizes]
        rows = []
        for _ in range(self.draws):
            squares = (random.binomial(1, 0.5, (size, size)) for size in sizes)
            # Its upper triangle, read in the order of our pairs (i, j < i).
            rows.append([s.T[c] for s, c in zip(squares, corners, strict=True)])
        return np.array([np.concatenate(row) for row in rows], np.uint8)

    def sums(
        self, rows: NDArray[np.int64], coins: NDArray[np.uint8] | None = None
    ) -> NDArray[np.int64]:
        """Sums over the cells that keep, (draws, columns), exact; of given *coins*, or our own."""
        if coins is None and not self.compat:
            resampler = _core.Resampler(np.ascontiguousarray(rows), generator_state(self.seed))
            return resampler.coins(self.draws)
        coins = self.matrix(len(rows)) if coins is None else coins
        return np.concatenate([part.astype(np.int64) @ rows for part in np.array_split(coins, 20)])


def whole_numbers(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]:
    """*values* times a power of two as integers whose sums fit, and the exponent.

    Sums over an axis of integers do not depend on their order, so that draws that are alike give
    values that are equal, not almost equal.
    """
    largest = float(np.abs(values).max(initial=0.0)) * max(values.shape, default=1)
    if largest == 0:
        return np.zeros(values.shape, np.int64), 0
    _, bits = math.frexp(largest)
    exponent = _BITS - bits
    if abs(exponent) > 1000:  # the power itself would leave the range of floats
        return np.rint(np.ldexp(values, exponent)).astype(np.int64), exponent
    return np.rint(values * math.ldexp(1.0, exponent)).astype(np.int64), exponent
