"""Measures of agreement between tables of scores, on data worked out by hand."""

import itertools
import math

import numpy as np
import pytest

from rankwise import _core
from rankwise.agreement.lists.pair_formulas import VARIANTS, count_pairs
from rankwise.agreement.tables import exchange_coins
from rankwise.agreement.tables.calibration import accuracy_with_ties, segment_shares
from rankwise.agreement.tables.confidence import fisher_interval
from rankwise.agreement.tables.exchange import Exchanged, evened
from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.metric_ranks import greedy_ranks
from rankwise.agreement.tables.score_cells import pack
from rankwise.agreement.tables.soft_accuracy import Signs, soft_pairwise_accuracies
from rankwise.agreement.tables.table_measures import TABLE_MEASURES, table_measure
from rankwise.agreement.tables.williams import williams
from rankwise.errors import DataError

NAN = math.nan
#: Every measure; the one whose threshold follows the kind of scores with a threshold.
NAMES = [name if name != "kendall-like" else "kendall-like:threshold=25" for name in TABLE_MEASURES]
every_measure = pytest.mark.parametrize("name", NAMES)


def value(name, gold, metric):
    return table_measure(name).of(gold, metric)


# Three systems, two segments; the metric turns one pair of the second segment round.
GOLD = [[3, 1], [2, 2], [1, 3]]
METRIC = [[0.9, 0.1], [0.5, 0.8], [0.1, 0.6]]


def test_groups():
    by_item = value("kendall:grouping=item", GOLD, METRIC)
    assert by_item.value == pytest.approx((1 + 1 / 3) / 2)
    assert (by_item.groups, by_item.cells, by_item.missing) == (2, 6, 0)
    assert value("acc-eq:epsilon=0", GOLD, METRIC).value == pytest.approx((1 + 2 / 3) / 2)


def test_grouped_by_system():
    gold, metric = [[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]]
    assert value("kendall:grouping=system", gold, metric).value == 0
    assert value("pearson:grouping=system", gold, metric).value == 0


def test_variants_of_tau_by_hand():
    # Of six pairs three are opposite, two are tied by the metric only and one by both.
    gold, metric = [1, 2, 2, 3], [1, 1, 1, 0.5]
    counts = count_pairs(pack([gold, metric]))
    assert [int(c[0]) for c in (counts.concordant, counts.discordant)] == [0, 3]
    assert [int(c[0]) for c in (counts.gold_ties, counts.metric_ties, counts.both_ties)] == [
        0,
        2,
        1,
    ]
    expected = {
        "a": -3 / 6,
        "b": -3 / math.sqrt(5 * 3),
        "c": 2 * -3 / (16 * 1 / 2),
        "eq": (1 - 3 - 2) / 6,
        "acc-eq": 1 / 6,
        "xties": -2 / 6,
        "consistency": 0,
        **dict.fromkeys(["wmt10", "wmt11", "wmt12", "darr", "penalised"], -1),
        **dict.fromkeys(["wmt13", "original", "gamma"], -1),
        **dict.fromkeys(["wmt14", "wmt15", "wmt16"], -3 / 5),
    }
    found = {name: float(function(counts)[0]) for name, function in VARIANTS.items()}
    assert found == pytest.approx(expected)


def test_missing_scores_leave_their_cells_out():
    gold = [[3, NAN], [2, 2], [1, 3]]
    found = value("acc-eq:epsilon=0", gold, METRIC)
    assert found.value == pytest.approx((1 + 0) / 2)
    assert (found.cells, found.missing) == (5, 1)
    metric = [[0.9, NAN], [0.5, 0.8], [0.1, 0.6]]
    assert value("acc-eq:epsilon=0", GOLD, metric).value == found.value


def test_calibration_by_hand():
    # People tie the first two systems; the metric parts them by 0.1 and the others by 0.5.
    gold, metric = [[1], [1], [2]], [[0.4], [0.5], [1.0]]
    assert value("acc-eq:epsilon=0", gold, metric).value == pytest.approx(2 / 3)
    found = value("acc-eq", gold, metric)
    assert found.value == 1
    assert found.epsilon == pytest.approx(0.1)


