"""How likely an agreement is if predicted and gold ranks have nothing to do with each other."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.lists.list_measure import ListMeasure
from rankwise.agreement.lists.ranked_lists import Lists, RankedLists
from rankwise.errors import DataError


def permutation_p_value(
    measure: ListMeasure,
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    *,
    samples: int = 1000,
    seed: int = 1,
    done: Callable[[float], object] | None = None,
) -> float:
    r"""The share of random orders that agree with gold as far as the prediction, or further.

    .. math:: p = \min\Bigl(1, 2 \cdot \frac{1 + \min(|\{r : s_r \geq s\}|, |\{r : s_r \leq s\}|)}
              {1 + R}\Bigr)

    The predicted ranks of every list are shuffled R times; s is the measure's value of all lists.
    Two-sided: twice the smaller tail. Ties stay ties. Undefined (nan) where the value is. Ernst
    (2004), Statistical Science 19. *done* is called with how many orders were measured.

    >>> from rankwise.agreement.lists.kendall import Tau
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
    values = np.empty(samples)
    for run in range(samples):
        values[run] = measure.micro(_shuffled(lists, group, random))
        if done is not None:
            done(1)
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
