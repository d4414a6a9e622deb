"""Agreement of two lists of scores: values worked out by hand, ties, undefined cases."""

import math

import numpy as np
import pytest

from rankwise.agreement import kendall, pairwise_accuracy, pearson, spearman
from rankwise.errors import DataError

MEASURES = [pearson, spearman, kendall, pairwise_accuracy]


def test_kendall_with_ties_by_hand():
    # pairs: (1,2) tied in x; (1,3) +; (1,4) +; (2,3) +; (2,4) +; (3,4) -
    # C = 4, D = 1, untied in x 5, in y 6: 3 / sqrt(30)
    assert kendall([1, 1, 2, 3], [1, 2, 4, 3]) == 3 / math.sqrt(30)


def test_spearman_with_ties_by_hand():
    # ranks 1.5, 1.5, 3 and 1, 2, 3: centred products -.5 * -1 + -.5 * 0 + 1 * 1 = 1.5
    # squares 1.5 and 2: 1.5 / sqrt(3)
    assert spearman([5, 5, 9], [1, 2, 3]) == pytest.approx(1.5 / math.sqrt(3))


def test_pairwise_accuracy_with_ties_by_hand():
    # (1,2): tied in gold only, wrong; (1,3) and (2,3) right
    assert pairwise_accuracy([1, 2, 3], [1, 1, 2]) == 2 / 3
    # tied in both is right
    assert pairwise_accuracy([1, 1, 3], [1, 1, 2]) == 1.0


@pytest.mark.parametrize("measure", MEASURES)
def test_missing_scores_are_left_out(measure):
    gold = [1.0, np.nan, 2.0, 4.0, 3.0]
    assert measure([1, 9, 3, 4, np.nan], gold) == measure([1, 3, 4], [1, 2, 4])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("values", [[], [1.0], [1.0, np.nan]])
def test_fewer_than_two_things_have_no_agreement(measure, values):
    assert math.isnan(measure(values, values))


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_a_constant_list_correlates_with_nothing(measure):
    assert math.isnan(measure([0.1] * 3, [1, 2, 3]))
    assert math.isnan(measure([1, 2, 3], [0.1] * 3))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_list_agrees_with_itself(measure):
    values = np.random.default_rng(0).normal(size=50)
    assert measure(values, values) == pytest.approx(1.0, abs=1e-15)
    assert abs(measure(values, values)) <= 1


def test_large_and_tiny_scores_do_not_overflow():
    assert pearson([1e300, -1e300, 0], [1, -1, 0]) == pytest.approx(1.0)
    assert pearson([1e-300, -1e-300, 0], [1, -1, 0]) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_what_is_refused(measure):
    with pytest.raises(DataError, match="2 and 3 scores"):
        measure([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="infinite"):
        measure([1, np.inf], [1, 2])
    with pytest.raises(DataError, match=r"shape \(1, 2\)"):
        measure([[1, 2]], [1, 2])
