"""The probability of a draw, for what is drawn one after the other without repetition."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def drawn(numbers: Sequence[int], weights: NDArray[np.float64]) -> float:
    r"""The probability of drawing a set without repetition, in any order, by *weights*.

    .. math:: P(A) = \sum_{i \in A} P(A \setminus i) \frac{w_i}{W - \sum_{j \in A \setminus i} w_j}

    >>> round(drawn([0, 1], np.array([1.0, 1.0, 2.0])), 4)  # 1/4 * 1/3 + 1/4 * 1/3
    0.1667
    """
    chosen, total = [float(weights[n]) for n in numbers], float(weights.sum())
    chance, taken = [1.0] + [0.0] * (2 ** len(chosen) - 1), [0.0] * 2 ** len(chosen)
    for subset in range(1, 2 ** len(chosen)):
        for place, weight in enumerate(chosen):
            before = subset & ~(1 << place)
            if before != subset:
                taken[subset] = taken[before] + weight
                chance[subset] += chance[before] * weight / (total - taken[before])
    return chance[-1]