def test_of_equally_good_thresholds_the_smallest():
    gold, metric = [[1], [2], [3]], [[1], [2], [3]]
    assert value("acc-eq", gold, metric).epsilon == 0


def test_kendall_like_counts_what_people_tell_apart():
    gold, metric = [[90], [60], [35]], [[0.9], [0.9], [0.1]]
    # 30 apart and tied: wrong; 55 apart: right; exactly 25 apart: right, unless strict.
    assert value("kendall-like:threshold=25", gold, metric).value == pytest.approx(1 / 3)
    assert value("kendall-like:threshold=25:strict=true", gold, metric).value == 0
    none = value("kendall-like:threshold=99", gold, metric)
    assert math.isnan(none.value)
    assert none.reason == "no two gold scores differ by 99"


@pytest.mark.parametrize(
    ("scores", "threshold"),
    [
        ([-25, -5, -1, 0], 5),  # MQM: one major error
        ([-0.1, -0.2], 5),
        ([0, 40, 100], 25),  # DA and ESA: 25 points
        ([60, 71], 25),
        ([-1.2, 0.1, 0.9], 1),  # standardised by judge
    ],
)
def test_the_threshold_of_kendall_like_follows_the_kind_of_scores(scores, threshold):
    gold = [[score] for score in scores]
    measure = table_measure("kendall-like").for_scores(gold)
    assert measure.threshold == threshold
    assert f"threshold={threshold:.1f}" in measure.signature
    metric = [[place] for place in range(len(scores))]
    found, named = value("kendall-like", gold, metric), measure.of(gold, metric)
    assert (found.groups, str(found.value)) == (named.groups, str(named.value))


@pytest.mark.parametrize("scores", [[0, 3, 6], [-80, 200], [NAN, NAN], [0, 0]])
def test_of_other_scales_no_threshold_is_guessed(scores):
    with pytest.raises(DataError, match="such as threshold=1"):
        value("kendall-like", [[score] for score in scores], [[0.0]] * len(scores))


def test_a_given_threshold_is_kept():
    assert table_measure("kendall-like:threshold=1").for_scores([[-5], [0]]).threshold == 1


def test_pairwise_difference_pearson():
    # Differences of the two segments: gold 1, -1, 2, -2; metric 2, -2, 1, -1.
    gold, metric = [[1, 2], [0, 0]], [[2, 1], [0, 0]]
    assert value("pdp", gold, metric).value == pytest.approx(4 / 5)


@every_measure
def test_nothing_to_measure_is_nan_with_a_reason(name):
    for gold, metric in (([[1.0]], [[2.0]]), ([[NAN], [NAN]], [[1.0], [2.0]])):
        found = value(name, gold, metric)
        assert math.isnan(found.value)
        assert found.reason


@every_measure
def test_agreement_of_a_table_with_itself_is_perfect(name):
    random = np.random.default_rng(1)
    table = random.normal(size=(5, 30)) * 100
    table[2, 3] = NAN
    assert value(name, table, table).value == pytest.approx(1.0)


@every_measure
def test_the_order_of_systems_and_segments_does_not_matter(name):
    random = np.random.default_rng(2)
    gold, metric = random.integers(0, 6, (2, 6, 20)) * 10.0
    gold[random.random(gold.shape) < 0.1] = NAN
    rows = random.permutation(6)
    expected = value(name, gold, metric).value
    assert value(name, gold[rows], metric[rows]).value == pytest.approx(expected, abs=1e-12)
    if name != "spa":  # signs belong to segments
        columns = random.permutation(20)
        found = value(name, gold[:, columns], metric[:, columns]).value
        assert found == pytest.approx(expected, abs=1e-12)


@every_measure
def test_names_parse_back(name):
    measure = table_measure(name)
    assert table_measure(str(measure)) == table_measure(measure.signature) == measure


@every_measure
def test_inputs_are_unchanged(name):
    gold, metric = np.array(GOLD, float), np.array(METRIC, float)
    value(name, gold, metric)
    assert gold.tolist() == GOLD
    assert metric.tolist() == METRIC


