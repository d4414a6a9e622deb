"""Do counts and Expected Wins equal the slow, obvious ones on random judgments?"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankwise.aggregate import ExpectedWins, Outcomes
from rankwise.aggregate.run_batch import Batch
from rankwise.types import Judgments, Ranking
from reference import preferences as slow

rankings = st.lists(
    st.dictionaries(
        st.sampled_from("ABCDE"), st.none() | st.integers(1, 3), min_size=1, max_size=5
    ).map(lambda ranks: list(ranks.items())),
    min_size=1,
    max_size=12,
)


def judgments_of(rankings, screens=None):
    return Judgments.from_rankings(
        Ranking(
            str(number),
            "ann",
            tuple(name for name, _ in ranking),
            tuple(rank for _, rank in ranking),
            screen="" if screens is None else str(screens[number]),
        )
        for number, ranking in enumerate(rankings)
    )


@given(rankings, st.sampled_from(["wmt11", "wmt13"]))
def test_expected_wins_equals_the_slow_one(rankings, variant):
    expected = slow.expected_wins(rankings, variant)
    assume(expected)
    outcomes = Outcomes.of(judgments_of(rankings))
    scores = ExpectedWins(variant=variant).scores(*outcomes.wins_and_ties())
    assert {name: pytest.approx(float(score)) for name, score in expected.items()} == dict(
        zip(outcomes.systems, scores.tolist(), strict=True)
    )


@given(rankings, st.integers(0, 99))
def test_rankings_of_one_screen_are_drawn_together(rankings, seed):
    assume(slow.expected_wins(rankings, "wmt13"))
    screens = [number % 3 for number in range(len(rankings))]
    outcomes = Outcomes.of(judgments_of(rankings, screens))
    groups = [
        outcomes.cells[a:b] for a, b in zip(outcomes.starts, outcomes.starts[1:], strict=False)
    ]
    assert len(groups) <= 3
    draws = np.random.default_rng(seed).choice(len(groups), size=(5, len(groups)))
    rows = np.array([np.bincount(group, minlength=outcomes.width) for group in groups])
    ((_, found),) = outcomes.drawn(Batch(5, seed))
    np.testing.assert_array_equal(rows[draws].sum(axis=1), found)
