"""Random draws that give the same numbers in every version of Python and of numpy.

Only ``random.Random.random`` is promised to stay the same for a seed, so everything else is derived
from it here.
"""

from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")

_STANDARD_NORMAL = NormalDist()


class Draws:
    """A stream of draws; streams with different names are independent of each other."""

    def __init__(self, seed: int, name: str) -> None:
        self._random = Random(f"{seed}/{name}")

    def below(self, count: int) -> int:
        """One of 0 .. count - 1, all equally likely."""
        return int(self._random.random() * count)

    def happens(self, probability: float) -> bool:
        """``True`` with the given probability."""
        return self._random.random() < probability

    def normal(self) -> float:
        """A standard normal number."""
        return _STANDARD_NORMAL.inv_cdf(max(self._random.random(), 1e-12))

    def one_of(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One of the items, as likely as its weight says."""
        point = self._random.random() * sum(weights)
        for item, weight in zip(items, weights, strict=True):
            point -= weight
            if point < 0:
                return item
        return items[-1]

    def sample(self, items: Sequence[T], size: int) -> list[T]:
        """Different items in random order."""
        pool = list(items)
        return [pool.pop(self.below(len(pool))) for _ in range(size)]
