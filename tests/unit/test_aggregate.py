"""Ranking from judgments: values worked out by hand, laws, and what is refused."""

import numpy as np
import pytest

from rankwise.aggregate import MODELS, CountModel, ExpectedWins, Outcomes, TrueSkill
from rankwise.aggregate.models import outcomes as wins
from rankwise.aggregate.models import trueskill
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import DataError
from rankwise.evaluate import rank
from rankwise.types import Judgments, Ranking
from rankwise.types.named import parse


def judgments(*rankings, **options):
    return Judgments.from_rankings(
        Ranking(str(number), "ann", tuple(ranks), tuple(ranks.values()), **options)
        for number, ranks in enumerate(rankings)
    )


SCREENS = judgments({"A": 1, "B": 2, "C": 2}, {"C": 1, "A": 2}, {"B": 1, "A": 3, "C": None})


def test_wins_and_ties_by_hand():
    outcomes = Outcomes.of(SCREENS)
    assert outcomes.systems == ("A", "B", "C")
    found, ties = outcomes.wins_and_ties()
    assert found.tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert ties.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_counts_are_those_of_the_outcomes():
    screens = judgments({"C": 1, "B": 2, "X": None}, {"B": 1, "A": 1}, {"A": 1, "C": 2, "B": 3})
    outcomes = Outcomes.of(screens)
    systems, *matrices = wins.count_outcomes(screens)
    assert systems == outcomes.systems == ("A", "B", "C")
    for one, other in zip(matrices, outcomes.wins_and_ties(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", MODELS)
def test_runs_have_the_order_of_the_ratings(name):
    # Every judge agrees, but for one in twenty: resamples cannot differ much from all of them.
    screens = [{"C": 2, "A": 3, "B": 1}] * 57 + [{"C": 2, "A": 1, "B": 3}] * 3
    board = rank(judgments(*screens), name, runs=50)
    assert board.systems == ("B", "C", "A")
    assert board.rank_low.tolist() == board.rank_high.tolist() == [1, 2, 3]


@pytest.mark.parametrize("variant", ["wmt13", "wmt11"])
@pytest.mark.parametrize("unit", ["screen", "pair"])
def test_expected_wins_of_pairs_are_those_of_matrices(variant, unit):
    random = np.random.default_rng(3)
    screens = Judgments.from_rankings(
        Ranking(str(i), "ann", tuple(f"S{s:02}" for s in random.choice(40, 4, replace=False)),
                tuple(random.integers(1, 4, 4).tolist()))
        for i in range(25)
    )  # fmt: skip
    model, batch = ExpectedWins(variant=variant), Batch(30, 5, unit)
    expected = CountModel.run(model, screens, batch)
    assert np.isnan(expected).any() == (variant == "wmt11")
    np.testing.assert_array_equal(model.run(screens, batch), expected)


def test_expected_wins_by_hand():
    board = rank(SCREENS, "expected-wins", runs=10)
    # A: (1/2 + 1/2) / 2; B: (1/2 + 0) / 2, no decided comparison with C; C the same
    assert dict(zip(board.systems, board.scores, strict=True)) == {"A": 0.5, "B": 0.25, "C": 0.25}
    board = rank(SCREENS, "expected-wins:variant=wmt11", runs=10)
    # A: 2 wins, 2 losses; B: 1 win, 1 tie, 1 loss
    np.testing.assert_allclose(board.scores, [2 / 3, 2 / 3, 0.5])
    assert board.systems == ("B", "C", "A")  # equal scores by name


def test_systems_without_a_comparison_are_left_out():
    board = rank(judgments({"A": 1, "B": 2}, {"A": 1, "X": None}), runs=10)
    assert board.systems == ("A", "B")


def test_a_clear_winner_is_alone_in_its_cluster():
    board = rank(judgments(*[{"A": 1, "B": 2, "C": 3}, {"A": 1, "B": 3, "C": 2}] * 20))
    assert board.clusters.tolist() == [1, 2, 2]
    assert board.rank_low.tolist() == [1, 2, 2]
    assert board.rank_high.tolist() == [1, 3, 3]


@pytest.mark.parametrize("unit", ["screen", "pair"])
def test_seeds_decide_and_blocks_do_not(unit, monkeypatch):
    random = np.random.default_rng(0)
    screens = judgments(*[dict(zip("ABCDE", random.permutation(5).tolist(), strict=True))] * 30)
    outcomes = Outcomes.of(screens)

    def counts(seed):
        return np.concatenate([counts for _, counts in outcomes.drawn(Batch(20, seed, unit))])

    first = counts(4)
    np.testing.assert_array_equal(first, counts(4))
    assert unit == "screen" or (first != counts(5)).any()
    assert (first.sum(axis=1) == len(outcomes.cells)).all()
    monkeypatch.setattr(wins, "_BLOCK", 1)
    np.testing.assert_array_equal(first, counts(4))


@pytest.mark.parametrize("unit", ["screen", "pair"])
def test_the_order_of_rankings_does_not_change_scores_or_clusters(unit):
    random = np.random.default_rng(1)
    rankings = [
        {name: float(place + random.normal(0, 1)) for place, name in enumerate("ABCD")}
        for _ in range(200)
    ]
    one, other = (rank(judgments(*order), unit=unit) for order in (rankings, rankings[::-1]))
    assert one.systems == other.systems
    np.testing.assert_allclose(one.scores, other.scores)
    np.testing.assert_array_equal(one.clusters, other.clusters)


def test_threads_do_not_change_a_ranking(monkeypatch):
    ((_, expected),) = Outcomes.of(SCREENS).drawn(Batch(500, 1))
    for threads in "127":
        monkeypatch.setenv("RANKWISE_THREADS", threads)
        ((_, found),) = Outcomes.of(SCREENS).drawn(Batch(500, 1))
        np.testing.assert_array_equal(expected, found)


def test_models_parse_back():
    for model in (ExpectedWins(), ExpectedWins(variant="wmt11")):
        assert parse(model.signature, MODELS) == model
    signed = rank(SCREENS, "expected-wins", runs=7, seed=2).signature
    assert signed.startswith("expected-wins:variant=wmt13:version=")
    assert signed.endswith("bootstrap:runs=7:seed=2:unit=screen:level=0.95")


def test_what_is_refused():
    with pytest.raises(DataError, match=r"unknown model 'elo'; choose from .*expected-wins"):
        rank(SCREENS, "elo")
    with pytest.raises(DataError, match="unknown variant 'wmt12'; choose from wmt13, wmt11"):
        rank(SCREENS, "expected-wins:variant=wmt12")
    with pytest.raises(DataError, match="unknown unit 'judge'; choose from screen, pair"):
        rank(SCREENS, unit="judge")
    with pytest.raises(DataError, match="0 runs"):
        rank(SCREENS, runs=0)
    with pytest.raises(DataError, match="no comparison"):
        rank(judgments({"A": 1}, {"A": None, "B": 1}))
    mixed = Judgments.from_rankings(
        Ranking("1", "ann", ("A", "B"), (1, 2), source_language=source, target_language="en")
        for source in ("de", "fr")
    )
    with pytest.raises(DataError, match=r"2 language pairs \(de-en, fr-en\); rank one"):
        rank(mixed)


def many_systems(count):
    """A chain of systems, each better than the next one."""
    return judgments(*({f"s{i:06}": 1, f"s{i + 1:06}": 2} for i in range(count - 1)))


@pytest.mark.parametrize(
    "model",
    ["trueskill", "trueskill:ways=3", "hopkins-may", "hopkins-may:compat=wmt-trueskill",
     "expected-wins", "bradley-terry"],
)  # fmt: skip
def test_too_many_systems_are_refused_in_one_sentence(model):
    with pytest.raises(DataError, match=r"compare 50,000 systems; a ranking takes up to 3,000"):
        rank(many_systems(50_000), model, runs=2)


def test_runs_of_many_systems_are_near_those_of_few(monkeypatch):
    random = np.random.default_rng(2)
    names = [f"s{number}" for number in range(12)]
    screens = judgments(
        *(
            {names[one]: 1, names[two]: 2}
            for one, two in (random.permutation(12)[:2] for _ in range(400))
        )
    )
    exact = TrueSkill().runs(screens, runs=20, seed=3)
    monkeypatch.setattr(trueskill, "EXACT_RUNS", 10)
    near = TrueSkill().runs(screens, runs=20, seed=3)
    assert 0 < np.abs(near - exact).max() < 0.02 * exact.std(axis=0).mean()
