"""Metrics under several measures: tasks, tests, ranks and averages."""

import math

import numpy as np
import pytest

from rankwise.agreement.lists.kendall import kendall_of_signs
from rankwise.agreement.tables import exchange_coins
from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.errors import DataError
from rankwise.evaluate.meta.meta_evaluation import MetaTrial, evaluate_metrics
from rankwise.evaluate.meta.meta_intervals import meta_intervals
from rankwise.evaluate.meta.meta_scores import Scores, aligned, pair_scores
from rankwise.evaluate.meta.meta_tests import bootstrap_test, permutation_test, resampled_values
from rankwise.evaluate.ranking.scores_to_rankings import relative_rankings
from rankwise.present.meta_tables import meta_table, significance_table
from rankwise.types import Assessments, LevelScores, ScoreTable

NAN = math.nan
NAMES = tuple("abcdef")


def table(values, name="", level="segment"):
    values = np.asarray(values, float)
    columns = tuple(str(i + 1) for i in range(values.shape[1]))
    return ScoreTable(NAMES[: len(values)], columns, values, name, level)


@pytest.fixture
def data():
    random = np.random.default_rng(1)
    gold = random.normal(size=(6, 40)) + np.arange(6)[:, None]
    found = []
    for pair in ("en-de", "he-en"):
        scores = pair_scores(pair, LevelScores.of(table(gold)), gold_name="mqm")
        metrics = {
            "fine": gold + random.normal(size=gold.shape) * 0.3,
            "fair": gold + random.normal(size=gold.shape) * 2,
            "noise": random.normal(size=gold.shape),
        }
        found.append(
            scores.with_metrics(
                {n: aligned(scores, LevelScores.of(table(v))) for n, v in metrics.items()}
            )
        )
    return found


def test_better_metrics_rank_before_worse_ones(data):
    found = evaluate_metrics(data, ["pearson", "acc-eq", "spa"])
    assert [found.metrics[place] for place in found.order] == ["fine", "fair", "noise"]
    assert found.ranks.tolist() == [1, 2, 3]
    assert [task.label for task in found.tasks] == [
        "en-de pearson",
        "he-en pearson",
        "en-de acc-eq",
        "he-en acc-eq",
        "en-de spa",
        "he-en spa",
    ]


def test_averages_map_correlations_to_shares(data):
    found = evaluate_metrics(data[:1], ["pearson", "acc-eq"], trial=MetaTrial("none"))
    pearson, accuracy = (task.numbers for task in found.tasks)
    np.testing.assert_allclose(found.average, ((pearson + 1) / 2 + accuracy) / 2)
    assert found.ranks.tolist() == [0, 0, 0]


def test_accuracy_is_pooled_over_language_pairs_and_weighs_as_many(data):
    found = evaluate_metrics(data, ["accuracy", "acc-eq"], trial=MetaTrial("none"))
    pooled = found.tasks[0]
    assert (pooled.pair, pooled.weight) == ("all", 2.0)
    single = [evaluate_metrics([d], ["accuracy"], trial=MetaTrial("none")).tasks[0] for d in data]
    np.testing.assert_allclose(pooled.numbers, (single[0].numbers + single[1].numbers) / 2)


def test_a_metric_that_is_absent_somewhere_has_no_average(data):
    more = data[0].with_metrics({"new": data[0].metrics["fine"]})
    found = evaluate_metrics([more, data[1]], ["pearson"])
    place = found.metrics.index("new")
    assert math.isnan(found.average[place])
    assert found.ranks[place] == 0
    assert found.tasks[0].ranks[place] == 1
    assert found.tasks[1].values[place] is None