@every_measure
def test_rows_add_up_to_the_value(name):
    random = np.random.default_rng(4)
    gold, metric = random.integers(0, 60, (2, 6, 20)).astype(float)
    gold[random.random(gold.shape) < 0.1] = NAN
    for grouping in ("", ":grouping=item"):
        try:
            measure = table_measure(name + grouping)
        except DataError:
            continue
        rows = measure.statistics(gold, metric)
        if rows is not None:
            assert len(rows) == 20
            assert float(measure.score(rows.sum(axis=0))) == pytest.approx(
                measure.of(gold, metric).value, abs=1e-12
            )


@every_measure
def test_exchanging_with_itself_is_never_significant(name):
    random = np.random.default_rng(3)
    gold, metric = random.normal(size=(2, 5, 8)) * 30
    gold[1, 2] = metric[1, 2] = NAN
    measure = table_measure(name)
    found = measure.exchanged(gold, [metric, metric.copy()], [(0, 1)], Coins(20))
    assert found.observed.tolist() == [0.0]
    assert found.p_values().tolist() == [1.0]


@every_measure
def test_the_permutation_test_sees_what_is_there(name):
    random = np.random.default_rng(3)
    gold = random.normal(size=(8, 40)) * 30
    gold += np.arange(8)[:, None] * 10
    good, bad = gold + random.normal(size=gold.shape), random.normal(size=gold.shape)
    measure = table_measure(name)
    draws = 100 if name in ("spearman", "kendall-like:threshold=25", "pdp") else 1000
    found = measure.exchanged(gold, [good, bad], [(0, 1), (1, 0)], Coins(draws))
    assert found.observed[0] == pytest.approx(
        measure.of(gold, good).value - measure.of(gold, bad).value, abs=0.05
    )
    better, worse = found.p_values()
    assert better <= 0.05
    assert worse > 0.5


def test_p_values_count_ties_and_one_more():
    found = Exchanged(np.array([0.5]), np.array([[0.1, 0.5, 0.5 - 1e-15, 0.9]]))
    assert found.p_values().tolist() == [4 / 5]
    assert found.p_values(compat="mtme").tolist() == [3 / 4]
    undefined = Exchanged(np.array([NAN]), np.array([[0.1]]))
    assert math.isnan(undefined.p_values()[0])


def test_soft_accuracy_is_symmetric_and_half_for_ties():
    gold = [[1, 2, 3], [1, 2, 3]]
    (found,) = soft_pairwise_accuracies(gold, [[[3, 1, 2], [1, 2, 3]]])
    # All signs tie the gold scores: p is 1/2; decimals that tie in truth tie here too.
    metric = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    swapped = soft_pairwise_accuracies(gold[::-1], [metric[::-1]])[0]
    assert swapped == soft_pairwise_accuracies(gold, [metric])[0]
    assert 0.5 <= found.value <= 1


def test_soft_accuracy_compares_systems_on_their_common_segments():
    random = np.random.default_rng(6)
    gold, metric = random.normal(size=(2, 3, 40))
    whole = soft_pairwise_accuracies(gold[:, 10:], [metric[:, 10:]])[0]
    gold[0, :10] = NAN
    gold[1:, :10] = 7.0
    metric[1:, :10] = 7.0  # on these segments the others tie in both
    found = soft_pairwise_accuracies(gold, [metric])[0]
    assert (found.cells, found.missing) == (110, 10)
    assert found.value == pytest.approx(whole.value, abs=0.1)


def test_soft_accuracy_leaves_out_pairs_without_a_common_segment():
    gold = [[1, 2, NAN, NAN], [NAN, NAN, 1, 2], [1, 3, 2, 2]]
    found = soft_pairwise_accuracies(gold, [[[1, 2, 3, 4]] * 3])[0]
    assert (found.groups, found.undefined) == (2, 1)


