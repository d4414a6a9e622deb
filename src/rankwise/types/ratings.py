"""What a model of preference says of each system: a score, and how sure it is of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Scores of systems with their standard deviations, in the order of ``systems``.

    Higher is better. A deviation is nan where the model states none.

    >>> Ratings(("A", "B"), np.array([0.4, -0.4]), np.array([0.1, 0.1])).systems
    ('A', 'B')
    """

    systems: tuple[str, ...]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]

    def __post_init__(self) -> None:
        for name in ("means", "deviations"):
            found = getattr(self, name).shape
            if found != (len(self.systems),):
                raise DataError(f"{name} have shape {found} for {len(self.systems)} systems")

    def __len__(self) -> int:
        return len(self.systems)
