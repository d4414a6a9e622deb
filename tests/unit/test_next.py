"""What to ask next: coverage, batches, seeds, and what is refused."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwise as rw
from rankwise.aggregate.asking import next_screens, strategies
from rankwise.aggregate.asking.next_screens import MOST_DRAWN, Screen, next_comparisons
from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES, Clusters, Paper
from rankwise.errors import DataError
from rankwise.types import Judgments, Ranking, Segment, TestSet

NAMES = [f"system-{letter}" for letter in "abcdefgh"]
every_strategy = pytest.mark.parametrize("strategy", sorted(STRATEGIES))


def simulated(strengths, screens, *, k=5, seed=0):
    """Screens of a campaign without choice: quality plus Gumbel noise, near ones tied."""
    random = np.random.default_rng(seed)
    rankings = []
    for number in range(screens):
        shown = random.choice(len(strengths), size=k, replace=False)
        quality = np.round(2 * (strengths[shown] + random.gumbel(size=k)))
        names = tuple(NAMES[system] for system in shown)
        rankings.append(Ranking(str(number % 40), "ann", names, tuple((-quality).tolist())))
    return Judgments.from_rankings(rankings)


STRENGTHS = np.array([2.0, 0.8, 0.7, 0.2, 0.15, -0.5, -1.2, -1.3])
SOME = simulated(STRENGTHS, 60)


@every_strategy
@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_screens_hold_k_different_systems(strategy, k):
    screens = next_comparisons(SOME, k, 7, strategy=strategy)
    assert len(screens) == 7
    assert all(len(set(screen.systems)) == k for screen in screens)
    assert {name for screen in screens for name in screen.systems} <= set(NAMES)


@every_strategy
def test_the_same_seed_gives_the_same_screens(strategy):
    one, same, other = (next_comparisons(SOME, 4, 20, seed, strategy) for seed in (1, 1, 2))
    assert one == same
    assert one != other


@every_strategy
@pytest.mark.parametrize("none", [None, Judgments.from_rankings([])], ids=["None", "empty"])
@pytest.mark.parametrize("k", [2, 5])
def test_everything_is_covered_before_anything_is_chosen(strategy, none, k):
    needed = -(-3 * len(NAMES) // k)
    screens = next_comparisons(none, k, needed, strategy=strategy, systems=NAMES, floor=3)
    shown = Counter(name for screen in screens for name in screen.systems)
    assert all(shown[name] >= 3 for name in NAMES)
    assert max(shown.values()) <= 4


def test_a_new_system_comes_first():
    screens = next_comparisons(SOME, 2, 3, systems=[*NAMES, "new"], floor=3)
    assert all("new" in screen.systems for screen in screens)
    assert len({screen.systems for screen in screens}) == 3  # not the same partner again


@every_strategy
def test_all_segments_are_shown_alike(strategy):
    segments = [str(number) for number in range(13)]
    screens = next_comparisons(None, 3, 39, strategy=strategy, systems=NAMES, segments=segments)
    assert set(Counter(screen.segment for screen in screens).values()) == {3}


def test_segments_shown_least_come_first():
    # 60 screens over 40 segments: 20 of them were shown once only
    screens = next_comparisons(SOME, 3, 20)
    assert {screen.segment for screen in screens} == {str(number) for number in range(20, 40)}


def test_no_segments_no_segment():
    assert next_comparisons(None, 2, 1, systems=NAMES)[0].segment is None


def test_segments_with_equal_outputs_are_left_to_others():
    segments = tuple(Segment(str(number), "source") for number in range(4))
    outputs = {name: ("x", "x", f"by {name}", None) for name in "ABC"}
    screens = next_comparisons(None, 3, 2, testset=TestSet(segments, outputs))
    assert [screen.segment for screen in screens] == ["2", "2"]
    outputs["C"] = ("y", "y", "by A", "z")
    screens = next_comparisons(None, 3, 40, testset=TestSet(segments, outputs))
    assert {screen.segment for screen in screens} == {"0", "1", "2"}  # two texts, never one


# -- batches ---------------------------------------------------------------------------------------


def test_a_batch_spreads_over_what_is_open():
    even = simulated(np.zeros(8), 30)
    pairs = {screen.systems for screen in next_comparisons(even, 2, 20, strategy="information")}
    assert len(pairs) >= 4


def test_pending_screens_count_as_asked():
    first = next_comparisons(SOME, 2, 1, strategy="information")
    again = next_comparisons(SOME, 2, 1, strategy="information", pending=first * 50)
    assert set(again[0].systems) != set(first[0].systems)


def test_pending_screens_count_for_the_floor():
    half = next_comparisons(None, 2, 4, systems=NAMES, floor=1)
    rest = next_comparisons(None, 2, 1, systems=NAMES, floor=2, pending=half)
    assert {name for screen in half for name in screen.systems} == set(NAMES)
    assert len(set(rest[0].systems)) == 2


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.integers(0, 6), st.sampled_from(sorted(STRATEGIES)), st.integers(0, 9))
def test_items_of_a_batch_differ(k, count, strategy, seed):
    screens = next_comparisons(SOME, k, count, seed, strategy)
    items = {(frozenset(screen.systems), screen.segment) for screen in screens}
    assert len(items) == count


# -- what the strategies prefer --------------------------------------------------------------------


def test_what_is_separated_is_not_asked():
    # One system far above, one far below, and two in the middle that nobody has told apart.
    names = ("top", "one", "two", "low")
    screens = [dict(zip(names, ranks, strict=True)) for ranks in [(1, 2, 3, 4), (1, 3, 2, 4)] * 40]
    judgments = Judgments.from_rankings(
        Ranking(str(n), "ann", tuple(ranks), tuple(ranks.values()))
        for n, ranks in enumerate(screens)
    )
    asked = next_comparisons(judgments, 2, 20, strategy="clusters:explore=0")
    assert {frozenset(screen.systems) for screen in asked} == {frozenset({"one", "two"})}


def test_paper_takes_the_last_name_of_equal_variances_and_prefers_close_systems():
    known = posterior(Evidence.of(None, tuple("ABCD")))
    allowed = ~np.eye(4, dtype=bool)
    random = np.random.default_rng(0)
    assert all(3 in Paper().screen(known, 2, allowed, random) for _ in range(20))
    known.mean[:] = [3.0, 2.0, 0.1, 0.0]
    partner = Counter(min(Paper().screen(known, 2, allowed, random)) for _ in range(4000))
    weights = np.exp([-3.0, -2.0, -0.1])
    expected = weights / weights.sum()
    np.testing.assert_allclose([partner[s] / 4000 for s in range(3)], expected, atol=0.03)


@every_strategy
def test_only_allowed_pairs_are_asked(strategy):
    known = posterior(Evidence.of(SOME))
    allowed = np.zeros((8, 8), bool)
    allowed[2, 5] = allowed[5, 2] = allowed[6, 7] = allowed[7, 6] = True
    random = np.random.default_rng(0)
    for _ in range(20):
        chosen = STRATEGIES[strategy]().screen(known, 2, allowed, random)
        assert allowed[chosen]


# -- the model -------------------------------------------------------------------------------------


def test_expected_answers_shrink_the_doubt_as_real_ones_do():
    known = posterior(Evidence.of(SOME))
    later = known.expecting(0, 1, 10.0)
    precision = np.linalg.inv(known.covariance)
    contrast = np.zeros(8)
    contrast[:2] = 1, -1
    precision += 10 * known.information[0, 1] * np.outer(contrast, contrast)
    np.testing.assert_allclose(later.covariance, np.linalg.inv(precision), rtol=1e-6, atol=1e-9)
    assert later.mean is known.mean


def test_screens_are_expected_pair_by_pair_or_all_together():
    known = posterior(Evidence.of(SOME))
    screens = [(0, 1, 2, 3, 4), (5, 2), (7, 1, 6), (0, 1, 2, 3, 4)]
    together = known.expecting_screens(screens)
    one_by_one = known
    for shown in screens:
        for left, right in combinations(shown, 2):
            one_by_one = one_by_one.expecting(left, right, 3 / (len(shown) + 1))
    np.testing.assert_allclose(together.covariance, one_by_one.covariance, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(together.compared, one_by_one.compared, rtol=1e-12)
    assert (together.covariance == together.covariance.T).all()


def test_mean_is_where_the_gradient_vanishes():
    """The strengths maximise the penalised likelihood of Davidson's model, by brute force."""
    from scipy.optimize import minimize

    left, right = np.array(list(combinations(range(3), 2)) * 20).T
    sign = np.random.default_rng(0).integers(-1, 2, 60).astype(np.int8)
    evidence = Evidence(("A", "B", "C"), left, right, sign, np.arange(60))
    from rankwise.aggregate.asking import posterior as module

    wins, ties = evidence.wins_and_ties()
    theta, tie, variance = module._fit(wins, ties, 1.0)

    def loss(strengths):
        d = strengths[left] - strengths[right]
        chosen = np.where(sign == 0, np.log(tie), sign * d / 2)
        return -(chosen - np.log(2 * np.cosh(d / 2) + tie)).sum() + (strengths**2).sum() / (
            2 * variance
        )

    found = minimize(loss, np.zeros(3), tol=1e-10).x
    np.testing.assert_allclose(theta, found, atol=1e-4)


