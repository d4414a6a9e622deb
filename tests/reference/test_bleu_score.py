"""The native score of BLEU equals Python's arithmetic, digit by digit."""

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.metrics import Bleu
from reference import bleu_score as slow

lengths = st.one_of(st.integers(0, 60), st.integers(0, 10**12)).map(float)
percents = st.one_of(
    st.just(0.0),
    st.floats(1e-300, 100.0),
    st.builds(lambda a, b: 100.0 * a / (a + b), *[st.integers(1, 400)] * 2),
)
IS_COMPENSATED = sys.version_info >= (3, 12)


@st.composite
def tables(draw):
    """Lengths, precisions and orders of some rows, all of one width."""
    width = draw(st.integers(1, 9))
    row = st.tuples(
        lengths,
        lengths,
        st.lists(percents, min_size=width, max_size=width),
        st.integers(0, width),
    )
    return draw(st.lists(row, min_size=1, max_size=8))


@given(tables())
def test_scores_of_rows(rows):
    hyp_len, ref_len, precisions, orders = (np.array(column) for column in zip(*rows, strict=True))
    found = _core.bleu_scores(hyp_len, ref_len, precisions, orders, IS_COMPENSATED)
    assert found.tolist() == [slow.score(h, r, row[:order]) for h, r, row, order in rows]


def test_both_ways_to_add_are_known():
    """Newer versions of Python add up what rounding takes away; some row must show it."""
    values = [100.0 * a / b for a, b in itertools.product(range(1, 9), range(9, 30))]
    rows = np.array(values).reshape(-1, 7)
    lengths, orders = np.full(len(rows), 9.0), np.full(len(rows), 7)
    plain, exact = (_core.bleu_scores(lengths, lengths, rows, orders, how) for how in (False, True))
    assert plain.tolist() != exact.tolist()
    np.testing.assert_allclose(plain, exact, rtol=1e-14)


counts = st.lists(st.integers(0, 30), min_size=10, max_size=10)


@given(
    st.lists(counts, min_size=1, max_size=6),
    st.sampled_from(["none", "floor", "add-k", "exp"]),
    st.booleans(),
)
def test_rows_of_counts(rows, smooth, effective):
    metric = Bleu(smooth=smooth, effective_order=effective, compat="sacrebleu")
    precisions = metric.precisions(np.array(rows)).tolist()
    exists = [
        [all(row[6 : 7 + n]) or (smooth == "add-k" and bool(row[6])) for n in range(4)]
        for row in rows
    ]
    expected = [
        slow.score(row[0], row[1], percent[: sum(known)] if effective else percent)
        for row, percent, known in zip(rows, precisions, exists, strict=True)
    ]
    assert metric.score(np.array(rows)).tolist() == expected
    assert [metric.score(np.array(row)) for row in rows] == expected


def test_columns_of_different_length_are_refused():
    column, precisions = np.ones(3), np.ones((2, 4))
    with pytest.raises(ValueError, match="differ in number"):
        _core.bleu_scores(column, column, precisions, np.ones(3, np.int64), False)