def test_soft_accuracy_depends_on_the_seed_alone():
    random = np.random.default_rng(6)
    gold, metric = random.normal(size=(2, 4, 50))
    values = [soft_pairwise_accuracies(gold, [metric], Signs(seed=s))[0].value for s in (1, 1, 2)]
    assert values[0] == values[1] != values[2]


def test_a_constant_metric_has_no_correlation():
    for name in ("pearson", "spearman", "kendall"):
        found = value(name, GOLD, [[1, 1]] * 3)
        assert math.isnan(found.value)
        assert found.reason == "the scores are constant"
        zero = value(f"{name}:undefined=zero", GOLD, [[1, 1]] * 3)
        assert (zero.value, zero.undefined) == (0, 1)


def test_weighted_averages():
    gold = [[1, 1], [2, 2], [3, NAN]]
    metric = [[1, 2], [2, 1], [3, 5]]
    assert value("kendall:grouping=item", gold, metric).value == 0
    weighted = value("kendall:grouping=item:average=weighted", gold, metric)
    assert weighted.value == pytest.approx((3 * 1 - 2 * 1) / 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tau", r"unknown measure of score tables 'tau' \(is kendall meant\?\)"),
        ("acc_eq", r"'acc_eq' \(is acc-eq meant\?\)"),
        ("kendall:variant=x", "unknown variant 'x'"),
        ("pearson:grouping=segment", "unknown grouping 'segment'"),
        ("pearson:level=word", "unknown level 'word'"),
        ("acc-eq:test=coins", "unknown test 'coins'"),
        ("spa:compat=other", "unknown compat 'other'"),
    ],
)
def test_wrong_names_are_refused(text, message):
    with pytest.raises(DataError, match=message):
        table_measure(text)


@pytest.mark.parametrize(
    ("gold", "metric", "message"),
    [
        ([[1, 2]], [[1], [2]], "shapes"),
        ([[math.inf]], [[1]], "infinite"),
        ([[[1]]], [[[1]]], r"expected \(systems, segments\)"),
    ],
)
def test_wrong_tables_are_refused(gold, metric, message):
    with pytest.raises(DataError, match=message):
        value("pearson", gold, metric)


def test_wrong_thresholds_are_refused():
    with pytest.raises(DataError, match="threshold is -1"):
        value("kendall-like:threshold=-1", GOLD, METRIC)
    with pytest.raises(DataError, match="epsilon is -1"):
        value("acc-eq:epsilon=-1", GOLD, METRIC)
    with pytest.raises(DataError, match="0 draws"):
        Coins(0)


def test_too_many_pairs_are_refused():
    table = np.zeros((1, 400_000))
    with pytest.raises(DataError, match="79,999,800,000 pairs"):
        value("acc-eq:grouping=none", table, table)


def test_a_test_of_too_many_pairs_is_refused():
    table, measure = np.zeros((1, 30_000)), table_measure("acc-eq:grouping=none:test=scores")
    with pytest.raises(DataError, match="449,985,000 pairs of cells; expected at most 200,000,000"):
        measure.exchanged(table, [table, table], [(0, 1)], Coins(1))


def test_no_more_pairs_are_held_than_fit():
    random = np.random.default_rng(2)
    gold, metric = random.integers(0, 5, (1, 2500)).astype(float), random.normal(size=(1, 2500))
    found = value("acc-eq:grouping=none", gold, metric + gold / 3)  # three million pairs
    held = _core.tie_calibration(
        gold[0], metric[0] + gold[0] / 3, np.array([0, 2500]), np.array([1]), 10**9
    )
    assert (held[1] / (2500 * 2499 / 2), held[2]) == (found.value, found.epsilon)


def test_ranks_begin_where_any_metric_of_the_rank_above_is_better():
    p_values = np.full((4, 4), NAN)
    p_values[0, 2] = 0.04
    p_values[1, 2] = 0.2
    p_values[2, 3] = 0.06
    assert greedy_ranks(p_values).tolist() == [1, 1, 2, 2]
    assert greedy_ranks(p_values, alpha=0.1).tolist() == [1, 1, 2, 3]
    assert greedy_ranks(np.empty((0, 0))).tolist() == []


