"""How likely is such an agreement if predicted and gold ranks have nothing to do with each other.

Three answers, from the quickest to the most general: the normal approximation for one untied list,
the exact distribution for one list, and random orders for any measure of any number of lists.
"""

import math
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.lists.kendall import Tau
from rankwise.agreement.lists.list_measure import ListMeasure
from rankwise.agreement.lists.normalisation import normalise, one_list
from rankwise.agreement.lists.ranked_lists import Lists, RankedLists
from rankwise.errors import DataError

_MOST_TIED = 8  # items of a list with ties whose orders are counted one by one


def tau_p_value(tau: ArrayLike, items: ArrayLike) -> Any:
    r"""The two-sided p-value of Kendall's tau of a list of n items, by the normal approximation.

    .. math:: z = \tau \Big/ \sqrt{\frac{4n + 10}{9n(n-1)}}, \qquad
              p = \text{erfc}(|z| / \sqrt 2)

    A float for one list, an array for several. No correction for ties; undefined (nan) for fewer
    than two items or an undefined tau. Avramidis (2013), PBML 100, eq. 3 and 4; Kendall (1938).

    >>> round(tau_p_value(1.0, 5), 4)
    0.0143
    """
    from scipy.special import erfc  # slow to import

    tau, n = np.broadcast_arrays(np.asarray(tau, np.float64), np.asarray(items, np.float64))
    variance = np.full(n.shape, np.nan)
    np.divide(4 * n + 10, 9 * n * (n - 1), out=variance, where=n >= 2)
    values = erfc(np.abs(tau) / np.sqrt(variance) / math.sqrt(2))
    return float(values) if values.ndim == 0 else values


def exact_p_value(predicted: ArrayLike, gold: ArrayLike) -> float:
    r"""The two-sided p-value of C - D of one list over all orders of its items.

    .. math:: p = P(|C - D| \geq |c - d|)

    Without ties the orders are counted by their inversions, for any length; with ties every order
    of at most 8 items is looked at, and longer lists are an error: see :func:`permutation_p_value`.
    Items that one side does not rank are left out; nan for fewer than two. Kendall (1938).

    >>> exact_p_value([1, 2, 3, 4], [1, 2, 3, 4])  # 2 of 24 orders
    0.08333333333333333
    """
    first, second = _both(one_list(predicted), one_list(gold))
    if len(first) < 2:
        return float("nan")
    if max(len(first) - len(set(side.tolist())) for side in (first, second)) == 0:
        return _untied(first, second)
    if len(first) > _MOST_TIED:
        raise DataError(
            f"a list with ties has {len(first)} items; expected at most {_MOST_TIED} to look at "
            "every order (permutation_p_value draws some)"
        )
    found = abs(_difference(first, second))
    ranks = normalise(first)
    orders = [abs(_difference(np.array(order), second)) >= found for order in permutations(ranks)]
    return sum(orders) / len(orders)


def permutation_p_value(
    measure: ListMeasure,
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    *,
    samples: int = 1000,
    seed: int = 1,
) -> float:
    r"""The share of random orders that agree with gold as far as the prediction, or further.

    .. math:: p = \min\Bigl(1, 2 \cdot \frac{1 + \min(|\{r : s_r \geq s\}|, |\{r : s_r \leq s\}|)}
              {1 + R}\Bigr)

    The predicted ranks of every list are shuffled R times; s is the measure's value of all lists.
    Two-sided: twice the smaller tail. Ties stay ties. Undefined (nan) where the value is. Ernst
    (2004), Statistical Science 19.

    >>> permutation_p_value(Tau(), [[1, 2, 3]] * 6, [[1, 2, 3]] * 6, samples=99)
    0.02
    """
    if samples < 1:
        raise DataError(f"{samples} random orders; expected at least 1")
    lists = _ranked_on_both_sides(RankedLists.of(predicted, gold))
    value = measure.micro(lists)
    if math.isnan(value):
        return float("nan")
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(lists)), lists.sizes)
    values = np.array([measure.micro(_shuffled(lists, group, random)) for _ in range(samples)])
    tail = min(int((values >= value - 1e-12).sum()), int((values <= value + 1e-12).sum()))
    return min(1.0, 2 * (1 + tail) / (1 + samples))


def _shuffled(
    lists: RankedLists, group: NDArray[np.int64], random: np.random.Generator
) -> RankedLists:
    order = np.lexsort((random.random(len(group)), group))
    return RankedLists(lists.starts, lists.predicted[order], lists.gold)


def _ranked_on_both_sides(lists: RankedLists) -> RankedLists:
    """The lists without items that one side does not rank: a missing rank must not wander."""
    present = ~(np.isnan(lists.predicted) | np.isnan(lists.gold))
    if present.all():
        return lists
    starts = np.concatenate(([0], np.cumsum(present)))[lists.starts]
    return RankedLists(starts, lists.predicted[present], lists.gold[present])


def _both(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(first) != len(second):
        raise DataError(f"{len(first)} predicted and {len(second)} gold ranks; expected as many")
    present = ~(np.isnan(first) | np.isnan(second))
    return first[present], second[present]


def _difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> int:
    """C - D."""
    concordant, discordant = Tau().statistics([first.tolist()], [second.tolist()])[0, :2]
    return int(concordant - discordant)


def _untied(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The share of orders with as few or as many inversions."""
    n = len(first)
    pairs = n * (n - 1) // 2
    extreme = (pairs - abs(_difference(first, second))) // 2  # inversions on the nearer side
    orders = [1]  # by number of inversions, of lists of 1, 2, ... items
    for size in range(2, n + 1):
        sums = np.concatenate(([0], np.cumsum(np.array(orders, object))))
        last = size * (size - 1) // 2
        orders = [
            sums[min(i + 1, len(orders))] - sums[max(0, min(i - size + 1, len(orders)))]
            for i in range(last + 1)
        ]
    if 2 * extreme >= pairs:
        return 1.0
    return float(2 * sum(orders[: extreme + 1]) / math.factorial(n))
