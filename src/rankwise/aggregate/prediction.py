"""How well ratings foretell comparisons that they were not made from.

A comparison of two systems has one of three outcomes: the first is better, they are tied, the
second is better. Ratings give each a chance; held-out comparisons tell how good the chances are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from rankwise.errors import DataError
from rankwise.types import Comparisons, Leaderboard, Ratings
from rankwise.types.named import check_choice

Floats = NDArray[np.float64]
Band = Literal["symmetric", "one-sided"]
#: The decision radii among which Sakaguchi et al. (2014) chose.
RADII = (0.001, 0.01, 0.1, 0.3, 0.5)
#: The least chance that perplexity gives an outcome: one surprise costs at most 40 bits.
FLOOR = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What is expected of a comparison of any two systems.

    ``chances[i, j]`` are those that system i is better, that the two are tied, that j is better.
    """

    systems: tuple[str, ...]
    chances: Floats

    def __post_init__(self) -> None:
        expected = (len(self.systems), len(self.systems), 3)
        if self.chances.shape != expected:
            raise DataError(f"chances have shape {self.chances.shape}; expected {expected}")


def outcome_variances(
    ratings: Ratings, *, deviation: float | None = None, noise: float = 0.0
) -> Floats:
    """The variance of one performance of each system.

    *deviation* replaces those of the ratings; ratings that state none (nan) need it. A deviation
    says how sure a rating is; *noise* is the deviation of single performances around it (TrueSkill
    calls it beta), which Sakaguchi et al. (2014) leave out.
    """
    deviations = ratings.deviations if deviation is None else np.full(len(ratings), deviation)
    if np.isnan(deviations).any():
        raise DataError("the ratings state no deviations; give one to expect outcomes from them")
    return np.asarray(deviations**2 + noise**2)


def outcome_chances(
    means: Floats, variances: Floats, *, radius: float, band: Band = "symmetric"
) -> Floats:
    r"""Chances (..., S, S, 3) of outcomes from means (..., S) and variances of normal ratings.

    .. math:: X \sim N(\mu_i - \mu_j,\; \sigma_i^2 + \sigma_j^2)

    ``symmetric``: i is better where :math:`X > r`, tied where :math:`|X| \le r`, worse where
    :math:`X < -r`; two systems with equal means are equally likely to win. ``one-sided`` is what
    Sakaguchi et al. (2014) print and their code does: with i the system of the larger mean, i is
    better where :math:`X > r`, *tied* where :math:`0 \le X \le r`, worse where :math:`X < 0`; of
    equal means the second system is taken for the better one, and so is the less likely to win.

    Without any variance the outcome is certain. Sakaguchi et al. (2014), WMT, section 3.2.
    """
    check_choice("prediction", "band", band, get_args(Band))
    if not 0 <= radius < np.inf:
        raise DataError(f"decision radius is {radius}; expected a number from 0")
    difference = means[..., :, None] - means[..., None, :]
    spread = np.sqrt(variances[..., :, None] + variances[..., None, :])
    spread = np.maximum(spread, np.finfo(np.float64).tiny)
    gap = np.abs(difference)
    lower = -radius if band == "symmetric" else 0.0
    with np.errstate(over="ignore"):  # no spread: infinitely far from the bounds
        below_upper, below_lower = ndtr((radius - gap) / spread), ndtr((lower - gap) / spread)
        better = ndtr((gap - radius) / spread)
    is_better = (difference > 0)[..., None]
    chances = np.stack([better, below_upper - below_lower, below_lower], axis=-1)
    return np.where(is_better, chances, chances[..., ::-1])


def cluster_outlook(board: Leaderboard) -> Outlook:
    """What a ranking in clusters expects, with certainty: the better cluster wins, equals tie.

    >>> one = np.array([1, 2, 2])
    >>> cluster_outlook(Leaderboard(("A", "B", "C"), one * 1.0, one, one, one)).chances[1]
    array([[0., 0., 1.], [0., 1., 0.], [0., 1., 0.]])
    """
    step = np.sign(board.clusters[:, None] - board.clusters)
    return Outlook(board.systems, np.eye(3)[1 + step])


def outcome_counts(comparisons: Comparisons, systems: Sequence[str]) -> NDArray[np.int64]:
    """How often (S, S, 3) the left system was better than, tied with, worse than the right one.

    Comparisons with a system that is not among *systems* are left out: nothing is known of it.
    """
    places = {name: place for place, name in enumerate(systems)}
    codes = np.array([places.get(name, -1) for name in comparisons.systems], np.int64)
    left, right = codes[comparisons.left], codes[comparisons.right]
    known = (left >= 0) & (right >= 0)
    cells = ((left * len(systems) + right) * 3 + 1 - comparisons.sign)[known]
    shape = (len(systems), len(systems), 3)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(np.int64)


def accuracy(expected: Outlook, comparisons: Comparisons) -> float:
    """The share of comparisons whose outcome is the one with the largest chance.

    *Ties*: of equally likely outcomes the first counts, in the order better, tied, worse. Systems
    without an outlook are left out; nan if nothing remains. Sakaguchi et al. (2014), section 3.3.

    >>> pairs = Comparisons(("A", "B"), *(np.array([v] * 2) for v in (0, 1)), np.array([1, 0]), ())
    >>> accuracy(Outlook(("A", "B"), np.broadcast_to([0.6, 0.3, 0.1], (2, 2, 3))), pairs)
    0.5
    """
    return float(share_foretold(expected.chances, outcome_counts(comparisons, expected.systems)))


def share_foretold(chances: Floats, counts: NDArray[np.int64]) -> Floats:
    """The share (...) of outcomes *counts* (S, S, 3) that the largest of *chances* foretell."""
    likeliest = chances.argmax(axis=-1)[..., None]
    right = np.take_along_axis(np.broadcast_to(counts, chances.shape), likeliest, axis=-1)
    return _divided(right.sum(axis=(-1, -2, -3)), counts.sum())


def mean_surprise(chances: Floats, counts: NDArray[np.int64]) -> Floats:
    r"""The mean of -log2 of the chances (...) of outcomes *counts* (S, S, 3): log2 perplexity.

    .. math:: -\frac{1}{|T|} \sum_{t \in T} \log_2 \max(p_t, \text{floor})

    with :math:`p_t` the chance of what came. (The paper prints the sum; its values are of the
    mean.) Chances below ``FLOOR`` count as that, because one outcome held impossible would outweigh
    everything. nan if nothing came. Sakaguchi et al. (2014), section 3.2.
    """
    surprise = -np.log2(np.maximum(chances, FLOOR))
    return _divided((counts * surprise).sum(axis=(-1, -2, -3)), counts.sum())


def most_frequent_share(comparisons: Comparisons) -> float:
    """The accuracy of foretelling each pair's most frequent outcome: no ratings can do better.

    nan without comparisons. Sakaguchi et al. (2014), table 2, "upper bound".
    """
    counts = outcome_counts(comparisons, comparisons.systems)
    # A pair occurs in both orders: what is better in one is worse in the other.
    both = np.triu((counts + np.swapaxes(counts, 0, 1)[..., ::-1]).max(axis=-1))
    return float(_divided(both.sum(), counts.sum()))


def _divided(total: Any, count: Any) -> Floats:
    return np.asarray(total / count if count else np.full(np.shape(total), np.nan))