def test_williams_is_undefined_for_few_things_or_equal_metrics():
    assert math.isnan(williams(0.9, 0.8, 0.7, 3))
    assert math.isnan(williams(0.9, 0.9, 1.0, 12))
    with pytest.raises(DataError, match="r12 is"):
        williams(1.5, 0.8, 0.7, 12)


def test_fisher_intervals_are_known_ones():
    # artanh 0.5 = 0.5493; 1.96 / 5 = 0.3920; tanh 0.1573 and tanh 0.9413.
    low, high = fisher_interval(0.5, 28)
    assert (low, high) == pytest.approx((0.1560, 0.7358), abs=1e-4)
    assert all(math.isnan(end) for end in fisher_interval(1.0, 28))
    assert all(math.isnan(end) for end in fisher_interval(0.5, 4))
    wider = fisher_interval(0.5, 28, kind="spearman")
    assert wider[0] < low < high < wider[1]


@pytest.mark.parametrize("compat", ["", "mtme"])
@pytest.mark.parametrize("cells", [1, 7, 33, 1000])
def test_coins_in_blocks_are_the_coins_of_the_whole(compat, cells, monkeypatch):
    monkeypatch.setattr(exchange_coins, "_HELD", 3000)
    coins = Coins(100, seed=4, compat=compat)
    blocks = list(coins.blocks(cells))
    np.testing.assert_array_equal(coins.matrix(cells), np.concatenate(blocks))
    assert cells < 1000 or len(blocks) > 1


def test_soft_accuracy_does_not_depend_on_blocks(monkeypatch):
    gold, one, two = np.random.default_rng(3).normal(size=(3, 4, 90))
    measure, coins = table_measure("spa"), Coins(130)
    whole = measure.exchanged(gold, [one, two], [(0, 1)], coins)
    monkeypatch.setattr(exchange_coins, "_HELD", 1)
    parts = measure.exchanged(gold, [one, two], [(0, 1)], coins)
    assert whole.drawn.tobytes() == parts.drawn.tobytes()
    assert whole.observed.tobytes() == parts.observed.tobytes()


# -- exchanging whole segments ---------------------------------------------------------------------

BY_SEGMENT = [
    *("pearson", "pearson:grouping=item", "pearson:grouping=system", "spearman", "kendall"),
    *("kendall:grouping=item", "kendall:grouping=item:average=weighted", "pdp", "spa"),
    *("kendall-like:threshold=0.5", "kendall-like:threshold=0.5:grouping=none"),
]


def small_tables():
    """Three systems on five segments, one cell of which lacks a score; metrics of other scales."""
    random = np.random.default_rng(8)
    gold = random.normal(size=(3, 5)).round(1)
    one, two = gold + random.normal(size=(3, 5)), 10 * (gold + random.normal(size=(3, 5)))
    for table in (gold, one, two):
        table[1, 3] = NAN
    return gold, one, two


@pytest.mark.parametrize("name", BY_SEGMENT)
def test_segments_are_exchanged_whole(name):
    """Every draw is the difference of two mixed tables, in each segment of one metric or other."""
    gold, one, two = small_tables()
    measure, coins = table_measure(name), Coins(40)
    found = measure.exchanged(gold, [one, two], [(0, 1)], coins)
    present = ~np.isnan(gold)
    first, second = (np.full(gold.shape, NAN) for _ in range(2))
    first[present], second[present] = evened(one[present]), evened(two[present])
    assert found.drawn.shape == (1, 40)
    assert found.observed[0] == pytest.approx(
        float(measure.of(gold, one)) - float(measure.of(gold, two)),
        abs=0.2 * (name == "spa") + 1e-9,
    )
    for draw, keeps in enumerate(coins.matrix(5).astype(bool)):
        mixed, other = np.where(keeps, first, second), np.where(keeps, second, first)
        expected = float(measure.of(gold, mixed)) - float(measure.of(gold, other))
        # Confidences of spa within a draw are those of a normal distribution.
        near = 0.2 if name == "spa" else 1e-9
        assert found.drawn[0, draw] == pytest.approx(expected, abs=near, nan_ok=True)


