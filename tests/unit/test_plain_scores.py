"""Corpus scores without arrays equal those with them."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.evaluate.plain_scores import PlainScores, has_plain_scores, plain_scores
from rankwise.metrics import Bleu, metric
from rankwise.types.text_block import Block

EXACT = ["chrf", "chrf:word_order=2:beta=1", "chrf:eps_smoothing=true", "ter", "wer", "cer"]
SMOOTHINGS = ["none", "floor", "floor:smooth_value=0.01", "add-k", "add-k:smooth_value=0.5", "exp"]
ROUNDED = [
    f"bleu:smooth={smooth}:effective_order={effective}:compat={compat}"
    for smooth in SMOOTHINGS
    for effective in ("true", "false")
    for compat in ("none", "sacrebleu")
]
words = st.lists(st.sampled_from(["a", "b", "c", "dd", "."]), max_size=9).map(" ".join)
pairs = st.lists(st.tuples(words, words), min_size=1, max_size=4)


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED])
@given(pairs)
def test_totals_and_scores_equal_those_of_arrays(name, texts):
    found = metric(name)
    hypotheses, references = map(list, zip(*texts, strict=True))
    total = found.total(found.statistics(hypotheses, references))
    plain = found.plain_totals(hypotheses, references)
    assert plain == total.tolist()
    expected = found.score(total)
    # Sums and quotients are rounded alike everywhere, logarithms and exponentials are not.
    assert found.plain_score(plain) == (
        expected if name in EXACT else pytest.approx(expected, rel=1e-12, abs=0)
    )


def test_where_the_last_bit_shows_arrays_decide():
    # 5 of 32 words: 15.625 %, printed as 15.62 or as 15.63.
    bleu = Bleu(max_order=1)
    hypothesis = " ".join([*"abcde", *["x"] * 27])
    reference = " ".join([*"abcde", *["y"] * 27])
    block = Block([1], [reference], {"one": [hypothesis], "two": [hypothesis]})
    found = plain_scores([block, block], [bleu])
    expected = bleu.score(np.array([64, 64, 10, 64]))
    assert found == PlainScores((bleu,), ("one", "two"), ((expected, expected),))
    assert math.isclose(expected, 15.625)
    assert found.order == [0, 1] and found.is_best(0, 1)


def test_the_best_come_first_whatever_the_metric_counts():
    block = Block([1], ["a b c d"], {"bad": ["a"], "good": ["a b c d"], "fair": ["a b c"]})
    for name in ("chrf", "wer"):
        found = plain_scores([block], [metric(name)])
        assert [found.systems[place] for place in found.order] == ["good", "fair", "bad"]
        assert [found.is_best(0, place) for place in found.order] == [True, False, False]


@dataclass(frozen=True, kw_only=True)
class Doubled(Bleu):
    """A BLEU with a score of its own."""

    def score(self, rows):
        return 2 * super().score(rows)


def test_a_metric_with_rows_or_a_score_of_its_own_needs_arrays():
    names = ["bleu", "chrf", "ter", "wer", "cer"]
    assert all(has_plain_scores(metric(name)) for name in names)
    assert not any(has_plain_scores(found) for found in (metric("f1"), metric("meteor"), Doubled()))
