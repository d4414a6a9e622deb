"""Every golden number of mt-metrics-eval: equal to ours, or different for a named reason."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from parity import mtme_cases
from rankwise.agreement.tables.metric_ranks import greedy_ranks
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.agreement.tables.williams import williams
from shared_data import SHARED, needs_shared

pytestmark = needs_shared

#: Cases in which systems lack human scores of different segments.
SCATTERED = ("05_nones_scattered", "07_none_system", "14_syslevel_none", "25_rand_8x40_none30")
SCATTERED += ("28_rand_5x100_mqm",)


def _is_undefined(n):
    return math.isnan(n.ours) and (n.theirs == 0 or isinstance(n.theirs, str))


def _is_of_a_constant(n):
    tests = n.name.startswith(("PERM", "PAIRPERM", "Williams"))
    return tests and n.case in ("09_const_metric", "21_one_system")


def _is_a_tie(n):
    return n.bounds is not None and n.bounds[0] <= n.theirs <= n.bounds[1]


#: Name -> (which numbers it is about, why ours differ).
DIFFERENCES = {
    "undefined": (
        _is_undefined,
        "mtme returns 0, or fails, where no group or pair has a value; ours is nan with a reason",
    ),
    "constant": (
        _is_of_a_constant,
        "mtme standardises a constant metric to nan, compares nan with numbers, and takes the "
        "correlation of a constant for 0; ours is nan, or 0 before mixing",
    ),
    "misaligned": (
        lambda n: n.name == "SPA" and n.case in SCATTERED,
        "mtme drops single cells and reshapes, so that segments of systems no longer line up",
    ),
    "float32": (
        lambda n: n.name == "SPA" and n.case not in SCATTERED,
        "mtme adds up in float32, where totals that tie may come out above or below each other",
    ),
    "almost equal scores": (
        lambda n: n.case == "16_float_near_ties" and "earson" in n.name,
        "mtme's mean of scores that differ in the last digit rounds; ours agrees with fractions",
    ),
    "two best thresholds": (
        lambda n: (n.case, n.name) == ("26_rand_10x60", "epsilon 23 item"),
        "two thresholds are equally good and mtme's running sum rounds; ours is the smaller",
    ),
    "ties but for rounding": (
        _is_a_tie,
        "draws whose difference equals the observed one but for rounding: ours count as large",
    ),
}


#: How many golden numbers are equal, and how many differ for each reason.
EXPECTED = {
    "equal": 6802,
    "undefined": 250,
    "constant": 33,
    "misaligned": 10,
    "float32": 8,
    "almost equal scores": 9,
    "two best thresholds": 1,
    "ties but for rounding": 14,
}


@pytest.fixture(scope="module")
def numbers():
    return list(mtme_cases.numbers())


def _reason(number):
    fitting = [name for name, (is_about, _) in DIFFERENCES.items() if is_about(number)]
    return fitting[0] if fitting else None


def test_every_number_is_equal_or_different_for_a_named_reason(numbers):
    unexplained = [n for n in numbers if not n.is_equal and _reason(n) is None]
    assert unexplained == []


def test_so_many_numbers_are_equal(numbers):
    counts = Counter("equal" if n.is_equal else _reason(n) for n in numbers)
    assert counts == EXPECTED


def test_the_two_best_thresholds_are_equally_good(numbers):
    (number,) = [n for n in numbers if _reason(n) == "two best thresholds" and not n.is_equal]
    case = mtme_cases.golden()["cases"][number.case]
    gold = mtme_cases.table(case["gold"], case)
    ours, theirs = (
        [
            table_measure(f"acc-eq:epsilon={epsilon!r}").of(gold, mtme_cases.table(m, case)).value
            for m in case["metrics"]
        ]
        for epsilon in (number.ours, number.theirs)
    )
    assert any(a == pytest.approx(b, abs=1e-12) for a, b in zip(ours, theirs, strict=True))
    assert number.ours < number.theirs


def test_ranks_and_williams():
    misc = mtme_cases.golden()["misc"]
    for entry in misc["AssignRanks"]:
        found = greedy_ranks(np.array(entry["matrix"]), alpha=entry["pval"])
        assert entry["ranks"] == found.tolist()
    for entry in misc["WilliamsTest"]:
        given = (entry["r12"], entry["r13"], entry["r23"], entry["n"])
        assert williams(*given) == pytest.approx(entry["one_sided"], rel=1e-12)
        assert williams(*given, one_sided=False) == pytest.approx(entry["two_sided"], rel=1e-12)


def test_almost_equal_scores_agree_with_fractions():
    case = mtme_cases.golden()["cases"]["16_float_near_ties"]
    gold = mtme_cases.table(case["gold"], case)
    metric = mtme_cases.table(case["metrics"][0], case)
    exact = [_exact_pearson(gold[:, item], metric[:, item]) for item in range(gold.shape[1])]
    found = table_measure("pearson:grouping=item").of(gold, metric).value
    assert found == pytest.approx(sum(exact) / len(exact), abs=1e-12)


def _exact_pearson(x, y):
    x, y = ([Fraction(float(value)) for value in values] for values in (x, y))
    dx, dy = ([v - sum(values) / len(values) for v in values] for values in (x, y))
    products = [
        sum(a * b for a, b in zip(*both, strict=True)) for both in ((dx, dy), (dx, dx), (dy, dy))
    ]
    return float(products[0]) / math.sqrt(float(products[1] * products[2]))


def _aligned_cases():
    if SHARED is None:
        return []
    return [name for name in mtme_cases.golden()["cases"] if name not in SCATTERED]


@pytest.mark.parametrize("name", _aligned_cases())
def test_soft_accuracy_differs_by_float32_alone(name):
    """In float32 the formula gives mtme's digits, in decimal fractions it gives ours."""
    case = mtme_cases.golden()["cases"][name]
    gold = mtme_cases.table(case["gold"], case)
    kept = ~np.isnan(gold).any(axis=0)
    for metric, results in zip(case["metrics"], case["results"], strict=True):
        scores = mtme_cases.table(metric, case)
        tables = [gold[:, kept], scores[:, kept]]
        signs = np.rint(np.random.default_rng(4).random((1000, kept.sum()), np.float32)) * 2 - 1
        theirs = _spa([_float32_tails(t, signs) for t in tables])
        assert theirs == pytest.approx(mtme_cases.first(results["SPA_mtme"]), abs=1e-9, nan_ok=True)
        ours = table_measure("spa:compat=mtme").of(gold, scores).value
        exact = _spa([_decimal_tails(t, signs) for t in tables])
        assert ours == pytest.approx(exact, abs=1e-9, nan_ok=True)


def _spa(p_values):
    return 1 - float(np.mean(np.abs(p_values[0] - p_values[1]))) if len(p_values[0]) else math.nan


def _float32_tails(scores, signs):
    scores = scores.astype(np.float32)
    drawn, total = signs @ scores.T, scores.sum(axis=1)
    i, j = np.triu_indices(len(scores), 1)
    return np.array(
        [
            ((drawn[:, a] - drawn[:, b]) >= total[a] - total[b]).mean()
            for a, b in zip(i, j, strict=True)
        ]
    )


def _decimal_tails(scores, signs):
    """Scores as the decimals that were written, times 10**15: sums are exact."""
    whole = np.array(
        [[int(Fraction(repr(float(v))) * 10**16) for v in row] for row in scores], object
    )
    drawn, total = signs.astype(int).astype(object) @ whole.T, whole.sum(axis=1)
    i, j = np.triu_indices(len(scores), 1)
    return np.array(
        [
            np.mean([d >= total[a] - total[b] for d in drawn[:, a] - drawn[:, b]])
            for a, b in zip(i, j, strict=True)
        ]
    )
