"""Are sums of statistics exact, whatever the order and the cut?"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rankwise.types.sums import as_row, column_sums, exact_sums

doubles = st.floats(-1e300, 1e300, allow_nan=False)
tables = st.integers(0, 12).flatmap(lambda n: arrays(np.float64, (n, 2), elements=doubles))


@given(tables)
def test_a_sum_is_that_of_fractions(rows):
    expected = [sum(map(Fraction, column.tolist()), Fraction(0)) for column in rows.T]
    assert exact_sums(rows) == expected


@given(tables)
def test_a_sum_is_rounded_once(rows):
    expected = [math.fsum(column.tolist()) for column in rows.T]
    assert column_sums(rows).tolist() == expected


@given(arrays(np.float64, (12, 2), elements=doubles), st.integers(0, 12))
def test_parts_add_up_to_the_whole(rows, cut):
    parts = zip(exact_sums(rows[:cut]), exact_sums(rows[cut:]), strict=True)
    assert as_row([a + b for a, b in parts]).tolist() == column_sums(rows).tolist()


def test_thirds_in_any_order():
    # 1/3 is 6004799503160661 * 2^-54; so many of them that plain addition rounds differently.
    rows = np.array([[1 / 3], [1e9]] * 1000)
    assert exact_sums(rows)[0] == 1000 * (Fraction(6004799503160661, 2**54) + 10**9)
    assert column_sums(rows)[0] == column_sums(rows[::-1])[0] == math.fsum(rows[:, 0])


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_whole_numbers_stay_whole(dtype):
    rows = np.array([[2**30, 1], [2**30, 2]], dtype)
    assert exact_sums(rows) == [2**31, 3]
    assert column_sums(rows).dtype == as_row(exact_sums(rows)).dtype == np.int64
