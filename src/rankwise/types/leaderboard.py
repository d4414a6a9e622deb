"""Systems in order, with what is known about how sure the order is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.shown import Shown


@dataclass(frozen=True, slots=True, eq=False)
class Leaderboard(Shown):
    """A ranking of systems, best first.

    ``rank_low[i] .. rank_high[i]`` is the range of ranks (1 = best) that resampling left to
    ``systems[i]``; ``clusters[i]`` numbers groups of systems from 1, a new one only where no range
    crosses the boundary. ``signature`` names the model, its options, the runs and the seed.

    ``deviations[i]`` is the standard deviation of the score over the resamples.
    ``boundary_support[i]`` is the share of resamples in which no system down to ``systems[i]``
    scores less than one below it: how stable a boundary there is. ``boundary_unsure[i]`` says
    whether the boundary there would come or go with another seed. All are absent where a ranking
    was not made by resampling.
    """

    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    clusters: NDArray[np.int64]
    signature: str = ""
    deviations: NDArray[np.float64] | None = None
    boundary_support: NDArray[np.float64] | None = None
    boundary_unsure: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        sizes = dict.fromkeys(("scores", "rank_low", "rank_high", "clusters"), len(self))
        below = max(0, len(self) - 1)
        sizes |= {"deviations": len(self), "boundary_support": below, "boundary_unsure": below}
        for name, expected in sizes.items():
            column = getattr(self, name)
            if column is not None and len(column) != expected:
                raise DataError(
                    f"leaderboard column {name!r} has {len(column)} entries "
                    f"for {len(self.systems)} systems; expected {expected}"
                )

    def __len__(self) -> int:
        return len(self.systems)

    def __repr__(self) -> str:
        """The order of systems with lines between clusters, in one line."""
        shown = [
            f"{'| ' if place and self.clusters[place] != self.clusters[place - 1] else ''}{name}"
            for place, name in enumerate(self.systems)
        ]
        return f"<Leaderboard: {_shortened(' '.join(shown))}>"


def _shortened(text: str, length: int = 200) -> str:
    return text if len(text) <= length else f"{text[: length - 4]} ..."
