"""Ranks of a list from 1, with a stated place for ties: the same order always the same numbers."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.types.named import check_choice

Ties = Literal["minimize", "floor", "ceiling", "middle"]

#: The ways to rank ties, in the order in which the native core numbers them.
TIES: Sequence[str] = get_args(Ties)


def normalise(ranks: ArrayLike, *, ties: str = "ceiling") -> NDArray[np.float64]:
    r"""The ranks of one list from 1; smaller is better.

    Of an item with L smaller, C equal (itself among them) and U distinct smaller values the rank is

    .. math:: U + 1 \;(\text{minimize}),\quad L + 1 \;(\text{floor}),\quad
              L + C \;(\text{ceiling}),\quad L + (C + 1)/2 \;(\text{middle})

    *Ties* get equal ranks. What is not ranked (nan or None) stays nan and takes no place; any other
    value counts, infinite and negative ones too. Avramidis (2013), PBML 100, section 3.6.

    >>> for ties in TIES:
    ...     print(ties, normalise([10, 20, 20, 30, None], ties=ties).tolist())
    minimize [1.0, 2.0, 2.0, 3.0, nan]
    floor [1.0, 2.0, 2.0, 4.0, nan]
    ceiling [1.0, 3.0, 3.0, 4.0, nan]
    middle [1.0, 2.5, 2.5, 4.0, nan]
    """
    values = one_list(ranks)
    starts = np.array([0, len(values)], np.int64)
    found: NDArray[np.float64] = _core.normalise_ranks(starts, values, ties_code("ranks", ties))[0]
    return found


def ties_code(owner: str, ties: str) -> int:
    """The number of a way to rank ties, or a clear error."""
    check_choice(owner, "ties", ties, TIES)
    return TIES.index(ties)


def one_list(ranks: ArrayLike) -> NDArray[np.float64]:
    """One list of ranks as a vector, nan where something is not ranked."""
    try:
        values = np.asarray(ranks, np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"ranks are {ranks!r}; expected a list of numbers or None") from error
    if values.ndim != 1:
        raise DataError(f"ranks have shape {values.shape}; expected one list of numbers")
    return np.ascontiguousarray(values)
