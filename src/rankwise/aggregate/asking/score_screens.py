"""Which systems to show on the next document, by the scores of those before it."""

from collections.abc import Sequence
from math import comb

import numpy as np

from rankwise.aggregate.asking.score_posterior import Floats, ScorePosterior
from rankwise.aggregate.asking.strategies import Clusters


def score_screen(
    strategy: Clusters, known: ScorePosterior, k: int, random: np.random.Generator
) -> tuple[tuple[int, ...], float]:
    """*k* systems for one document, and how likely they were.

    The share ``explore`` of the screens has any systems; the others have the two that tell most
    about what *strategy* looks for, and then whoever adds most to those chosen. Once everything is
    found, all sets are alike.
    """
    size = len(known)
    best = best_systems(strategy, known, k)
    any_set = tuple(random.permutation(size)[:k].tolist())
    if best is None:
        return any_set, 1 / comb(size, k)
    explore = strategy.explore
    chosen = any_set if random.random() < explore else best
    is_best = set(chosen) == set(best)
    return chosen, explore / comb(size, k) + (1 - explore) * is_best


def best_systems(strategy: Clusters, known: ScorePosterior, k: int) -> tuple[int, ...] | None:
    """The *k* systems of which a screen tells most; ``None`` once everything is found."""
    places = strategy.open_places(known)
    if places is None:
        return None
    contrast = known.covariance[places.above] - known.covariance[places.below]
    gains = known.pair_gains(contrast)
    if k > 1:
        own = np.arange(len(known))
        gains[:, own, own] = 0.0
    best = gains.max(axis=(1, 2))
    spread = places.spread
    information = best / (spread * np.maximum(spread - best, 1e-12))
    weight = strategy.weights(places.gap, spread, np.maximum(information, 1e-12), places.certain)
    weight = weight / spread
    return _greedy(known, contrast, gains, weight, k)


def _greedy(
    known: ScorePosterior, contrast: Floats, gains: Floats, weight: Floats, k: int
) -> tuple[int, ...]:
    worth = np.tensordot(weight, gains, axes=1)
    if k == 1:
        return (int(np.diag(worth).argmax()),)
    chosen = list(divmod(int(worth.argmax()), len(known)))
    while len(chosen) < k:
        more = weight @ known.gains_with(chosen, contrast)
        more[chosen] = -1.0
        chosen.append(int(more.argmax()))
    return tuple(chosen)


def expected(known: ScorePosterior, screens: Sequence[Sequence[int]]) -> ScorePosterior:
    """What will be known after *screens* that are asked and not answered yet."""
    for shown in screens:
        known = known.expecting(shown) if shown else known
    return known
