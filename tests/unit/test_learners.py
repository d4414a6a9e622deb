"""Do learners find what was planted, and do they do what their formulas say?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from rankwise.errors import DataError
from rankwise.learning.examples import Examples, pairwise_accuracy, track_accuracy
from rankwise.learning.learners import LEARNERS, learner
from rankwise.learning.tuning import tuned
from reference import rankboost

LINEAR = ["ranksvm", "logistic", "svr", "ridge"]


def planted(seed=0, count=600, tracks=("a", "b"), noise=0.5):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, 4)) * [1, 10, 0.1, 1] + [0, 5, 0, 0]
    human = rows @ [1.0, 0.2, -5.0, 0.0] + noise * random.normal(size=count)
    group = np.arange(count) // 5
    first = np.arange(count)
    second = group * 5 + (first + 1) % 5
    up = human[first] > human[second]
    return Examples(
        tuple("wxyz"),
        rows,
        group,
        group % len(tracks),
        tracks,
        np.where(up, first, second),
        np.where(up, second, first),
        np.ones(count),
        human,
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_finds_a_planted_order(name):
    train, test = planted(0), planted(1)
    scorer = learner(name).fit(train, seed=1)
    assert pairwise_accuracy(test, scorer.margins(test.rows)) > 0.85


@pytest.mark.parametrize("name", LEARNERS)
def test_same_seed_same_scorer(name):
    train = planted(0)
    first, second = (learner(name).fit(train, seed=3).margins(train.rows) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("name", LINEAR)
def test_a_constant_feature_has_no_say(name):
    train = planted(0)
    rows = np.concatenate([train.rows, np.full((len(train), 1), 7.0)], axis=1)
    scorer = learner(name).fit(train.with_columns((*train.columns, "seven"), rows))
    assert scorer.importance((*train.columns, "seven"))["seven"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["ranksvm", "logistic"])
def test_minimises_its_objective(name):
    train = planted(2, count=200, noise=3.0)
    scorer = learner(f"{name}:cost=0.5").fit(train)
    differences = train.differences() / train.rows.std(axis=0)

    def objective(weights):
        margin = differences @ weights
        loss = np.maximum(0, 1 - margin) ** 2 if name == "ranksvm" else np.logaddexp(0, -margin)
        return weights @ weights / 2 + 0.5 * 1000 / len(margin) * loss.sum()

    best = minimize(objective, np.zeros(4), tol=1e-12).fun
    assert objective(scorer.weights) == pytest.approx(best, rel=1e-5)


def test_ridge_is_the_closed_form():
    train = planted(3)
    scorer = learner("ridge:penalty=0.1").fit(train)
    x = (train.rows - train.rows.mean(0)) / train.rows.std(0)
    y = (train.human - train.human.mean()) / train.human.std()
    expected = np.linalg.solve(x.T @ x + 0.1 * len(x) * np.eye(4), x.T @ y)
    assert scorer.weights == pytest.approx(expected, rel=1e-9)


def test_svr_ignores_outputs_without_a_score():
    train = planted(4)
    human = train.human.copy()
    human[300:] = np.nan
    known = learner("svr").fit(train.select(np.arange(600) < 300))
    holes = Examples(*[getattr(train, f) for f in Examples.__slots__[:-1]], human)
    assert learner("svr").fit(holes).weights == pytest.approx(known.weights)


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 3), st.integers(1, 6))
def test_rankboost_equals_the_slow_one(seed, count, width, rounds):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 4, size=(count, width)).astype(float)
    better = random.integers(0, count, size=8)
    worse = (better + random.integers(1, count, size=8)) % count
    weight = random.integers(1, 4, size=8).astype(float)
    zeros = np.zeros(count, np.int64)
    names = tuple(f"f{i}" for i in range(width))
    examples = Examples(names, rows, zeros, zeros, ("t",), better, worse, weight, zeros * np.nan)
    found = learner(f"rankboost:rounds={rounds}").fit(examples)
    steps = rankboost.fit(rows.tolist(), better, worse, weight.tolist(), rounds)
    assert found.feature.tolist() == [feature for feature, _, _ in steps]
    assert found.threshold.tolist() == [threshold for _, threshold, _ in steps]
    assert found.height == pytest.approx([height for _, _, height in steps], rel=1e-9)


def test_rankboost_by_hand():
    # Two pairs, both ordered by [x > 0.5]: r = 1, height atanh(1 - 1/2) = ln(3) / 2.
    rows = np.array([[1.0], [0.0], [1.0]])
    examples = Examples(
        ("x",), rows, np.zeros(3, int), np.zeros(3, int), ("t",),
        np.array([0, 2]), np.array([1, 1]), np.ones(2), np.full(3, np.nan),
    )  # fmt: skip
    found = learner("rankboost:rounds=1").fit(examples)
    assert found.threshold.tolist() == [0.5]
    assert found.height == pytest.approx([np.log(3) / 2])


def test_tuning_takes_the_best_on_other_tracks():
    examples = planted(5, tracks=("a", "b", "c"), noise=2.0)
    is_first = examples.track == examples.tracks.index("a")
    best, trials = tuned(learner("ranksvm"), examples.select(is_first), examples.select(~is_first))
    assert best.mean == max(trial.mean for trial in trials)
    assert set(best.accuracy) == {"b", "c"}


def test_a_track_in_both_parts_is_an_error():
    examples = planted(5)
    with pytest.raises(DataError, match="track 'a' is in training and in development"):
        tuned(learner("ranksvm"), examples, examples.select(examples.track == 0))


def test_accuracy_counts_ties_half():
    examples = planted(0)
    assert pairwise_accuracy(examples, np.zeros(len(examples))) == 0.5
    assert track_accuracy(examples, examples.human) == {"a": 1.0, "b": 1.0}


def test_nothing_to_learn_from():
    examples = planted(0)
    alone = examples.select(np.arange(600) < 1)
    with pytest.raises(DataError, match="no preference to learn from"):
        learner("logistic").fit(alone)
    with pytest.raises(DataError, match="1 outputs have a human score"):
        learner("ridge").fit(alone)


def test_a_feature_that_is_not_a_number_is_named():
    train = planted(0)
    rows = train.rows.copy()
    rows[2, 1] = np.nan
    with pytest.raises(DataError, match="row 3 of feature 'x' is nan"):
        train.with_columns(train.columns, rows)


@pytest.mark.parametrize(
    "bad",
    [
        "ranksvm:cost=0",
        "ranksvm:cost=inf",
        "logistic:cost=1e300",
        "svr:cost=nan",
        "svr:tube=-1",
        "ridge:penalty=-1",
        "ridge:penalty=inf",
        "rankboost:rounds=0",
        "rankboost:thresholds=0",
        "lambdamart:rounds=0",
        "lambdamart:leaves=1",
        "lambdamart:rate=0",
    ],
)
def test_bad_options(bad):
    name, _, option = bad.partition(":")
    with pytest.raises(DataError, match=f"{name}: {option.partition('=')[0]} is .*; expected"):
        learner(bad)


@pytest.mark.parametrize("name", [n for n in LEARNERS if n not in ("svr", "ridge")])
def test_a_heavy_preference_outweighs_a_light_one(name):
    """Half of the pairs want a feature high, half want it low; the heavy half decides."""
    count = 400
    rows = np.tile([[0.0], [1.0]], (count, 1))
    low = 2 * np.arange(count)
    first, second = low[: count // 2], low[count // 2 :]
    weight = np.repeat([1.0, 0.1], count // 2)
    train = Examples(
        ("x",),
        rows,
        np.arange(2 * count) // 2,
        np.zeros(2 * count, np.int64),
        ("t",),
        np.concatenate([first + 1, second]),
        np.concatenate([first, second + 1]),
        weight,
        np.full(2 * count, np.nan),
    )
    below, above = learner(name).fit(train).margins(np.array([[0.0], [1.0]]))
    assert above > below
