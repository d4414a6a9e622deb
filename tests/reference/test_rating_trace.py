"""Are the pairs that TrueSkill selects those of the slow, obvious selection?"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankwise import _core
from rankwise.types.seeds import generator_state
from reference import rating as slow

cells = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.integers(0, 4), min_size=2 * n * n, max_size=2 * n * n)
)
PRIOR = {"mean": 0.0, "variance": 0.25, "beta": 0.5, "epsilon": 0.2, "tau": 0.0}


def slow_pairs(wins, ties, matches, seed, run):
    """As ``reference.rating.selected_pairs``, but it tells who met whom."""
    random, systems = slow.generator_of_run(seed, run), range(len(wins))
    total = [[wins[i][j] + wins[j][i] + ties[i][j] for j in systems] for i in systems]
    skills = [(0.0, 0.25) for _ in systems]
    playing = [i for i in systems if any(total[i])]
    pairs = []
    for _ in range(matches):
        one = max(playing, key=lambda i: (skills[i][1], i))
        two = slow.opponent(skills, one, lambda other, i=one: total[i][other] > 0, random)
        pick = int(random.integers(total[one][two]))
        won, tied = wins[one][two], ties[one][two]
        ranks = (1, 2) if pick < won else (1, 1) if pick < won + tied else (2, 1)
        slow.rate(skills, (one, two), ranks, beta=0.5, epsilon=0.2)
        pairs.append([one, two])
    return pairs


def row_of(numbers):
    """Wins without a diagonal, ties above it, and both as kinds of outcomes."""
    size = round((len(numbers) / 2) ** 0.5)
    both = np.array(numbers, np.int64).reshape(2, size, size)
    wins, ties = both[0] * (1 - np.eye(size, dtype=np.int64)), np.triu(both[1], 1)
    return size, wins, ties, slow.kinds(wins, ties)


@given(cells, st.integers(0, 99))
@settings(max_examples=40)
def test_the_selected_pairs_are_those_of_the_slow_selection(numbers, seed):
    size, wins, ties, kinds = row_of(numbers)
    assume(kinds[-1].any())
    options = {"matches": 30, "state": generator_state(seed)}
    pairs, means = _core.trace_selected_pairs(*kinds, size, **PRIOR, run=2, **options)
    assert slow_pairs(wins.tolist(), (ties + ties.T).tolist(), 30, seed, 2) == pairs.tolist()
    setting = _core.RatingSetting(size, *PRIOR.values())
    rated, _, _ = _core.rate_selected_pairs(*kinds, setting, first_run=2, runs=1, **options)
    plays = ~np.isnan(rated[0])
    np.testing.assert_array_equal(rated[0][plays], means[0][plays])


KIND = np.array([0], np.int32), np.array([1], np.int32), np.zeros(1, np.uint8)


@pytest.mark.parametrize(
    ("kinds", "counts", "systems", "message"),
    [
        (KIND, np.zeros((1, 1), np.int64), 2, "nothing to select"),
        (KIND, np.ones((1, 2), np.int64), 2, "a column for every kind"),
        (KIND, np.ones((1, 1), np.int64), 1, "no system"),
        (KIND, np.full((1, 1), -1, np.int64), 2, "negative"),
        ((KIND[0], KIND[0], KIND[2]), np.ones((1, 1), np.int64), 2, "with itself"),
        ((KIND[0], KIND[1][:0], KIND[2]), np.ones((1, 1), np.int64), 2, "differ in length"),
    ],
)
def test_what_is_refused(kinds, counts, systems, message):
    with pytest.raises(ValueError, match=message):
        _core.trace_selected_pairs(
            *kinds, counts, systems, **PRIOR, matches=1, state=generator_state(1), run=0
        )