def test_a_metric_of_systems_only_has_no_segment_scores(data):
    scores = data[0].metrics["fine"]
    more = data[0].with_metrics({"new": Scores(None, scores.systems)})
    found = evaluate_metrics([more], ["pearson:level=system", "pearson"], trial=MetaTrial("none"))
    assert found.tasks[0].label == "en-de system pearson"
    place = found.metrics.index("new")
    assert found.tasks[0].numbers[place] == pytest.approx(found.tasks[0].numbers[0])
    assert math.isnan(found.tasks[1].numbers[place])


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "williams"])
def test_every_test_tells_noise_from_a_metric(data, test):
    found = evaluate_metrics(data[:1], ["pearson"], trial=MetaTrial(test, draws=200))
    better = found.tasks[0].better
    assert better[0, 2] < 0.01
    assert better[2, 0] > 0.9
    assert found.tasks[0].ranks.tolist() == [1, 2, 3]


def test_same_seed_same_numbers(data):
    runs = [evaluate_metrics(data, ["spa"], trial=MetaTrial(seed=s)).tasks[0] for s in (1, 1, 2)]
    drawn = [task.differences.drawn for task in runs]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_pairs_are_compared_on_the_cells_that_both_have():
    random = np.random.default_rng(2)
    gold = random.normal(size=(4, 30))
    full, part = gold + random.normal(size=gold.shape), gold + random.normal(size=gold.shape)
    part[:, :10] = NAN
    measure, coins = table_measure("pearson"), Coins(50)
    found = permutation_test(measure, gold, [full, part, full.copy(), None], coins)
    expected = measure.of(gold[:, 10:], full[:, 10:]).value - measure.of(gold, part).value
    assert found.observed[0] == pytest.approx(expected, abs=1e-12)
    assert found.observed[1] == 0  # full and its copy
    assert np.isnan(found.observed[2])  # the absent one


@pytest.mark.parametrize(
    "name", ["pearson", "kendall", "acc-eq", "spa", "pdp", "kendall-like:threshold=25"]
)
def test_resampled_values_lie_around_the_value(data, name):
    gold = data[0].gold.segments * 30
    metric = data[0].metrics["fair"].segments
    measure = table_measure(name)
    found = resampled_values(measure, gold, [metric, None], draws=60, seed=1)
    assert found.scores[0] == pytest.approx(measure.of(gold, metric).value, abs=1e-9)
    assert found.resampled[:, 0].mean() == pytest.approx(found.scores[0], abs=0.1)
    assert found.resampled[:, 0].std() > 0
    assert np.isnan(found.scores[1])


def test_systems_are_resampled_where_there_is_one_score_each(data):
    gold, metric = data[0].gold.systems, data[0].metrics["fair"].systems
    found = bootstrap_test(table_measure("pearson"), gold, [metric, -metric], draws=50, seed=1)
    assert found.p_values()[0] <= 0.05


def test_missing_systems_are_missing_not_zero():
    gold = pair_scores("en-de", LevelScores.of(table([[1, 2], [3, 4], [5, 7]])))
    found = aligned(gold, LevelScores.of(table([[1, 2], [3, 4]])))
    assert np.isnan(found.segments[2]).all()
    assert np.isnan(found.systems[2]).all()


def test_segments_are_matched_by_name():
    gold = pair_scores("en-de", LevelScores.of(table([[1, 2], [3, 4]])))
    other = ScoreTable(("b", "a"), ("2", "9"), np.array([[4.0, 0.0], [2.0, 0.0]]))
    found = aligned(gold, LevelScores.of(other))
    np.testing.assert_array_equal(found.segments, [[NAN, 2.0], [NAN, 4.0]])
    alien = ScoreTable(("a",), ("x",), np.array([[1.0]]))
    with pytest.raises(DataError, match="no segment in common"):
        aligned(gold, LevelScores.of(alien))


def test_systems_that_nobody_judged_are_left_out():
    gold = pair_scores("en-de", LevelScores.of(table([[1, 2], [NAN, NAN], [3, 4]])))
    assert gold.systems == ("a", "c")
    with pytest.raises(DataError, match="1 judged system;"):
        pair_scores("en-de", LevelScores.of(table([[1, 2], [3, 4]])), excluded=("a",))


