"""Which systems to compare next: every strategy by its name.

A strategy sees what is known (:class:`Posterior`, with comparisons under way already counted as
expected) and names the systems of one screen. All of them see the same model, so that what one
gains over another is the gain of choosing.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from rankwise.aggregate.asking.draw_probability import drawn
from rankwise.aggregate.asking.posterior import Floats, Posterior
from rankwise.errors import DataError
from rankwise.types.named import Named

Mask = NDArray[np.bool_]


class Known(Protocol):
    """What is known of the systems: how good they are, and the variances of differences."""

    @property
    def systems(self) -> tuple[str, ...]: ...

    @property
    def mean(self) -> Floats: ...

    @property
    def variances(self) -> Floats: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class OpenPlaces:
    """Pairs of systems whose order is to be found: the gap of each, and its variance.

    ``certain`` is how many standard deviations a gap must have to count as found.
    """

    above: NDArray[np.intp]
    below: NDArray[np.intp]
    gap: Floats
    spread: Floats
    certain: Floats


@dataclass(frozen=True)
class Strategy(Named):
    """A way to choose; its fields are its options."""

    kind: ClassVar[str] = "strategy"
    #: Whether it looks at what is known at all; one that does not costs no model.
    reads_known: ClassVar[bool] = True

    @abstractmethod
    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """The worth (S, S, symmetric) of asking for each pair; some are higher by chance."""

    def screen(
        self, known: Posterior, k: int, allowed: Mask, random: np.random.Generator
    ) -> tuple[int, ...]:
        """*k* systems: the pair of the highest worth, then whoever adds most to those chosen.

        *allowed* (S, S, symmetric) says which pairs may be asked for; the first two systems are
        always one of them.
        """
        return _highest(self.values(known, allowed, random), k, allowed)

    def chance(self, known: Posterior, chosen: Sequence[int]) -> float | None:
        """The probability that ``screen`` chooses just these systems, where every pair is allowed.

        ``None`` where there is no closed form.
        """
        del known, chosen
        return None


@dataclass(frozen=True)
class Uniform(Strategy):
    """Every pair of systems is as likely as any other: the baseline."""

    name: ClassVar[str] = "uniform"
    reads_known: ClassVar[bool] = False

    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """Random numbers."""
        del known
        return _symmetric(random.random(allowed.shape))

    def chance(self, known: Posterior, chosen: Sequence[int]) -> float | None:
        """All sets of systems are equally likely."""
        return 1 / comb(len(known), len(chosen))


@dataclass(frozen=True)
class Paper(Strategy):
    r"""The system known least, with others ∝ :math:`\exp(-|\mu_i - \mu_j|)`.

    Sakaguchi, Post and Van Durme (2014), WMT. The first system is the one with the largest
    variance, the last by name where some are equal; the others are drawn without repetition. A
    larger *scale* draws closer ones: the paper's strengths are on a scale of their own.
    """

    name: ClassVar[str] = "paper"
    scale: float = 1.0

    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """One row of weights, each moved by chance so that the highest ones are a draw."""
        first = self._first(known, allowed)
        weight = -self.scale * np.abs(known.mean - known.mean[first])
        worth = np.full(allowed.shape, -1e9)
        worth[first] = worth[:, first] = weight + random.gumbel(size=len(known))
        return worth

    def chance(self, known: Posterior, chosen: Sequence[int]) -> float | None:
        """The first system is certain, the others are drawn: see ``chances.drawn``."""
        first = self._first(known, ~np.eye(len(known), dtype=np.bool_))
        weights = np.exp(-self.scale * np.abs(known.mean - known.mean[first]))
        weights[first] = 0.0
        others = [number for number in chosen if number != first]
        return drawn(others, weights) if len(others) < len(chosen) else 0.0

    def _first(self, known: Posterior, allowed: Mask) -> int:
        variance = np.where(allowed.any(axis=1), np.diag(known.covariance), -1.0).round(12).tolist()
        return max(range(len(known)), key=lambda s: (variance[s], known.systems[s]))


@dataclass(frozen=True)
class Thompson(Strategy):
    """Pairs that two draws of all strengths put into different orders, one of them at random.

    A pair is asked for in proportion to the doubt about its order, 2 p (1 - p). Thompson (1933).
    """

    name: ClassVar[str] = "thompson"

    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """Random numbers, and one more for pairs in doubt."""
        one, other = known.draws(random.standard_normal((2, len(known))))
        doubt = (one[:, None] - one[None, :]) * (other[:, None] - other[None, :]) < 0
        worth: Floats = _symmetric(random.random(allowed.shape)) + doubt
        return worth


@dataclass(frozen=True)
class _Boundaries(Strategy):
    """Asks about the places between neighbouring systems that are no boundary of clusters yet.

    With *top* these are the places below each of the first so many systems; with *system* it is
    how that one system stands to every other one.
    """

    level: float = 0.95
    margin: float = 0.1
    top: int = 0
    system: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise DataError(f"strategy {self.name!r}: level {self.level}; expected 0 to 1")
        if self.top < 0 or (self.top and self.system):
            found = f"top={self.top}:system={self.system}"
            raise DataError(f"strategy {self.name!r}: {found}; expected one of them")

    def open_places(self, known: Known) -> OpenPlaces | None:
        """The pairs that decide what is to be found and is not yet; ``None`` if all is found."""
        above, below, extra = self._places(known)
        gap, spread = known.mean[above] - known.mean[below], known.variances[above, below]
        certain = _quantile(self.level) + self.margin + extra
        is_open = gap < certain * np.sqrt(spread)
        if not is_open.any():
            return None
        return OpenPlaces(
            above[is_open], below[is_open], gap[is_open], spread[is_open], certain[is_open]
        )

    def _places(self, known: Known) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        if not self.system:
            found = _weakest(known)
            return tuple(part[: self.top or None] for part in found)  # type: ignore[return-value]
        if self.system not in known.systems:
            raise DataError(
                f"strategy {self.name!r}: there is no system {self.system!r}; "
                f"expected one of {', '.join(known.systems)}"
            )
        one = known.systems.index(self.system)
        others = np.delete(np.arange(len(known)), one)
        is_above = known.mean[one] >= known.mean[others]
        above, below = np.where(is_above, one, others), np.where(is_above, others, one)
        return above, below, np.zeros(len(others))

    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """The summed worth of a pair for all places where a boundary may still be found.

        Where all are found, what is known least is asked for.
        """
        worth = self._worth(known, allowed)
        if worth is None:
            return known.variances * (1 + 1e-9 * _symmetric(random.random(allowed.shape)))
        return worth

    def chance(self, known: Posterior, chosen: Sequence[int]) -> float | None:
        """1 for the systems of the highest worth and 0 for others: nothing is drawn.

        ``None`` where all boundaries are found, and chance decides between equals.
        """
        allowed = ~np.eye(len(known), dtype=np.bool_)
        worth = self._worth(known, allowed)
        if worth is None:
            return None
        return float(set(_highest(worth, len(chosen), allowed)) == set(chosen))

    def _worth(self, known: Posterior, allowed: Mask) -> Floats | None:
        places = self.open_places(known)
        if places is None:
            return None
        gap, spread, certain = places.gap, places.spread, places.certain
        contrast = known.covariance[places.above] - known.covariance[places.below]
        total = known.variances + 1 / known.information
        blocks = _blocks(len(contrast), len(known))

        def shrink(block: slice) -> Floats:
            """How much each comparison (S, S) takes from the variance of each of these places."""
            return np.asarray((contrast[block, :, None] - contrast[block, None, :]) ** 2 / total)

        best = np.concatenate(
            [np.where(allowed, shrink(block), 0.0).max(axis=(1, 2)) for block in blocks]
        )
        information = best / (spread * np.maximum(spread - best, 1e-12))
        weight = self.weights(gap, spread, np.maximum(information, 1e-12), certain) / spread
        worth = [np.tensordot(weight[block], shrink(block), axes=1) for block in blocks]
        return np.asarray(sum(worth[1:], worth[0]))

    @abstractmethod
    def weights(self, gap: Floats, spread: Floats, information: Floats, certain: Floats) -> Floats:
        """What each open place is worth, given the gap between its two systems and its variance.

        *information* is what the best allowed comparison says about the gap, *certain* is how many
        standard deviations the gap must have for a boundary.
        """


@dataclass(frozen=True)
class Information(_Boundaries):
    r"""The expected information gain of one comparison about the order across open places.

    Let z be the gap between the two systems of a place over its standard deviation. A comparison
    that shrinks the variance v by :math:`\delta` is expected to take

    .. math:: \frac{\varphi(z)^2}{2 \Phi(z) (1 - \Phi(z))} \cdot \frac{\delta}{v}

    nats from the doubt about the order (the second-order term of its entropy). This looks one
    comparison ahead, and so spends most on systems that are equal for all anybody will ever know.
    """

    name: ClassVar[str] = "information"

    def weights(self, gap: Floats, spread: Floats, information: Floats, certain: Floats) -> Floats:
        """Nats per share of the variance that goes."""
        del information, certain
        z = gap / np.sqrt(spread)
        right = ndtr(z)
        found: Floats = np.exp(-(z**2)) / (4 * np.pi * right * (1 - right))
        return found


@dataclass(frozen=True)
class Clusters(_Boundaries):
    r"""The boundaries of clusters that can be expected soonest for the judgments they cost.

    If n comparisons of the two systems of a place follow, its variance will be
    :math:`v_n = 1 / (1/v + n q)` and its gap is expected at :math:`N(m, v - v_n)`; a boundary is
    found if it comes out above :math:`c \sqrt{v_n}` on either side. A place is worth

    .. math:: \max_n \frac{1}{n} \left[ \Phi\left(\frac{m - c\sqrt{v_n}}{\sqrt{v - v_n}}\right)
              + \Phi\left(\frac{-m - c\sqrt{v_n}}{\sqrt{v - v_n}}\right) \right]

    boundaries per judgment, looking as far ahead as pays. What is separated gets nothing; what
    cannot be separated at a bearable price waits until the rest is done. Here c is the normal
    quantile of *level* plus *margin*. With *focus* above 1 the places worth most get more than
    their share; the share *explore* of the questions is about pairs at random, against a model
    that is wrong about what it does not ask.
    """

    name: ClassVar[str] = "clusters"
    focus: float = 3.0
    explore: float = 0.05

    def values(self, known: Posterior, allowed: Mask, random: np.random.Generator) -> Floats:
        """Boundaries per judgment, or now and then random numbers."""
        if random.random() < self.explore:
            return _symmetric(random.random(allowed.shape))
        return super().values(known, allowed, random)

    def chance(self, known: Posterior, chosen: Sequence[int]) -> float | None:
        """The share *explore* is spread over all sets alike, the rest is on those worth most."""
        best = super().chance(known, chosen)
        if best is None:
            return None
        return self.explore / comb(len(known), len(chosen)) + (1 - self.explore) * best

    def weights(self, gap: Floats, spread: Floats, information: Floats, certain: Floats) -> Floats:
        """Boundaries per judgment, relative to the best place."""
        later = 1 / (1 / spread + _AHEAD[:, None] * information)
        wander, bar = np.sqrt(spread - later), certain * np.sqrt(later)
        found = ndtr((gap - bar) / wander) + ndtr((-gap - bar) / wander)
        rate = (found / _AHEAD[:, None]).max(axis=0)
        weight: Floats = (rate / max(rate.max(), 1e-300)) ** self.focus
        return weight


#: Every strategy by its name.
STRATEGIES: dict[str, type[Strategy]] = {
    kind.name: kind for kind in (Clusters, Information, Thompson, Paper, Uniform)
}

_CELLS = 1 << 22
_AHEAD = 2.0 ** np.arange(1, 16)  # comparisons to look ahead


def _highest(values: Floats, k: int, allowed: Mask) -> tuple[int, ...]:
    """The pair of the highest value, then whoever adds most to those chosen."""
    worth = np.where(allowed, values, -np.inf)
    np.fill_diagonal(worth, -np.inf)
    chosen = list(divmod(int(worth.argmax()), len(worth)))
    worth[~allowed] = 0.0
    while len(chosen) < k:
        gain = worth[chosen].sum(axis=0)
        gain[chosen] = -np.inf
        chosen.append(int(gain.argmax()))
    return tuple(chosen)


def _weakest(known: Known) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """For each place in the order of means, the two systems across it in most doubt.

    Others across it may be in doubt as well, and a range of ranks crosses the place if any of them
    does. The third result is how much higher the bar is for that, in standard deviations: the
    chances that a system is on the wrong side of another add up, at most.
    """
    order = np.argsort(-known.mean, kind="stable")
    mean, size = known.mean[order], len(known)
    sure = (mean[:, None] - mean[None, :]) / np.sqrt(known.variances[np.ix_(order, order)])
    chance = ndtr(-sure)
    closest, worst = np.empty(size - 1, np.intp), np.empty(size - 1)
    for block in _blocks(size - 1, size):
        crossing = _crossing(size, block)
        across = np.where(crossing, sure, np.inf).reshape(len(crossing), -1)
        closest[block] = across.argmin(axis=1)
        wrong = np.where(crossing, chance, 0.0)
        worst[block] = np.maximum(wrong.sum(axis=2).max(axis=1), wrong.sum(axis=1).max(axis=1))
    above, below = np.divmod(closest, size)
    extra = sure[above, below] + ndtri(np.clip(worst, 1e-12, 0.5))
    return order[above], order[below], np.clip(extra, 0.0, 2.0)


def _blocks(places: int, systems: int) -> list[slice]:
    """Places at a time, so that what is held of all pairs at each of them stays within 32 MB."""
    most = max(1, _CELLS // systems**2)
    return [slice(first, min(places, first + most)) for first in range(0, places, most)]


def _crossing(size: int, places: slice) -> Mask:
    """Which (place, above, below) are pairs across a place."""
    number = np.arange(size)
    place = number[1:][places, None]
    mask: Mask = (number < place)[:, :, None] & (number >= place)[:, None, :]
    return mask


@cache
def _quantile(level: float) -> float:
    """The normal quantile of a central interval."""
    return float(ndtri((1 + level) / 2))


def _symmetric(square: Floats) -> Floats:
    found: Floats = np.triu(square, 1) + np.triu(square, 1).T
    return found
