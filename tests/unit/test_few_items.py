"""Few items: intervals and p-values are those of Student's t, worked out with scipy's own."""

import numpy as np
import pytest
from scipy.stats import norm, t

from rankwise.significance import Bootstrap, percentile_intervals
from rankwise.significance.few_items import (
    FADES_FROM,
    FEW,
    intervals_of_few,
    level_of_few,
    p_values_of_few,
)


@pytest.mark.parametrize("items", [4, 6, 19, 20, 40])
def test_an_interval_of_a_normal_mean_is_that_of_t(items):
    """Resamples of a mean scatter by sd * root((n - 1) / n) / root(n) around it, as a normal."""
    level = level_of_few(0.95, items)
    half = norm.ppf((1 + level) / 2) * np.sqrt((items - 1) / items)
    assert half == pytest.approx(t.ppf(0.975, items - 1), rel=1e-6)


@pytest.mark.parametrize("items", [6, 19, 40, 55])
def test_p_values_agree_with_intervals(items):
    for level in (0.8, 0.95, 0.99):
        p = 1 - level_of_few(level, items)
        assert p_values_of_few([p], items)[0] == pytest.approx(1 - level, rel=1e-6)
    found = p_values_of_few([np.nan, 0.0, 1.0], items)
    assert np.isnan(found[0]) and found[1:].tolist() == [0.0, 1.0]


def test_two_items_leave_everything_open():
    assert 0.999 < level_of_few(0.95, 2) < 1


@pytest.mark.parametrize("items", [0, 1, FEW, 1000])
def test_many_items_or_one_are_left_as_they_are(items):
    assert level_of_few(0.95, items) == 0.95
    assert p_values_of_few([0.03], items).tolist() == [0.03]


def test_no_number_jumps_where_one_item_more_is_counted():
    """The ends of an interval move by less than .2 % of its width from 20 items to 80."""
    sizes = range(20, 81)
    ends = norm.ppf([(1 + level_of_few(0.95, items)) / 2 for items in sizes])
    steps = -np.diff(ends)
    assert (steps >= 0).all() and steps.max() < 0.01
    assert level_of_few(0.95, FADES_FROM + 1) < level_of_few(0.95, FADES_FROM)
    assert ends[-1] == pytest.approx(norm.ppf(0.975))


def test_every_score_has_the_interval_of_its_own_items():
    drawn = Bootstrap(("A", "B"), np.zeros(2), np.random.default_rng(1).normal(size=(999, 2)))
    found = intervals_of_few(drawn, [8, 500], level=0.9)
    few = percentile_intervals(drawn, level=level_of_few(0.9, 8))
    many = percentile_intervals(drawn, level=0.9)
    assert (found.low[0], found.high[0]) == (few.low[0], few.high[0])
    assert (found.low[1], found.high[1]) == (many.low[1], many.high[1])
    assert found.level == 0.9
