import math
from itertools import permutations

import numpy as np
import pytest

from rankwise.agreement import Mrr, Tau
from rankwise.agreement.lists.p_values import exact_p_value, permutation_p_value, tau_p_value
from rankwise.errors import DataError


def test_normal_approximation_of_the_paper():
    # Five items in perfect order: z = 1 / sqrt(30 / 180), p = erfc(z / sqrt 2).
    assert tau_p_value(1.0, 5) == pytest.approx(math.erfc(math.sqrt(6) / math.sqrt(2)))
    assert tau_p_value([0.0, -1.0], [5, 2]).tolist() == pytest.approx([1.0, math.erfc(2**-0.5)])
    assert math.isnan(tau_p_value(1.0, 1)) and math.isnan(tau_p_value(math.nan, 5))


def by_enumeration(predicted, gold):
    def difference(order):
        pairs = [(i, j) for i in range(len(gold)) for j in range(i)]
        return sum(np.sign((order[i] - order[j]) * (gold[i] - gold[j])) for i, j in pairs)

    found = abs(difference(predicted))
    values = [abs(difference(order)) >= found for order in permutations(predicted)]
    return sum(values) / len(values)


@pytest.mark.parametrize(
    ("predicted", "gold"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]),
        ([1, 1, 2, 3], [1, 2, 3, 3]),
        ([3, 1, 2, 2, 2], [1, 2, 3, 4, 5]),
        ([2, 1, 3], [1, 1, 1]),
        ([2, 1], [1, 2]),
    ],
)
def test_exact_is_the_share_of_orders(predicted, gold):
    assert by_enumeration(predicted, gold) == pytest.approx(exact_p_value(predicted, gold))


def test_exact_of_long_untied_lists():
    # 2 of 20! orders: as far as a float goes.
    assert exact_p_value(range(20), range(20)) == pytest.approx(2 / math.factorial(20))


def test_exact_refuses_and_leaves_out():
    with pytest.raises(DataError, match="a list with ties has 9 items; expected at most 8"):
        exact_p_value([1] * 9, list(range(9)))
    assert exact_p_value([1, 2, None, 3], [1, 2, 3, None]) == 1.0
    assert math.isnan(exact_p_value([1], [1]))
    with pytest.raises(DataError, match="2 predicted and 1 gold ranks"):
        exact_p_value([1, 2], [1])


def test_random_orders_come_near_the_exact_share():
    predicted, gold = [1, 2, 3, 5, 4], [1, 2, 3, 4, 5]
    drawn = permutation_p_value(Tau(), [predicted], [gold], samples=4000, seed=3)
    assert drawn == pytest.approx(exact_p_value(predicted, gold), abs=0.02)


def test_random_orders_of_many_lists():
    random = np.random.default_rng(1)
    gold = [random.permutation(5) for _ in range(60)]
    noise = [random.permutation(5) for _ in range(60)]
    assert permutation_p_value(Tau(), gold, gold, samples=99) == 0.02
    assert permutation_p_value(Mrr(), noise, gold, samples=199) > 0.05
    first, second = (permutation_p_value(Mrr(), noise, gold, samples=50, seed=7) for _ in "ab")
    assert first == second
    assert math.isnan(permutation_p_value(Tau(), [[1, 2]], [[1, 1]], samples=9))
    with pytest.raises(DataError, match="0 random orders"):
        permutation_p_value(Tau(), gold, gold, samples=0)


def test_a_missing_rank_does_not_wander():
    lists = [[1, None, 2, 3]] * 5, [[1, 2, 3, None]] * 5
    without = [[1, 2]] * 5, [[1, 3]] * 5
    values = [permutation_p_value(Tau(), *pair, samples=30, seed=2) for pair in (lists, without)]
    assert values[0] == values[1]
