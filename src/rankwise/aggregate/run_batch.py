"""Which runs of a ranking to compute, and in what pieces."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rankwise import _core
from rankwise.errors import DataError
from rankwise.types.named import check_choice

Unit = Literal["screen", "pair"]
UNITS: tuple[Unit, ...] = get_args(Unit)
#: Called with the number of runs that have just been finished.
Progress = Callable[[int], object]
#: Computes a function of a batch in parts, wherever, and gives the results in order.
Spread = Callable[[Callable[["Batch"], Any], "Batch"], list[Any]]
_PIECES = 25  # as often as progress is told, unless threads would go without work


@dataclass(frozen=True, slots=True)
class Batch:
    """Runs ``first`` to ``first + count - 1`` of those that ``seed`` numbers from 0.

    A run is the same to the last bit whichever others are computed with it and by how many
    threads, so that the runs of a ranking can be split over processes or machines and put
    together in order. ``unit`` is what each run draws with replacement first, or None for nothing.

    >>> [len(numbers) for numbers in Batch(8, seed=1).pieces(5)]
    [5, 3]
    >>> done = []
    >>> for numbers in Batch(8, seed=1, progress=done.append).pieces():
    ...     pass
    >>> sum(done)
    8
    """

    count: int
    seed: int
    unit: Unit | None = "screen"
    first: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise DataError(f"{self.count} runs; expected at least 1")
        if self.first < 0:
            raise DataError(f"the first run is {self.first}; expected a number from 0")
        if self.unit is not None:
            check_choice("resampling", "unit", self.unit, UNITS)

    def parts(self, most: int) -> "list[Batch]":
        """The same runs as batches of at most so many, without progress: they may go elsewhere.

        >>> [(part.first, part.count) for part in Batch(8, seed=1, first=2).parts(5)]
        [(2, 5), (7, 3)]
        """
        last = self.first + self.count
        starts = range(self.first, last, most)
        return [Batch(min(most, last - at), self.seed, self.unit, at) for at in starts]

    def pieces(self, most: int | None = None) -> Iterator[range]:
        """The numbers of the runs, at most so many at a time; asking for more finishes a piece."""
        step = min(self.count, most or self.count)
        if self.progress is not None:
            step = min(step, max(-(-self.count // _PIECES), 4 * _core.thread_count()))
        last = self.first + self.count
        for start in range(self.first, last, step):
            numbers = range(start, min(last, start + step))
            yield numbers
            if self.progress is not None:
                self.progress(len(numbers))
