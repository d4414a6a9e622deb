"""Tests of two systems by the values of their segments, as the organisers of WMT used them.

Each gives the p-value of the first system being better (``signed_rank_by_domain``: of the two being
different). None knows of judges or documents: values of segments are taken for independent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import Codes, Floats, JudgedValues
from rankwise.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class SystemValues:
    """Mean values (S, segments), nan where not judged; the domain of segments; and the judgments.

    ``value`` holds single judgments, raw or standardised as the means are.
    """

    means: Floats
    domains: Codes
    judgments: JudgedValues
    value: Floats

    def judged(self, system: int) -> Floats:
        """The values of the segments that were judged of one system."""
        row: Floats = self.means[system]
        found: Floats = row[~np.isnan(row)]
        return found

    def shared(self, one: int, other: int) -> tuple[Floats, Floats, Codes]:
        """The values of the segments that were judged of both, and their domains."""
        both = ~np.isnan(self.means[one]) & ~np.isnan(self.means[other])
        return self.means[one][both], self.means[other][both], self.domains[both]

    def judgment_pairs(self, one: int, other: int) -> Floats:
        """Differences of every judgment of *one* and every one of *other* on the same segment."""
        found = [np.empty(0)]
        left, right = (self._by_segment(system) for system in (one, other))
        for segment, values in left.items():
            if segment in right:
                found.append((values[:, None] - right[segment]).ravel())
        return np.concatenate(found)

    def _by_segment(self, system: int) -> dict[int, Floats]:
        rows = np.flatnonzero(self.judgments.system == system)
        rows = rows[np.argsort(self.judgments.segment[rows], kind="stable")]
        segments, first = np.unique(self.judgments.segment[rows], return_index=True)
        parts = np.split(self.value[rows], first[1:])
        return dict(zip(segments.tolist(), parts, strict=True))


def rank_sum(values: SystemValues, one: int, other: int) -> float:
    """Rank sums of all segments of each (Wilcoxon 1945; Mann and Whitney 1947)."""
    return _rank_sum(values.judged(one), values.judged(other))


def shared_rank_sum(values: SystemValues, one: int, other: int) -> float:
    """Rank sums of the segments that were judged of both; they are not paired."""
    left, right, _ = values.shared(one, other)
    return _rank_sum(left, right)


def signed_rank(values: SystemValues, one: int, other: int) -> float:
    """Signed ranks of all pairs of judgments of the same segment (Wilcoxon 1945)."""
    return _signed_rank(values.judgment_pairs(one, other), "greater")


def signed_rank_by_domain(values: SystemValues, one: int, other: int) -> float:
    """Signed ranks in every domain, two-sided; the p-values joined by Stouffer's method."""
    from scipy.stats import norm

    left, right, domain = values.shared(one, other)
    differences = [(left - right)[domain == code] for code in np.unique(domain)]
    p = np.array([_signed_rank(part, "two-sided") for part in differences])
    if not len(p):
        return 1.0
    # A p-value of exactly 1 would outweigh all others: it is infinitely far from significant.
    z = norm.isf(np.clip(p, 1e-300, 1 - 1e-9))
    return float(norm.sf(z.sum() / np.sqrt(len(p))))


def paired_t(values: SystemValues, one: int, other: int) -> float:
    """Student's test of the differences on segments that were judged of both."""
    from scipy.stats import ttest_rel

    left, right, _ = values.shared(one, other)
    if len(left) < 2 or not np.ptp(left - right):
        return _without_scatter(left - right)
    return float(ttest_rel(left, right, alternative="greater").pvalue)


def independent_t(values: SystemValues, one: int, other: int) -> float:
    """Student's test of all segments of each, with one variance for both."""
    from scipy.stats import ttest_ind

    left, right = values.judged(one), values.judged(other)
    if min(len(left), len(right)) < 2 or not (np.ptp(left) or np.ptp(right)):
        return 1.0
    return float(ttest_ind(left, right, alternative="greater").pvalue)


def either_t(values: SystemValues, one: int, other: int) -> float:
    """The smaller p-value of the paired and the independent test: either may find it."""
    return min(paired_t(values, one, other), independent_t(values, one, other))


def _rank_sum(left: Floats, right: Floats) -> float:
    from scipy.stats import mannwhitneyu  # slow to import, and only this needs it

    if not len(left) or not len(right):
        return 1.0
    test = mannwhitneyu(left, right, alternative="greater", method="asymptotic")
    # Where all values are equal the statistic has no scatter and the p-value is nan.
    return 1.0 if np.isnan(test.pvalue) else float(test.pvalue)


def _signed_rank(differences: Floats, alternative: str) -> float:
    from scipy.stats import wilcoxon

    decided = differences[differences != 0]
    if not len(decided):
        return 1.0
    return float(wilcoxon(decided, alternative=alternative).pvalue)


def _without_scatter(differences: Floats) -> float:
    """Differences that are all alike: the first is better, or nothing is known."""
    return 0.0 if len(differences) > 1 and differences[0] > 0 else 1.0


Test = Callable[[SystemValues, int, int], float]

#: The tests by their names.
TESTS: dict[str, Test] = {
    "rank-sum": rank_sum,
    "shared-rank-sum": shared_rank_sum,
    "signed-rank": signed_rank,
    "signed-rank-by-domain": signed_rank_by_domain,
    "paired-t": paired_t,
    "independent-t": independent_t,
    "either-t": either_t,
}


def better_p_values(values: SystemValues, order: NDArray[Any], test: str) -> Floats:
    """p-values (S, S) of every system being better than each that comes after it in *order*.

    Rows and columns are places in *order*; what does not lie above the diagonal is nan.
    """
    if test not in TESTS:
        raise DataError(f"unknown test {test!r}; choose from {', '.join(TESTS)}")
    found: Floats = np.full((len(order), len(order)), np.nan)
    for place, one in enumerate(order.tolist()):
        for later, other in enumerate(order.tolist()[place + 1 :], place + 1):
            found[place, later] = TESTS[test](values, one, other)
    return found