def test_a_copied_screen_is_no_second_judgment():
    single = Evidence.of(SOME)
    copied = Evidence(
        single.systems,
        *(np.tile(getattr(single, name), 4) for name in ("left", "right", "sign", "screen")),
    )
    once, four = posterior(single), posterior(copied)
    ratio = np.sqrt(four.variances[0, 1] / once.variances[0, 1])
    assert 0.85 < ratio < 1.15  # independent judgments would halve it


@pytest.mark.parametrize("strategy", ["clusters", "information"])
def test_places_taken_a_few_at_a_time_give_the_same_screens(strategy, monkeypatch):
    known = simulated(np.linspace(0, 2, len(NAMES)), 60)
    whole = next_comparisons(known, 3, 6, strategy=strategy)
    monkeypatch.setattr(strategies, "_CELLS", 2 * len(NAMES) ** 2)
    assert whole == next_comparisons(known, 3, 6, strategy=strategy)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 9}, "screens of 9 systems; expected 2 to 8"),
        ({"k": 1}, "screens of 1 systems; expected 2 to 8"),
        ({"k": 5, "systems": ["A", "B"]}, "asked for, but there are 2 systems"),
        (
            {"systems": [str(number) for number in range(100_000)]},
            "there are 100,000 systems; screens are chosen among up to 1,000",
        ),
        ({"strategy": "best"}, "unknown strategy 'best'; choose from clusters, information"),
        ({"strategy": "paper:speed=1"}, "has no option 'speed'"),
        ({"count": -1}, "-1 screens are asked for"),
        ({"pending": [Screen(("A", "new"))]}, "a pending screen shows 'A'"),
        ({"strategy": "clusters:level=2"}, "level 2.0; expected 0 to 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, message):
    with pytest.raises(DataError, match=message):
        next_comparisons(SOME, **options)


def test_without_judgments_or_systems_there_is_nothing_to_ask():
    with pytest.raises(DataError, match="there are 0 systems"):
        next_comparisons(None)


def test_several_language_pairs_are_refused():
    rankings = [
        Ranking("1", "ann", ("A", "B"), (1, 2), source_language=language)
        for language in ("de", "fr")
    ]
    with pytest.raises(DataError, match="2 language pairs"):
        next_comparisons(Judgments.from_rankings(rankings), 2)


def test_strategies_print_as_they_parse():
    assert str(Clusters(margin=0.5)) == "clusters:margin=0.5"
    assert rw.next_comparisons is next_comparisons


def test_drawing_at_random_fits_no_model(monkeypatch):
    def fitted(evidence):
        raise AssertionError("a model was fitted")

    before = next_comparisons(
        SOME,
        3,
        9,
        strategy="uniform",
        pending=[Screen(("A", "B"), None)],
        systems=("A", "B", *NAMES),
    )
    monkeypatch.setattr(next_screens, "posterior", fitted)
    many = [f"system {number}" for number in range(MOST_DRAWN)]
    drawn = next_comparisons(None, 5, 3, strategy="uniform", systems=many)
    assert all(len(set(screen.systems)) == 5 for screen in drawn)
    with pytest.raises(DataError, match="2,001 systems; screens are chosen among up to 2,000"):
        next_comparisons(None, 5, 3, strategy="uniform", systems=[*many, "one more"])
    again = next_comparisons(
        SOME,
        3,
        9,
        strategy="uniform",
        pending=[Screen(("A", "B"), None)],
        systems=("A", "B", *NAMES),
    )
    assert again == before
    with pytest.raises(AssertionError, match="a model was fitted"):
        next_comparisons(SOME, 3, 1)
