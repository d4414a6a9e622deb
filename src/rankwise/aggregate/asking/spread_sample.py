"""A random sample that is spread over what is known of its items: the local pivotal method.

Every item has the same chance, so that nothing need be weighted afterwards; but items that are much
alike are seldom drawn together. Grafström, Lundström and Schelin (2012), Biometrics 68.
"""

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_SURE = 1e-9


def spread_sample(features: Floats, group: Codes, count: int, *, seed: int) -> Codes:
    r"""*count* of the items with *features* (F, M) and a *group* each, in random order.

    Two items fight for their chances as long as any are undecided: one drawn at random, and the
    one nearest to it, which is of its own group while there is one, by

    .. math:: d^2 = \sum_f (x_f - x'_f)^2

    with features on the scale of their deviations. Their chances :math:`p, q` move to one of them
    as far as they go, in such proportion that neither gains or loses on average.

    >>> line = np.arange(12.0)[None]
    >>> sorted(spread_sample(line, np.zeros(12, int), 3, seed=1).tolist())
    [3, 6, 10]
    """
    items = features.shape[1]
    if not 0 <= count <= items:
        raise DataError(f"{count} items are asked for; there are {items} to choose from")
    random = np.random.default_rng(seed)
    scaled = _scaled(features)
    chances: Floats = np.full(items, count / items) if items else np.zeros(0)
    undecided = np.flatnonzero((chances > _SURE) & (chances < 1 - _SURE))
    while len(undecided) > 1:
        one = int(undecided[random.integers(len(undecided))])
        rest = undecided[undecided != one]
        other = int(rest[_nearest(scaled, group, one, rest, random)])
        chances[one], chances[other] = _fought(chances[one], chances[other], random)
        undecided = undecided[(chances[undecided] > _SURE) & (chances[undecided] < 1 - _SURE)]
    for last in undecided.tolist():  # a rest of rounding
        chances[last] = float(random.random() < chances[last])
    return random.permutation(np.flatnonzero(chances > 0.5))


def _scaled(features: Floats) -> Floats:
    """Features in deviations; one that does not vary is 0, what is missing is in the middle."""
    there = ~np.isnan(features)
    count = np.maximum(there.sum(axis=1, keepdims=True), 1)
    middle = np.where(there, features, 0.0).sum(axis=1, keepdims=True) / count
    centred = np.where(there, features - middle, 0.0)
    deviation = np.sqrt((centred**2).sum(axis=1, keepdims=True) / count)
    scaled: Floats = np.zeros(features.shape)
    np.divide(centred, deviation, out=scaled, where=deviation > 0)
    return scaled


def _nearest(
    scaled: Floats, group: Codes, one: int, rest: Codes, random: np.random.Generator
) -> int:
    """The place in *rest* of the item nearest to *one*; one at random where several are."""
    apart = ((scaled[:, rest] - scaled[:, [one]]) ** 2).sum(axis=0)
    within = group[rest] == group[one]
    if within.any():
        apart[~within] = np.inf
    nearest = np.flatnonzero(apart <= apart.min() + 1e-12)
    return int(nearest[random.integers(len(nearest))])


def _fought(one: float, other: float, random: np.random.Generator) -> tuple[float, float]:
    """The chances of two after a fight: one of them is 0 or 1, and their sum is as before."""
    both = one + other
    if both < 1:
        wins = random.random() < one / both
        return (both, 0.0) if wins else (0.0, both)
    wins = random.random() < (1 - other) / (2 - both)
    return (1.0, both - 1) if wins else (both - 1, 1.0)
