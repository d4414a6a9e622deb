"""Scores of systems with everything that tells luck from merit: intervals, tests, clusters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.system_scores import Scored, SystemScores
from rankwise.significance import (
    Bootstrap,
    Differences,
    Intervals,
    paired_bootstrap,
    paired_randomisation,
    percentile_intervals,
    ranked,
)
from rankwise.significance.few_items import FEW, level_of_few, p_values_of_few
from rankwise.significance.letters import group_letters
from rankwise.significance.resample import bootstraps
from rankwise.types import Leaderboard
from rankwise.types.shown import Shown

Test = Literal["bootstrap", "randomisation"]

#: What a corrected p-value must be able to fall below, and how many draws it may take.
ALPHA = 0.05
_MOST_DRAWS = 100_000


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often and how to draw: what intervals, rank ranges and tests rest on.

    ``samples`` None means 1,000 resamples, and 10,000 shuffles of a randomisation test, or as many
    more as a correction needs; 0 means no resampling at all. ``unit`` "document" draws whole
    documents. ``compat`` "sacrebleu" gives the p-values of sacreBLEU, whose bootstrap finds too
    much.
    """

    samples: int | None = None
    seed: int = 12345
    level: float = 0.95
    test: Test = "bootstrap"
    unit: Literal["segment", "document"] = "segment"
    compat: Literal["sacrebleu"] | None = None

    @property
    def draws(self) -> int:
        """Resamples for intervals and rank ranges."""
        return 1000 if self.samples is None else self.samples

    @property
    def shuffles(self) -> int:
        """Shuffles of a randomisation test."""
        return 10_000 if self.samples is None else self.samples

    @property
    def tested(self) -> int:
        """What p-values rest on: resamples, or shuffles."""
        return self.shuffles if self.test == "randomisation" else self.draws

    @property
    def takes_few_into_account(self) -> bool:
        """Whether p-values of few segments are those of Student's t."""
        return self.test != "randomisation" and self.compat is None

    def enough_for(self, tests: int, items: int = FEW) -> "Resampling":
        """The same with draws enough for Holm's correction of so many tests, unless they are set.

        The smallest p-value of R draws is 1 / (1 + R); few *items* make it larger, and the
        correction multiplies it by the number of tests.
        """
        few = items if self.takes_few_into_account else FEW
        least = 1 - level_of_few(1 - ALPHA / tests, few) if tests else 1.0
        needed = min(math.ceil(2 / least - 1e-6), _MOST_DRAWS)
        if self.samples is not None or needed <= self.tested:
            return self
        return replace(self, samples=needed)

    def least_p(self, tests: int = 1, items: int = FEW) -> float:
        """The smallest p-value that so many draws leave to one of so many tests that are corrected.

        >>> round(Resampling(samples=99).least_p(tests=3), 6)
        0.03
        """
        least = 1 / (1 + self.tested)
        if self.takes_few_into_account:
            least = float(p_values_of_few(least, items))
        return min(1.0, max(1, tests) * least)

    def check(self, tests: int = 1) -> None:
        """Refuse draws so few that none of the tests could find anything; 0 draws are no test.

        sacreBLEU's p-values are given all the same.
        """
        if not self.tested or self.compat is not None or self.least_p(tests) < ALPHA:
            return
        family = f"the corrected p-value of {tests} tests" if tests > 1 else "a p-value"
        needed = math.floor(max(1, tests) / ALPHA + 1e-6)
        raise DataError(
            f"with {self.tested:,} draws {family} is never below {ALPHA}; expected {needed:,} or "
            "more"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """One metric: its scores, and with resampling their intervals, ranks and tests."""

    result: SystemScores
    intervals: Intervals | None = None
    board: Leaderboard | None = None
    tests: Differences | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scoreboard(Shown):
    """All metrics; ``order`` lists the systems best first by the first of them."""

    scored: Scored
    standings: tuple[Standing, ...]
    order: NDArray[np.intp]
    resampling: Resampling
    baseline: str | None = None
    is_corrected: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems best first."""
        names = self.scored.results[0].systems
        return tuple(names[place] for place in self.order.tolist())

    @property
    def least_p(self) -> float:
        """The smallest p-value that draws, units and the correction leave possible.

        Of n units that are exchanged, two of all 2 ** n ways differ the most.
        """
        tests = self.standings[0].tests
        count = 1 if tests is None or not self.is_corrected else len(tests)
        least = self.resampling.least_p(count, self.units)
        if self.resampling.test == "randomisation":
            least = max(least, min(1.0, count * 2.0 ** (1 - self.units)))
        return least

    @property
    def units(self) -> int:
        """How many documents, or segments with a score (up to ``FEW``), there are to draw."""
        return units_of(self.scored, self.resampling)

    @property
    def has_few(self) -> bool:
        """Whether intervals are wider, and p-values larger, because there is little to draw from.

        A test that exchanges outputs needs no correction.
        """
        return self.standings[0].intervals is not None and 2 <= self.units < FEW

    @property
    def letters(self) -> tuple[str, ...] | None:
        """By the first metric, for the systems best first: who shares a letter does not differ.

        None unless every two systems were tested.
        """
        tests, count = self.standings[0].tests, len(self.order)
        if tests is None or len(tests) < count * (count - 1) // 2:
            return None
        p_values = tests.holm if self.is_corrected else tests.p_values
        place = np.argsort(self.order)
        different = np.zeros((count, count), bool)
        left, right = place[tests.left], place[tests.right]
        different[left, right] = different[right, left] = p_values < ALPHA
        return tuple(group_letters(different))

    def __repr__(self) -> str:
        """The metrics and the systems best first, in one line."""
        metrics = ", ".join(str(result.metric) for result in self.scored.results)
        return f"<Scoreboard of {metrics}: {len(self.systems)} systems, {self.systems[0]} first>"


def scoreboard(
    scored: Scored,
    resampling: Resampling,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    is_corrected: bool = False,
) -> Scoreboard:
    """Intervals and clusters of all systems; tests against *baseline*, or of all pairs.

    With *is_corrected* the p-values of each metric are those of Holm (1979).
    """
    groups = _groups(scored, resampling)
    wants_tests = all_pairs or baseline is not None
    if resampling.draws and resampling.compat is None and units_of(scored, resampling) < 2:
        if wants_tests:
            raise DataError(f"a test needs at least 2 {resampling.unit}s; found 1")
        resampling = replace(resampling, samples=0)  # what is drawn of one is always the same
    if is_corrected and wants_tests:
        resampling = resampling.enough_for(
            _tests_of(scored, baseline), units_of(scored, resampling)
        )
    if wants_tests and resampling.draws == 0:
        raise DataError("a test needs resamples; expected at least 1")
    if wants_tests:
        resampling.check(_tests_of(scored, baseline) if is_corrected else 1)
    standings = [Standing(result) for result in scored.results]
    if resampling.draws > 0:
        drawn = bootstraps(
            [(result.rows, result.metric) for result in scored.results],
            samples=resampling.draws,
            seed=resampling.seed,
            groups=groups,
        )
        standings = [
            _standing(result, resamples, resampling, groups, wants_tests, baseline)
            for result, resamples in zip(scored.results, drawn, strict=True)
        ]
    return Scoreboard(
        scored,
        tuple(standings),
        _order(scored.results[0]),
        resampling,
        baseline,
        is_corrected,
    )


def _tests_of(scored: Scored, baseline: str | None) -> int:
    """How many pairs of systems are tested."""
    systems = len(scored.results[0].systems)
    return systems - 1 if baseline is not None else systems * (systems - 1) // 2


def _standing(
    result: SystemScores,
    resamples: Bootstrap,
    resampling: Resampling,
    groups: Sequence[str] | None,
    wants_tests: bool,
    baseline: str | None,
) -> Standing:
    items = items_of(result, groups)
    level = level_of_few(resampling.level, items)
    tests = _tests(result, resamples, resampling, groups, baseline) if wants_tests else None
    if tests is not None and resampling.takes_few_into_account:
        tests = replace(tests, p_values=p_values_of_few(tests.p_values, items))
    intervals = replace(percentile_intervals(resamples, level=level), level=resampling.level)
    return Standing(result, intervals, ranked(resamples, level=level), tests)


def items_of(result: SystemScores, groups: Sequence[str] | None) -> int:
    """How much there is to draw: segments with a score, up to ``FEW``, or groups of them."""
    return result.scored_up_to(FEW) if groups is None else len(set(groups))


def units_of(scored: Scored, resampling: Resampling) -> int:
    """How many documents, or segments with a score (up to ``FEW``), there are to draw."""
    if resampling.unit == "document":
        return len(set(scored.labels.get("document", ())))
    return max(result.scored_up_to(FEW) for result in scored.results)


def _tests(
    result: SystemScores,
    resamples: Bootstrap,
    resampling: Resampling,
    groups: Sequence[str] | None,
    baseline: str | None,
) -> Differences:
    if resampling.test != "randomisation":
        return paired_bootstrap(resamples, baseline=baseline, compat=resampling.compat)
    options: dict[str, Any] = {"samples": resampling.shuffles, "seed": resampling.seed}
    options |= {"groups": groups, "compat": resampling.compat}
    return paired_randomisation(result.rows, result.metric, baseline=baseline, **options)


def _groups(scored: Scored, resampling: Resampling) -> Sequence[str] | None:
    if resampling.unit != "document":
        return None
    if "document" not in scored.labels:
        raise DataError("the segments have no documents to be drawn by; expected one for each")
    return scored.labels["document"]


def _order(result: SystemScores) -> NDArray[np.intp]:
    """Best first, those without a score last; of equals, the order of their names."""
    keys = [
        (np.isnan(quality), -quality, system, place)
        for place, (system, quality) in enumerate(zip(result.systems, result.quality, strict=True))
    ]
    return np.array([place for *_, place in sorted(keys)], np.intp)
