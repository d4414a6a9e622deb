"""TrueSkill: ratings that every match moves by how surprising its outcome was."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb, isfinite, sqrt
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.models.match_columns import Matches
from rankwise.aggregate.models.outcomes import Outcomes
from rankwise.aggregate.models.preference_model import Model
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import ConvergenceError, DataError
from rankwise.types import Judgments
from rankwise.types.named import check_choice
from rankwise.types.ratings import Ratings
from rankwise.types.seeds import generator_state

Selection = Literal["all", "replay", "uniform", "paper"]
Floats = NDArray[np.float64]
Rated = tuple[Floats, Floats, int]  # means and variances (runs, S), runs that did not settle
MOST_WAYS = 8
#: With more systems, runs on resampled pairs are rated near the posterior of all judgments.
EXACT_RUNS = 100
_PAIR_TOLERANCE = 1e-10
_NEAR_TOLERANCE = 1e-4
_MATCH_TOLERANCE = 1e-4


@dataclass(frozen=True)
class TrueSkill(Model):
    r"""A Gaussian belief about each system's skill; a match moves it by how surprising it was.

    A system of skill :math:`s` performs as :math:`N(s, \beta^2)` on a sentence; of two, the better
    performance wins if it is better by more than :math:`\epsilon`, otherwise they are tied. Skills
    have the prior :math:`N(\mu_0, \sigma_0^2)`. After i beat j, with
    :math:`c^2 = 2\beta^2 + \sigma_i^2 + \sigma_j^2` and :math:`t = (\mu_i - \mu_j) / c`,

    .. math:: \mu_i \mathrel{+}= \frac{\sigma_i^2}{c} v, \qquad
              \mu_j \mathrel{-}= \frac{\sigma_j^2}{c} v, \qquad
              \sigma^2 \mathrel{*}= 1 - \frac{\sigma^2}{c^2} w

    where *v* and *w* are the shift of the mean and the loss of variance of a normal variable known
    to exceed :math:`\epsilon / c`, or for a *tie* to lie within it. ``ways`` = 3 .. 8 rates
    rankings of so many systems as one free-for-all, by expectation propagation.

    What is rated is the choice of ``selection``:

    - ``all``: every comparison once, repeated until no rating changes, so that neither order nor
      seed matters; deviations are those of the posterior. This is what a ranking needs.
    - ``replay``: every comparison once, in order; what comes late weighs as much as what comes
      early only if ``beta`` is large.
    - ``uniform``: ``matches`` comparisons drawn with replacement (as many as there are).
    - ``paper``: the same number, selected by the model: the system with the largest variance (of
      equal ones the last by name) against one drawn with probability ~ exp(-\|difference\|), and
      one of their comparisons at random.

    ``beta`` is a number, or ``paper`` (:math:`0.025 N \sigma_0^2`) or ``code``
    (:math:`\sigma_0 N / 40`) for N matches. Both are so large that a rating becomes a sum over
    games, in which systems with few games stay near :math:`\mu_0` unless the selection sees to it
    that all play alike. With a number, ratings are posterior means whatever the number of games:
    hence the default, one prior deviation. Ties come from ``epsilon``, or else from
    ``draw_probability``, the chance of a tie between equals:
    :math:`\epsilon = \sqrt{2} \beta \Phi^{-1}((p + 1) / 2)`; ``observed`` is the share of ties.

    With ``all``, deviations are those around the mean of the systems. Those of pairs (``ways=2``)
    take the pairs of one screen for independent and are too small, by a third on screens of five;
    with ``ways`` as large as the screens they equal the scatter over resampled screens. A ranking
    of more than ``ways`` systems counts in all its subsets of that size. Runs on resampled pairs of
    more than 100 systems take the variance of a difference from how often its two systems played
    there, in the proportion that holds in all judgments: that moves a mean by at most a fiftieth of
    its scatter over the runs where systems have few opponents, else by a thousandth.
    Herbrich, Minka and Graepel (2006), NIPS; Sakaguchi, Post and Van Durme (2014), WMT.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B"), (1, 2 - i % 3 // 2)) for i in range(9)]
    >>> ratings = TrueSkill().ratings(Judgments.from_rankings(screens))
    >>> ratings.means.round(3), ratings.deviations.round(3)
    (array([ 0.301, -0.301]), array([0.134, 0.134]))
    """

    name: ClassVar[str] = "trueskill"
    mu0: float = 0.0
    sigma0: float = 0.5
    beta: float | Literal["paper", "code"] = 0.5
    tau: float = 0.0
    epsilon: float | None = None
    draw_probability: float | Literal["observed"] = "observed"
    ways: int = 2
    selection: Selection = "all"
    matches: int | None = None

    def __post_init__(self) -> None:
        check_choice("trueskill", "selection", self.selection, get_args(Selection))
        for option, rule, is_right in self._requirements():
            if not is_right:
                value = getattr(self, option)
                raise DataError(f"trueskill: {option} is {value!r}; expected {rule}")

    def _requirements(self) -> Iterator[tuple[str, str, bool]]:
        """Options, what they must be, and whether they are."""
        draws, drawn = self.draw_probability, self.selection in ("uniform", "paper")
        yield "mu0", "a number", isfinite(self.mu0)
        yield "sigma0", "a number from 1e-150 to 1e150", _has_square(self.sigma0)
        yield (
            "beta",
            "a number from 1e-150 to 1e150, 'paper' or 'code'",
            self.beta in ("paper", "code") or _has_square(self.beta),
        )
        yield "tau", "a number from 0", isfinite(self.tau) and self.tau >= 0
        yield "tau", "0 where matches have no order", self.tau == 0 or self.selection != "all"
        yield "epsilon", "a number from 0", self.epsilon is None or 0 <= self.epsilon < np.inf
        yield (
            "draw_probability",
            "a number from 0 to less than 1, or 'observed'",
            draws == "observed" or (isinstance(draws, int | float) and 0 <= draws < 1),
        )
        yield "ways", f"2 to {MOST_WAYS}", 2 <= self.ways <= MOST_WAYS
        yield "matches", "a positive number", self.matches is None or self.matches > 0
        yield "matches", f"none with {self.selection!r}", self.matches is None or drawn

    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """The model of all judgments; *seed* matters to ``uniform`` and ``paper``."""
        systems, means, variances = self.rated(judgments, Batch(1, seed, unit=None))
        return Ratings(systems, means[0], np.sqrt(variances[0]))

    def run(self, judgments: Judgments, batch: Batch) -> Floats:
        """Means on judgments drawn with replacement; nan where a run does not have a system."""
        return self.rated(judgments, batch)[1]

    def rated(self, judgments: Judgments, batch: Batch) -> tuple[tuple[str, ...], Floats, Floats]:
        """Systems, means and variances (runs, S).

        Judgments are drawn with replacement before each run, by the unit of *batch*; without one,
        runs differ only in the matches that ``uniform`` and ``paper`` draw.
        """
        by_pairs = self.ways == 2 and self.selection in ("all", "paper")
        rate = self._rate_counts if by_pairs else self._rate_matches
        systems, rated = rate(judgments, batch)
        means, variances, unsettled = zip(*rated, strict=True)
        if sum(unsettled):
            raise ConvergenceError(
                f"TrueSkill did not settle in {sum(unsettled)} of {batch.count} runs"
            )
        return systems, np.concatenate(means), np.concatenate(variances)

    def _rate_counts(
        self, judgments: Judgments, batch: Batch
    ) -> tuple[tuple[str, ...], list[Rated]]:
        """Pairs need no more than counts of outcomes, however many there are."""
        outcomes = Outcomes.of(judgments)
        setting, count = self._setting(outcomes, len(outcomes.systems), len(outcomes.cells))
        if self.selection == "paper":
            rate = _selected_rater(outcomes, setting, count, batch.seed)
        elif batch.unit is not None and len(outcomes.systems) > EXACT_RUNS:
            rate = _near_rater(outcomes, setting)
        else:
            rate = _exact_rater(outcomes, setting)
        return outcomes.systems, [
            rate(counts, numbers) for numbers, counts in outcomes.drawn(batch)
        ]

    def _rate_matches(
        self, judgments: Judgments, batch: Batch
    ) -> tuple[tuple[str, ...], list[Rated]]:
        matches = Matches.of(judgments, ways=self.ways, exact=self.selection == "paper")
        setting, count = self._setting(Outcomes.of(judgments), len(matches.systems), len(matches))
        if self.selection == "replay" and batch.unit is None:
            return matches.systems, [self._replayed(matches, setting, batch.count)]
        rate = self._match_rater(matches, setting, count, batch)
        state = generator_state(batch.seed)
        return matches.systems, [
            rate(state=state, first_run=numbers.start, runs=len(numbers))
            for numbers in batch.pieces()
        ]

    def _match_rater(
        self, matches: Matches, setting: _core.RatingSetting, count: int, batch: Batch
    ) -> Callable[..., Rated]:
        """The native function that rates *matches*, given all but the runs."""
        groups = matches.groups(batch.unit or "pair")
        given = (matches.starts, matches.players, matches.ranks, groups, setting)
        draws = batch.unit is not None
        if self.selection == "all":
            return partial(
                _core.rate_all_matches, *given, tolerance=_MATCH_TOLERANCE, resample=draws
            )
        if self.selection == "paper":
            return partial(_core.rate_selected_matches, *given, matches=count, resample=draws)
        return partial(_core.rate_drawn_matches, *given, matches=count)

    def _replayed(self, matches: Matches, setting: _core.RatingSetting, runs: int) -> Rated:
        """Every match in order; the same in every run."""
        systems = len(matches.systems)
        means, variances = _core.rate_matches(
            np.full(systems, self.mu0),
            np.full(systems, self.sigma0**2),
            matches.starts,
            matches.players,
            matches.ranks,
            beta=setting.beta,
            epsilon=setting.epsilon,
            tau=setting.tau,
        )
        return np.tile(means, (runs, 1)), np.tile(variances, (runs, 1)), 0

    def _setting(
        self, outcomes: Outcomes, systems: int, available: int
    ) -> tuple[_core.RatingSetting, int]:
        """Prior and rules of matches for the native core, and how many matches to draw."""
        count = self.matches
        if count is None:  # selected free-for-alls hold as many pairs as there are judgments
            count = available // comb(self.ways, 2) if self.selection == "paper" else available
        beta = self._beta(max(1, count))
        epsilon = self.epsilon
        if epsilon is None:
            epsilon = draw_margin(self._draw_share(outcomes), beta=beta)
        setting = _core.RatingSetting(systems, self.mu0, self.sigma0**2, beta, epsilon, self.tau)
        return setting, max(1, count)

    def _beta(self, matches: int) -> float:
        if self.beta == "paper":
            return 0.025 * matches * self.sigma0**2
        return self.sigma0 * matches / 40 if self.beta == "code" else float(self.beta)

    def _draw_share(self, outcomes: Outcomes) -> float:
        """The chance of a tie; one comparison more than there are keeps it below 1."""
        if self.draw_probability != "observed":
            return float(self.draw_probability)
        ties = np.count_nonzero(outcomes.is_tie[outcomes.cells])
        return float(ties / (len(outcomes.cells) + 1))


#: Rates some of the runs: with a row of counts each, or all with the same one.
CountRater = Callable[[NDArray[np.int64], range], Rated]


def _selected_rater(
    outcomes: Outcomes, setting: _core.RatingSetting, matches: int, seed: int
) -> CountRater:
    """Runs of pairs that the model selects."""
    return lambda counts, numbers: _core.rate_selected_pairs(
        *outcomes.kinds,
        counts,
        setting,
        matches=matches,
        state=generator_state(seed),
        first_run=numbers.start,
        runs=len(numbers),
    )


def _exact_rater(outcomes: Outcomes, setting: _core.RatingSetting) -> CountRater:
    """All pairs at once."""

    def rate(counts: NDArray[np.int64], numbers: range) -> Rated:
        means, variances, unsettled = _core.rate_all_pairs(
            *outcomes.kinds, counts, setting, tolerance=_PAIR_TOLERANCE
        )
        times = len(numbers) // len(counts)
        return np.tile(means, (times, 1)), np.tile(variances, (times, 1)), unsettled * times

    return rate


def _near_rater(outcomes: Outcomes, setting: _core.RatingSetting) -> CountRater:
    """All pairs of resamples at once, near the posterior of all judgments."""
    base = outcomes.counts()[np.newaxis]
    near = _core.NearRatings(*outcomes.kinds, base, setting, tolerance=_PAIR_TOLERANCE)
    return lambda counts, _: near.rate(counts, tolerance=_NEAR_TOLERANCE)


def draw_margin(probability: float, *, beta: float) -> float:
    r"""How close two performances are tied: :math:`\sqrt{2} \beta \Phi^{-1}((p + 1) / 2)`.

    *probability* is that of a tie between two systems of equal skill.

    >>> round(draw_margin(0.25, beta=1.0), 6)
    0.450624
    """
    from statistics import NormalDist  # slow to import

    return sqrt(2) * beta * NormalDist().inv_cdf((probability + 1) / 2)


def _has_square(value: object) -> bool:
    """Whether it is a positive number whose square is neither 0 nor infinite."""
    return isinstance(value, int | float) and 1e-150 <= value <= 1e150
