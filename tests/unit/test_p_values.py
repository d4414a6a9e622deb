import math
from itertools import permutations

import numpy as np
import pytest

from rankwise.agreement import Mrr, Tau
from rankwise.agreement.lists.p_values import permutation_p_value
from rankwise.errors import DataError


def by_enumeration(predicted, gold):
    def difference(order):
        pairs = [(i, j) for i in range(len(gold)) for j in range(i)]
        return sum(np.sign((order[i] - order[j]) * (gold[i] - gold[j])) for i, j in pairs)

    found = abs(difference(predicted))
    values = [abs(difference(order)) >= found for order in permutations(predicted)]
    return sum(values) / len(values)


def test_random_orders_come_near_the_exact_share():
    predicted, gold = [1, 2, 3, 5, 4], [1, 2, 3, 4, 5]
    drawn = permutation_p_value(Tau(), [predicted], [gold], samples=4000, seed=3)
    assert drawn == pytest.approx(by_enumeration(predicted, gold), abs=0.02)


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
