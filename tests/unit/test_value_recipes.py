"""What each year of WMT did with values: the tests against scipy, ranks and clusters by hand."""

import numpy as np
import pytest
from scipy import stats

import rankwise as rw
from rankwise.aggregate.scalar import pair_tests
from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.pair_tests import TESTS, SystemValues, better_p_values
from rankwise.aggregate.scalar.value_recipes import VALUE_RECIPES, recipe_board
from rankwise.errors import DataError
from rankwise.types import Assessments

DOMAINS = 3


def campaign(seed=7, segments=36, shift=4.0, missing=0.2):
    """Two judgments of most segments for three systems, rounded so that there are ties."""
    random = np.random.default_rng(seed)
    rows, domain = [], []
    for g in range(segments):
        for place, system in enumerate("ABC"):
            for judge in ("ann", "bob"):
                if random.random() > missing:
                    value = round(random.normal(60 - shift * place, 12))
                    rows.append((system, str(g), judge, "TGT", float(value)))
                    domain.append(f"d{g % DOMAINS}")
    return Assessments.from_rows(rows, info={"domain": np.array(domain, object)})


@pytest.fixture
def values():
    judged = JudgedValues.of(campaign())
    means = judged.cell_means(judged.value)
    return SystemValues(means, judged.segment_domains(), judged, judged.value)


def of(values, system):
    row = values.means[system]
    return row[~np.isnan(row)]


def both(values):
    kept = ~np.isnan(values.means[0]) & ~np.isnan(values.means[1])
    return values.means[0][kept], values.means[1][kept], values.domains[kept]


def test_rank_sums(values):
    expected = stats.mannwhitneyu(of(values, 0), of(values, 1), alternative="greater").pvalue
    assert pair_tests.rank_sum(values, 0, 1) == pytest.approx(expected)
    one, other, _ = both(values)
    expected = stats.mannwhitneyu(one, other, alternative="greater").pvalue
    assert pair_tests.shared_rank_sum(values, 0, 1) == pytest.approx(expected)
    # without the correction for continuity it is the other test of scipy
    loose = stats.ranksums(one, other, alternative="greater").pvalue
    assert pair_tests.shared_rank_sum(values, 0, 1) == pytest.approx(loose, abs=0.01)


def test_t_tests(values):
    one, other, _ = both(values)
    paired = stats.ttest_rel(one, other, alternative="greater").pvalue
    single = stats.ttest_ind(of(values, 0), of(values, 1), alternative="greater").pvalue
    assert pair_tests.paired_t(values, 0, 1) == pytest.approx(paired)
    assert pair_tests.independent_t(values, 0, 1) == pytest.approx(single)
    assert pair_tests.either_t(values, 0, 1) == pytest.approx(min(paired, single))


def test_signed_ranks_of_all_pairs_of_judgments(values):
    judged, differences = values.judgments, []
    for g in range(int(judged.segment.max()) + 1):
        left, right = (judged.value[(judged.segment == g) & (judged.system == s)] for s in (0, 1))
        differences += [a - b for a in left for b in right]
    expected = stats.wilcoxon(differences, alternative="greater", zero_method="wilcox").pvalue
    assert pair_tests.signed_rank(values, 0, 1) == pytest.approx(expected, rel=1e-6)


def test_signed_ranks_by_domain_are_joined_by_stouffer(values):
    one, other, domain = both(values)
    p = [stats.wilcoxon((one - other)[domain == d]).pvalue for d in range(DOMAINS)]
    expected = stats.combine_pvalues(p, method="stouffer").pvalue
    assert pair_tests.signed_rank_by_domain(values, 0, 1) == pytest.approx(expected)


@pytest.mark.parametrize("name", TESTS)
def test_equal_values_tell_nothing(name):
    rows = [(s, str(g), "ann", "TGT", 50.0) for s in "AB" for g in range(8)]
    judged = JudgedValues.of(Assessments.from_rows(rows))
    values = SystemValues(
        judged.cell_means(judged.value), judged.segment_domains(), judged, judged.value
    )
    assert TESTS[name](values, 0, 1) > 0.3


@pytest.mark.parametrize("name", TESTS)
def test_systems_without_a_segment_in_common(name):
    rows = [("A", str(g), "ann", "TGT", 80.0 + g) for g in range(9)]
    rows += [("B", str(g), "ann", "TGT", 20.0 + g) for g in range(10, 19)]
    judged = JudgedValues.of(Assessments.from_rows(rows))
    values = SystemValues(
        judged.cell_means(judged.value), judged.segment_domains(), judged, judged.value
    )
    alone = name in ("rank-sum", "independent-t", "either-t")
    assert (TESTS[name](values, 0, 1) < 0.05) is alone