def test_errors():
    gold = pair_scores("en-de", LevelScores.of(table([[1, 2], [3, 4]])))
    with pytest.raises(DataError, match="no metric"):
        evaluate_metrics([gold])
    with pytest.raises(DataError, match="nothing to evaluate"):
        evaluate_metrics([])
    with pytest.raises(DataError, match="alpha is 2"):
        MetaTrial(alpha=2)
    with pytest.raises(DataError, match=r"with 18 draws p is never 0.05 or less; expected 19"):
        MetaTrial(draws=18)
    assert MetaTrial(draws=19).draws == 19
    assert MetaTrial("none", draws=1).draws == MetaTrial(draws=1, compat="mtme").draws == 1
    with pytest.raises(DataError, match="unknown test"):
        MetaTrial("t-test")
    scores = gold.with_metrics({"m": gold.gold})
    with pytest.raises(DataError, match="two metrics 'm'"):
        scores.with_metrics({"m": gold.gold})
    with pytest.raises(DataError, match="Williams"):
        evaluate_metrics([scores], ["spa"], trial=MetaTrial("williams"))


def test_tables_show_ranks_to_people_and_numbers_to_programs(data):
    found = evaluate_metrics(data, ["acc-eq"], trial=MetaTrial(draws=100))
    people = meta_table(found)
    assert people.rows[0][0] == "fine"
    assert people.rows[0][1].startswith("1 ")
    assert (0, 1) in people.marked
    programs = meta_table(found, for_people=False)
    names = [column.name for column in programs.columns]
    assert names[:3] == ["metric", "average", "average rank"]
    assert "en-de acc-eq epsilon" in names
    pairs = significance_table(found)
    assert len(pairs.rows) == 2 * 3
    assert pairs.rows[0][:3] == ("en-de acc-eq", "fine", "fair")


# -- from scores to preferences --------------------------------------------------------------------


def test_relative_rankings_keep_what_is_over_the_threshold():
    scores = table([[90, NAN], [60, 40], [65, 65]])
    found = [(r.segment, r.systems, r.ranks) for r in relative_rankings(scores)]
    assert found == [("1", ("a", "b"), (1.0, 2.0))]
    inclusive = relative_rankings(scores, strict=False)
    assert [(r.segment, r.systems) for r in inclusive] == [
        ("1", ("a", "b")),
        ("1", ("a", "c")),
        ("2", ("c", "b")),
    ]


def test_relative_rankings_of_a_threshold_of_nothing():
    scores = table([[1.0], [1.0], [2.0]])
    assert len(relative_rankings(scores, threshold=0)) == 2
    ties = relative_rankings(scores, threshold=0, strict=False)
    assert sorted(r.ranks for r in ties) == [(1.0, 1.0), (1.0, 2.0), (1.0, 2.0)]


def test_relative_rankings_of_assessments_by_judge():
    rows = [("a", "1", "ann", "TGT", 90), ("b", "1", "ann", "TGT", 80)]
    rows += [("a", "2", "bob", "TGT", 10), ("b", "2", "bob", "TGT", 50)]
    assessments = Assessments.from_rows(rows)
    assert [r.systems for r in relative_rankings(assessments)] == [("b", "a")]
    by_judge = relative_rankings(assessments, threshold=1, by_judge=True)
    assert [r.systems for r in by_judge] == [("a", "b"), ("b", "a")]
    with pytest.raises(DataError, match="no judges"):
        relative_rankings(assessments.scores(), by_judge=True)
    with pytest.raises(DataError, match="threshold is -1"):
        relative_rankings(assessments, threshold=-1)


def test_daRR_agrees_with_the_kendall_like_measure():  # noqa: N802 - its name
    """tau of WMT12 over the preferences is Kendall-like over the scores."""
    random = np.random.default_rng(7)
    gold, metric = random.integers(0, 101, (2, 5, 30)).astype(float)
    metric = np.round(metric / 20)
    judgments = relative_rankings(table(gold))
    pairs = judgments.pairs()
    segment = judgments.segment[pairs.ranking]
    sign = np.sign(metric[pairs.left, segment] - metric[pairs.right, segment]).astype(np.int8)
    expected = kendall_of_signs(pairs.sign, sign, variant="wmt12")
    found = table_measure("kendall-like:threshold=25:strict=true").of(gold, metric)
    assert found.value == pytest.approx(expected)


