"""Systems in order, with what is known about how sure the order is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class Leaderboard:
    """A ranking of systems, best first.

    ``rank_low[i] .. rank_high[i]`` is the range of ranks (1 = best) that resampling left to
    ``systems[i]``; ``clusters[i]`` numbers groups of systems from 1, a new one only where no range
    crosses the boundary. ``signature`` names the model, its options, the runs and the seed.
    """

    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    clusters: NDArray[np.int64]
    signature: str = ""

    def __post_init__(self) -> None:
        for name in ("scores", "rank_low", "rank_high", "clusters"):
            if len(getattr(self, name)) != len(self.systems):
                raise DataError(
                    f"leaderboard column {name!r} has {len(getattr(self, name))} entries "
                    f"for {len(self.systems)} systems"
                )

    def __len__(self) -> int:
        return len(self.systems)