def every_exchange(values):
    """The sums of *values* under all choices of their signs, the given ones first."""
    signs = itertools.product([1, -1], repeat=len(values))
    return np.array([float(np.dot(sign, values)) for sign in signs])


def test_acc_eq_exchanges_what_the_pairs_of_a_segment_say():
    """The exact p-value over all exchanges of nine segments, worked out pair by pair."""
    random = np.random.default_rng(5)
    gold = random.integers(0, 4, (4, 9)).astype(float)
    tables = gold + random.normal(size=gold.shape), gold + 2 * random.normal(size=gold.shape)
    measure = table_measure("acc-eq")
    means = []
    for table in tables:
        epsilon = measure.of(gold, table).epsilon
        right = [
            [
                np.sign(h[i] - h[j]) == (0 if abs(m[i] - m[j]) <= epsilon else np.sign(m[i] - m[j]))
                for i, j in itertools.combinations(range(4), 2)
            ]
            for h, m in zip(gold.T, table.T, strict=True)
        ]
        means.append(np.mean(right, axis=1))
    sums = every_exchange((means[0] - means[1]) / 9)
    found = measure.exchanged(gold, list(tables), [(0, 1)], Coins(20_000))
    assert found.observed[0] == pytest.approx(sums[0])
    assert set(found.drawn[0].round(9)) == set(sums.round(9))
    exact = np.mean(sums >= sums[0] - 1e-12)
    assert found.p_values()[0] == pytest.approx(exact, abs=4 * math.sqrt(exact / 20_000))


@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("epsilon", [0.0, 0.4])
def test_shares_of_segments_in_pairs_that_cross_them(grouping, epsilon):
    """By hand, pair by pair: a pair of two segments counts in both, less half the mean."""
    gold, metric, _ = small_tables()
    cells = pack([gold, metric], grouping)
    segment = cells.places % 5
    shares = segment_shares(cells, segment, 5, epsilon=epsilon)
    expected = np.zeros(5)
    for begin, end in itertools.pairwise(cells.starts.tolist()):
        pairs = list(itertools.combinations(range(begin, end), 2))
        right = {}
        for i, j in pairs:
            apart = cells.metric[i] - cells.metric[j]
            said = 0 if abs(apart) <= epsilon else np.sign(apart)
            right[i, j] = float(said == np.sign(cells.gold[i] - cells.gold[j]))
        crossing = [pair for pair in pairs if segment[pair[0]] != segment[pair[1]]]
        half = np.mean([right[pair] for pair in crossing]) / 2
        for i, j in pairs:
            if (i, j) not in crossing:
                expected[segment[i]] += right[i, j] / len(pairs)
                continue
            for place in (segment[i], segment[j]):
                expected[place] += (right[i, j] - half) / len(pairs)
    np.testing.assert_allclose(shares, expected / (len(cells.starts) - 1), atol=1e-12)
    value = accuracy_with_ties(cells, epsilon=epsilon).value
    assert shares.sum() == pytest.approx(value)
    measure = table_measure(f"acc-eq:grouping={grouping}:epsilon={epsilon}")
    assert measure.exchanged(gold, [metric, gold], [(1, 0)], Coins(9)).observed[0] == (
        pytest.approx(measure.of(gold, gold).value - value)
    )


def test_scores_of_systems_are_exchanged_one_by_one():
    gold, one, two = (table[:, :1] for table in small_tables())
    for name in ("pearson", "acc-eq", "accuracy"):
        plain = table_measure(name)
        found = plain.exchanged(gold, [one, two], [(0, 1)], Coins(30))
        scores = plain.tested_as("scores").exchanged(gold, [one, two], [(0, 1)], Coins(30))
        np.testing.assert_array_equal(found.drawn, scores.drawn)


def test_a_constant_metric_can_be_mixed():
    assert evened(np.array([3.0, 3.0])).tolist() == [0.0, 0.0]
    assert evened(np.array([0.0, 0.0, 0.0, 5.0])).tolist() == [0.0, 0.0, 0.0, 1.0]