def test_every_measure_says_what_it_stands_on():
    """Three systems on three segments; two of MQM differ by a major error on one segment only."""
    gold = table([[0, -1, 0], [-5, -1, -1], [-1, -1, NAN]])
    scores = pair_scores("en-de", LevelScores.of(gold)).with_metrics(
        {
            "one": Scores(
                np.array([[3.0, 1, 2], [1, 2, 3], [2, 3, 1]]), np.array([[3.0], [2], [1]])
            ),
            "flat": Scores(
                np.array([[3.0, 1, 1], [1, 2, 1], [2, 3, 1]]), np.array([[1.0], [2], [3]])
            ),
        }
    )
    expected = {
        "kendall-like": "1 of 3 segments",
        "kendall:grouping=item": "1 to 2 of 3 segments",
        "acc-eq": "3 segments",
        "pearson": "8 scores",
        "pearson:level=system": "3 systems",
        "spa": "3 pairs of systems",
    }
    found = evaluate_metrics([scores], list(expected), trial=MetaTrial("none"))
    assert [task.basis for task in found.tasks] == list(expected.values())
    assert "en-de kendall-like:threshold=5.0" in found.tasks[0].label
    assert found.table().facts["based on"]["en-de acc-eq"] == "3 segments"


def test_progress_adds_up_and_changes_nothing(data):
    """Pairs are told one by one, tasks by their cost; the draws are the same."""
    measures = ["spa", "accuracy", "acc-eq", "pearson", "kendall", "kendall-like:threshold=1"]
    seen: list[float] = []
    told = evaluate_metrics(data, measures, progress=seen.append)
    plain = evaluate_metrics(data, measures)
    assert sum(seen) == pytest.approx(100)
    assert len(seen) > 2 * len(told.tasks)
    assert min(seen) > -1e-9
    for one, two in zip(told.tasks, plain.tasks, strict=True):
        assert np.array_equal(one.better, two.better, equal_nan=True)
        assert np.array_equal(one.differences.drawn, two.differences.drawn, equal_nan=True)


def test_progress_adds_up_where_coins_come_in_blocks(data, monkeypatch):
    monkeypatch.setattr(exchange_coins, "_HELD", 3000)
    seen: list[float] = []
    evaluate_metrics(data, ["spa"], progress=seen.append)
    assert sum(seen) == pytest.approx(100)
    assert min(seen) > -1e-9


@pytest.mark.parametrize(("measure", "steps"), [("spa", 20), ("acc-eq", 3)])
def test_the_bootstrap_tells_draws_or_metrics(data, measure, steps):
    """Where a draw is worked out anew every draw counts; where rows add up, every metric."""
    seen: list[float] = []
    trial = MetaTrial("bootstrap", draws=20)
    told = evaluate_metrics(data[:1], [measure], trial=trial, progress=seen.append)
    assert sum(seen) == pytest.approx(100)
    assert len(seen) >= steps
    [task] = evaluate_metrics(data[:1], [measure], trial=trial).tasks
    assert np.array_equal(told.tasks[0].better, task.better, equal_nan=True)


def test_progress_of_intervals_adds_up(data):
    found = evaluate_metrics(data[:1], ["spa", "acc-eq"], trial=MetaTrial("none", draws=20))
    seen: list[float] = []
    told, plain = meta_intervals(found, progress=seen.append), meta_intervals(found)
    assert sum(seen) == pytest.approx(100)
    assert len(seen) > 20
    assert all(np.array_equal(told[task], plain[task], equal_nan=True) for task in plain)


@pytest.mark.parametrize("test", ["bootstrap", "none"])
def test_progress_of_other_tests_adds_up(data, test):
    seen: list[float] = []
    evaluate_metrics(data, ["acc-eq"], trial=MetaTrial(test, draws=20), progress=seen.append)
    assert sum(seen) == pytest.approx(100)
