"""The sign test against counting all outcomes, a lecture's example, and scipy."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rankwise.errors import DataError
from rankwise.significance import sign_test, sign_tests


def test_the_example_of_the_lecture():
    # > binom.test(59, 100, p=0.5, alternative="two.sided") in R: p-value = 0.08863
    assert f"{sign_test(59, 41):.5f}" == "0.08863"


def test_all_outcomes_counted():
    # Of the 2^4 ways, 1 + 1 are as lopsided as 4 : 0, 10 as 3 : 1, and all as 2 : 2.
    expected = [2 / 16, 10 / 16, 1, 10 / 16, 2 / 16]
    np.testing.assert_allclose(expected, sign_test([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]))
    assert sign_test(0, 0) == 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_definition_and_scipy(wins, losses):
    games = wins + losses
    extreme = sum(comb(games, k) for k in range(games + 1) if comb(games, k) <= comb(games, wins))
    assert sign_test(wins, losses) == pytest.approx(extreme / 2**games, rel=1e-12)
    if games:
        assert sign_test(wins, losses) == pytest.approx(binomtest(wins, games).pvalue, rel=1e-9)


def test_large_counts():
    assert sign_test(5_010_000, 4_990_000) == pytest.approx(
        binomtest(5_010_000, 10_000_000).pvalue, rel=1e-6
    )


def test_every_pair_with_its_ties():
    wins = np.array([[0, 6, 0], [0, 0, 0], [0, 0, 0]])
    ties = np.array([[0, 3, 0], [3, 0, 4], [0, 4, 0]])
    tests = sign_tests(("A", "B", "C"), wins, ties)
    assert len(tests) == 3
    assert list(zip(tests.left.tolist(), tests.right.tolist(), strict=True)) == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert (tests.wins.tolist(), tests.losses.tolist()) == ([6, 0, 0], [0, 0, 0])
    assert tests.ties.tolist() == [3, 0, 4]
    np.testing.assert_allclose(tests.p_values, [2 / 64, np.nan, 1])  # A and C never met
    np.testing.assert_allclose(tests.holm, [4 / 64, np.nan, 1])  # two tests, not three
    matrix = tests.matrix()
    np.testing.assert_allclose(matrix, matrix.T)
    assert matrix[1, 0] == 4 / 64
    assert tests.matrix(corrected=False)[0, 1] == 2 / 64
    assert np.isnan(np.diagonal(matrix)).all()


def test_what_is_refused():
    square = np.zeros((2, 2))
    with pytest.raises(DataError, match="1 system; a paired test needs two"):
        sign_tests(("A",), np.zeros((1, 1)), np.zeros((1, 1)))
    with pytest.raises(DataError, match=r"ties have shape \(1, 1\); expected \(2, 2\)"):
        sign_tests(("A", "B"), square, np.zeros((1, 1)))
    for counts in ((-1, 2), (0.5, 1)):
        with pytest.raises(DataError, match="whole numbers of comparisons"):
            sign_test(*counts)
    with pytest.raises(DataError, match="whole numbers of comparisons"):
        sign_tests(("A", "B"), square, square + 0.5)
