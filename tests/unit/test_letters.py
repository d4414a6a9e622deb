"""Letters of groups: who shares one does not differ, and nobody else."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.significance.letters import group_letters


def shares(one: str, other: str) -> bool:
    return bool(set(one) & set(other))


@given(st.integers(1, 7), st.data())
def test_two_share_a_letter_exactly_where_they_do_not_differ(count, data):
    pairs = list(combinations(range(count), 2))
    differ = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    table = np.zeros((count, count), bool)
    for (i, j), different in zip(pairs, differ, strict=True):
        table[i, j] = table[j, i] = different
    letters = group_letters(table)
    assert all(letters)
    for i, j in pairs:
        assert shares(letters[i], letters[j]) != table[i, j]


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        ([], ["a", "a", "a"]),
        ([(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        ([(0, 2)], ["a", "ab", "b"]),
        ([(0, 1), (0, 2)], ["a", "b", "b"]),
    ],
)
def test_by_hand(different, expected):
    table = np.zeros((3, 3), bool)
    for i, j in different:
        table[i, j] = table[j, i] = True
    assert group_letters(table) == expected
