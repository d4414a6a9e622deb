"""Letters that say which systems differ: two that share one are not told apart by any test."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def group_letters(different: NDArray[np.bool_]) -> list[str]:
    """The letters of every system, where ``different[i, j]`` says that i and j differ.

    Two systems share a letter if and only if they do not differ; each letter is as large a group as
    can be. Letters go down the order of the systems. Piepho (2004), JCGS: insert and absorb.

    >>> group_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    ['a', 'ab', 'b']
    """
    count = len(different)
    groups = [frozenset(range(count))]
    for one, other in np.argwhere(np.triu(different, 1)).tolist():
        split = [
            group - {left_out}
            for group in groups
            for left_out in ((one, other) if {one, other} <= group else (None,))
        ]
        groups = _largest(split)
    ordered = sorted(groups, key=sorted)
    return [
        "".join(_letter(n) for n, group in enumerate(ordered) if i in group) for i in range(count)
    ]


def _largest(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Groups that are part of no other, each once."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def _letter(number: int) -> str:
    """A to z, then a2 to z2, and so on."""
    again, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(again + 1) if again else "")
