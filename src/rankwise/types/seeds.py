"""A seed as the state of numpy's generator, which the native core continues."""

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

_WORD = (1 << 64) - 1


def generator_state(seed: int) -> NDArray[np.uint64]:
    """State and increment of ``np.random.default_rng(seed)``: four words, the high ones first."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise DataError(f"seed is {seed!r}; expected a whole number from 0")
    state = np.random.PCG64(int(seed)).state["state"]
    numbers = (state["state"], state["inc"])
    words = [half for number in numbers for half in (number >> 64, number & _WORD)]
    return np.array(words, np.uint64)