def test_an_unknown_test(values):
    with pytest.raises(DataError, match="unknown test 'sign'; choose from rank-sum"):
        better_p_values(values, np.arange(3), "sign")


# -- ranks and clusters ----------------------------------------------------------------------------


def board_of(monkeypatch, better, recipe):
    """The ranking of systems A, B, ... where the test separates the pairs of *better* alone."""
    names = sorted({name for pair in better for name in pair} | set("ABCD"))
    rows = [
        (name, str(g), "ann", "TGT", 90.0 - 10 * place + g % 2)
        for place, name in enumerate(names)
        for g in range(4)
    ]

    def found(values, one, other):
        return 0.01 if (names[one], names[other]) in better else 0.5

    for test in TESTS:
        monkeypatch.setitem(TESTS, test, found)
    domain = np.full(len(rows), "news", object)
    judged = JudgedValues.of(Assessments.from_rows(rows, info={"domain": domain}))
    return recipe_board(judged, recipe).board


ALL_BUT_AB = [("A", "C"), ("B", "C"), ("A", "D"), ("B", "D"), ("C", "D")]


def test_ranks_are_those_of_the_cluster(monkeypatch):
    board = board_of(monkeypatch, ALL_BUT_AB, "wmt17")
    assert board.clusters.tolist() == [1, 1, 2, 3]
    assert list(zip(board.rank_low, board.rank_high, strict=True)) == [
        (1, 2),
        (1, 2),
        (3, 3),
        (4, 4),
    ]


def test_a_boundary_needs_every_pair_across_it(monkeypatch):
    for recipe in VALUE_RECIPES:
        board = board_of(monkeypatch, [("A", "B"), ("A", "D"), ("B", "D")], recipe)
        assert board.clusters.tolist() == [1, 1, 1, 1]


def test_ranks_by_wins_and_losses(monkeypatch):
    """From one more than it lost to, down to all but those it beat."""
    board = board_of(monkeypatch, [("A", "C"), ("A", "D")], "wmt24")
    assert list(zip(board.rank_low, board.rank_high, strict=True)) == [
        (1, 2),
        (1, 4),
        (2, 4),
        (2, 4),
    ]


@pytest.mark.parametrize("recipe", ["wmt25", "wmt26"])
def test_ranks_to_the_next_neighbour_that_differs(monkeypatch, recipe):
    """A differs from C: its ranks end at 2, whatever comes after C."""
    board = board_of(monkeypatch, [("A", "C"), ("C", "D")], recipe)
    assert list(zip(board.rank_low, board.rank_high, strict=True)) == [
        (1, 2),
        (1, 4),
        (2, 3),
        (4, 4),
    ]


def test_wmt25_asks_for_half_the_level(monkeypatch):
    rows = [(s, str(g), "ann", "TGT", v) for s, v in (("A", 3.0), ("B", 1.0)) for g in range(4)]
    for p, expected in ((0.03, 1), (0.02, 2)):
        monkeypatch.setitem(TESTS, "signed-rank", lambda *_, p=p: p)
        board = recipe_board(JudgedValues.of(Assessments.from_rows(rows)), "wmt25").board
        assert board.clusters[-1] == expected


def test_wmt23_orders_by_raw_means_and_tests_standardised_ones():
    """ann is mild and saw more of B; on each judge's own scale A is far better."""
    rows = []
    for g in range(30):
        rows += [
            ("A", str(g), "bob", "TGT", 40.0 + g % 3),
            ("B", str(g), "bob", "TGT", 20.0 + g % 3),
        ]
        rows += [("B", str(g), "ann", "TGT", 80.0 + g % 3)]
    board = rw.rank_assessments(Assessments.from_rows(rows), recipe="wmt23").board
    assert board.systems[0] == "B"
    assert board.signature == "mean:normalise=none:average=segment rank-sum recipe=wmt23:level=0.95"
    assert board.clusters.tolist() == [1, 1]


def test_the_ranks_of_a_rank_sum_cluster():
    rows = [
        (system, str(g), "ann", "TGT", base + g)
        for system, base in (("B", 0.0), ("A", 0.0), ("C", 50.0))
        for g in range(9)
    ]
    found = rw.rank_assessments(Assessments.from_rows(rows), recipe="wmt19")
    assert found.board.systems == ("C", "A", "B")
    assert found.board.clusters.tolist() == [1, 2, 2]
    assert found.raw.tolist() == [54, 4, 4]
    assert "calls 9 % of equally good systems different" in found.notes[0]
