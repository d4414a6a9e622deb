"""Which pairs of systems were compared early and which late."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.heat_map import heat_maps

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: How much of the comparisons is early, and how much late.
SHARE = 0.2


def early_late(
    systems: Sequence[str],
    left: NDArray[Any],
    right: NDArray[Any],
    *,
    everything: NDArray[Any] | None = None,
    title: str = "",
) -> "Figure":
    """Three heat maps: all comparisons, the first fifth of them and the last.

    Comparison k, in the order of time, is of systems ``left[k]`` and ``right[k]``, which index
    *systems*, best first. If they were selected from others, *everything* holds the counts (S, S)
    of these for the first map. If who asks learns to ask about neighbours, the last map is
    brightest along its diagonal. Sakaguchi et al. (2014), figures 5 to 7.
    """
    count = round(len(left) * SHARE)
    if count == 0:
        raise DataError(f"{len(left)} comparisons are too few for early and late ones")
    size, late = len(systems), len(left) - count
    what = "" if everything is None else " selected"
    counts = pair_counts(left, right, size) if everything is None else everything
    return heat_maps(
        systems,
        [
            (f"{title or 'all'}, {np.triu(counts, 1).sum():,} comparisons", counts),
            (f"first {SHARE:.0%}{what}", pair_counts(left[:count], right[:count], size)),
            (f"last {SHARE:.0%}{what}", pair_counts(left[late:], right[late:], size)),
        ],
    )


def pair_counts(left: NDArray[Any], right: NDArray[Any], size: int) -> NDArray[np.int64]:
    """How often each pair occurs, in either order, (size, size).

    >>> pair_counts(np.array([0, 1, 1]), np.array([1, 0, 2]), 3)
    array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    """
    found = np.bincount(left.astype(np.int64) * size + right, minlength=size * size)
    counts = found.reshape(size, size)
    return counts + counts.T
