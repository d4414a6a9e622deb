"""People and a machine together: values worked out by hand, and what bad input gets."""

import numpy as np
import pytest

import rankwise as rw
from rankwise.aggregate.proxies.powered_estimate import DOUBT, Help, careful_errors
from rankwise.aggregate.proxies.powered_values import machine_columns
from rankwise.errors import DataError
from rankwise.evaluate.ranking.proxy_places import contests_in_place, values_in_place
from rankwise.types import Assessments, Judgments, Ranking, ScoreTable
from simulated_proxies import World, campaign

RANDOM = np.random.default_rng(7)
QUALITY = RANDOM.normal(60, 10, (3, 40))
NAMES, SEGMENTS = ("A", "B", "C"), tuple(map(str, range(1, 41)))


def people(values=QUALITY, judged=range(12), judge="ann"):
    return Assessments.from_rows(
        [(NAMES[s], SEGMENTS[g], judge, "TGT", values[s, g]) for g in judged for s in range(3)]
    )


def machine(values=QUALITY, systems=NAMES, segments=SEGMENTS, **options):
    return ScoreTable(systems, segments, values, name="metric", **options)


# -- the estimate --------------------------------------------------------------------------------


def test_a_machine_that_says_the_same_of_everything_changes_nothing():
    found = rw.rank_with_proxy(people(), machine(np.ones((3, 40))))
    plain = rw.rank_assessments(people())
    assert found.board.scores == pytest.approx(plain.board.scores, abs=1e-9)
    assert found.found.low == pytest.approx(plain.found.low, abs=1e-9)
    assert found.board.systems == plain.board.systems
    assert found.weights == {"segment": 0, "output": 0}
    assert np.isnan(list(found.correlations.values())).all()
    assert found.means.worth == pytest.approx(1)


def test_the_scale_and_the_sign_of_the_machine_do_not_matter():
    once = rw.rank_with_proxy(people(), machine(QUALITY + 3 * RANDOM.normal(size=(3, 40))))
    noisy = QUALITY + 5 * np.random.default_rng(2).normal(size=(3, 40))
    one, other = (rw.rank_with_proxy(people(), machine(m)) for m in (noisy, 7 - 0.01 * noisy))
    assert one.board.scores == pytest.approx(other.board.scores)
    assert one.found.high == pytest.approx(other.found.high)
    assert one.correlations["output"] == pytest.approx(-other.correlations["output"])
    assert once.proxy == "metric"


def test_what_the_machine_adds_to_one_system_is_not_believed():
    biased = QUALITY + np.array([[0.0], [0.0], [500.0]])
    fair, unfair = (rw.rank_with_proxy(people(), machine(m)) for m in (QUALITY, biased))
    assert fair.board.scores == pytest.approx(unfair.board.scores)


def test_a_perfect_machine_gives_the_means_of_everything():
    """But for the ridge, which shrinks as documents are judged."""
    found = rw.rank_with_proxy(people(judged=range(20)), machine())
    order = [NAMES.index(name) for name in found.board.systems]
    whole, alone = QUALITY.mean(axis=1)[order], QUALITY[:, :20].mean(axis=1)[order]
    assert found.alone == pytest.approx(alone)
    assert np.abs(found.board.scores - whole).max() < 0.1 * np.abs(alone - whole).max()


def test_where_everything_was_judged_there_is_nothing_to_add():
    found = rw.rank_with_proxy(people(judged=range(40)), machine())
    assert found.board.scores == pytest.approx(found.alone, abs=0.1)
    assert any("nothing to add" in note for note in found.notes)


def test_the_two_parts_of_what_a_machine_says():
    scores = np.array([[1.0, 5.0], [3.0, 3.0]])
    columns = machine_columns(np.array([0, 1]), scores, np.array([1, 0]), np.array([0, 1]))
    # segment means 2 and 4, around 3; against them -1 and 1, 1 and -1, whose means are 0
    assert columns.judged.tolist() == [[1.0, -1.0], [1.0, 1.0]]
    assert columns.everywhere.tolist() == [[[-0.5, 0.5], [-0.5, 0.5]], [[-0.5, 0.5], [0.5, -0.5]]]
    assert columns.spread.tolist() == [1.0, 1.0]


def test_the_weight_of_an_output_is_that_of_least_squares_within_segments():
    noise = np.random.default_rng(5).normal(0, 6, (3, 40))
    found = rw.rank_with_proxy(people(), machine(QUALITY + noise))
    y, x = QUALITY[:, :12], (QUALITY + noise)[:, :12]
    y, x = (m - m.mean(0) - m.mean(1, keepdims=True) + m.mean() for m in (y, x))
    everywhere = QUALITY + noise - (QUALITY + noise).mean(0)
    spread = (everywhere - everywhere.mean(1, keepdims=True)).var()
    by_hand = (x * y).sum() / ((x * x).sum() + DOUBT * spread * 3)
    assert found.weights["output"] == pytest.approx(by_hand, rel=1e-6)
    assert found.correlations["output"] == pytest.approx(np.corrcoef(x.ravel(), y.ravel())[0, 1])


def test_errors_are_those_of_leaving_out_one_document_at_a_time():
    values, document = (
        np.random.default_rng(1).normal(size=30),
        np.repeat([0, 1, 2, 3], [3, 5, 7, 15]),
    )
    influence = (values - values.mean())[None] / 30
    left = np.array([values[document != d].mean() for d in range(4)]) - values.mean()
    found = careful_errors(influence, np.zeros(30, int), document)
    assert found.deviations[0] == pytest.approx(np.sqrt(3 / 4 * (left**2).sum()))
    assert found.mean_freedom == pytest.approx(30**2 / (9 + 25 + 49 + 225) - 1)


def test_how_many_judgments_it_takes():
    help_ = Help(alone=4.0, together=2.5, machine=0.5)
    assert help_.worth == 1.6
    assert help_.needed(1.0) == (1.0, 1.6)
    with_machine, alone = help_.needed(0.5)  # 2 / (0.625 - 0.5), 4 / 0.625
    assert (with_machine, alone) == (16.0, 6.4)
    assert help_.after(4.0) == pytest.approx((np.sqrt(1 / 2.5), np.sqrt(1 / 2.5)))


def test_wins_by_hand():
    """Two systems, so that the share is that of one pair; a tie is half a win."""
    ranks = [(1, 2), (1, 2), (2, 1), (1, 1)] * 3
    screens = [Ranking(str(n), "ann", ("A", "B"), pair) for n, pair in enumerate(ranks, 1)]
    found = rw.rank_with_proxy(Judgments.from_rankings(screens), machine(QUALITY * 0))
    assert found.board.systems == ("A", "B")
    assert found.board.scores == pytest.approx([0.625, 0.375])
    assert found.totals["comparisons"] == 12
    assert found.judgments == [12, 12]
    # the standard error of a mean of 12 segments
    scatter = np.std([1, 1, 0, 0.5] * 3, ddof=1) / np.sqrt(12)
    assert found.board.deviations == pytest.approx([scatter, scatter])


def test_renaming_and_order_do_not_matter():
    drawn = campaign(np.random.default_rng(3), "good", World(documents=20, judged=8))
    once = rw.rank_with_proxy(drawn.values, drawn.proxy, documents=drawn.documents)
    table = drawn.proxy
    turned = ScoreTable(
        table.systems[::-1], table.segments[::-1], table.values[::-1, ::-1], "machine"
    )
    again = rw.rank_with_proxy(
        drawn.values.select(np.arange(len(drawn.values))[::-1]), turned, documents=drawn.documents
    )
    assert once.board.systems == again.board.systems
    assert once.board.scores == pytest.approx(again.board.scores)
    assert once.found.low == pytest.approx(again.found.low)


# -- what is where -------------------------------------------------------------------------------


def test_documents_of_what_nobody_judged_follow_those_of_judgments():
    documents = {name: f"d{(int(name) - 1) // 4}" for name in SEGMENTS[:32]}
    judged, places = values_in_place(people(judged=range(2, 6)), machine(), documents)
    assert judged.document.max() == 1  # d0 and d1
    assert places.document[:8].tolist() == [0] * 4 + [1] * 4  # also those of segments not judged
    assert places.unplaced == 8
    assert len(np.unique(places.document)) == 8 + 8
    assert places.judged_documents == 2


def test_a_system_without_scores_is_ranked_by_people_alone():
    table = machine(QUALITY[:2], NAMES[:2])
    found = rw.rank_with_proxy(people(), table)
    assert set(found.board.systems) == set(NAMES)
    assert any("scored no output of C" in note for note in found.notes)
    screens = [Ranking(s, "ann", NAMES, (1, 2, 3)) for s in SEGMENTS[:12]]
    assert len(rw.rank_with_proxy(Judgments.from_rankings(screens), table).board) == 3


def test_judgments_of_segments_without_scores_are_counted():
    scores = QUALITY.copy()
    scores[1, 3] = np.nan
    found = rw.rank_with_proxy(people(), machine(scores))
    assert "3 judgments of segments without scores metric are left out" in found.notes
    assert found.totals["judgments"] == 33
    assert found.totals["scored segments"] == 39


def test_contests_have_the_lower_number_first():
    screens = [Ranking(s, "ann", ("C", "A", "B"), (1, 2, 3)) for s in SEGMENTS[:3]]
    contests, places = contests_in_place(Judgments.from_rankings(screens), machine())
    assert contests.systems == ("C", "A", "B")
    assert contests.won.tolist() == [1.0] * 9
    assert (contests.first < contests.second).all()
    assert places.scores[0] == pytest.approx(QUALITY[2])


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (machine(systems=("X", "Y", "Z")), "are of other systems: people judged A, B, C"),
        (
            machine(segments=tuple(f"s{s}" for s in SEGMENTS)),
            "no judged segment has scores 'metric'",
        ),
        (machine(QUALITY[:, :1], segments=("all",), level="system"), "needs those of segments"),
        (machine(np.where(np.eye(3, 40), np.nan, np.nan)), "are of other systems"),
    ],
)
def test_scores_that_do_not_fit(table, sentence):
    with pytest.raises(DataError, match=sentence):
        rw.rank_with_proxy(people(), table)


def test_pairs_that_never_met():
    screens = [Ranking(s, "ann", ("A", "B"), (1, 2)) for s in SEGMENTS[:9]]
    screens += [Ranking(s, "ann", ("B", "C"), (1, 2)) for s in SEGMENTS[:9]]
    with pytest.raises(DataError, match="'A' and 'C' were never compared"):
        rw.rank_with_proxy(Judgments.from_rankings(screens), machine())


def test_few_documents_are_named():
    documents = {name: f"d{(int(name) - 1) // 4}" for name in SEGMENTS}
    found = rw.rank_with_proxy(people(), machine(), documents=documents)
    assert any(note.startswith("3 documents were judged") for note in found.notes)
    assert "proxy:scores=metric:segment=" in found.board.signature
    assert "folds=3" in found.board.signature
    table = found.to_dict()
    assert table["weights"].keys() == {"segment", "output"}
    assert [row["system"] for row in table["rows"]] == list(found.board.systems)


def test_one_document_leaves_the_machine_out():
    documents = dict.fromkeys(SEGMENTS, "novel")
    rows = [
        (NAMES[s], SEGMENTS[g], judge, "TGT", QUALITY[s, g])
        for g in range(6)
        for s in range(3)
        for judge in ("ann", "bob")
    ]
    found = rw.rank_with_proxy(Assessments.from_rows(rows), machine(), documents=documents)
    assert found.board.scores == pytest.approx(found.alone)
    assert found.weights == {"segment": 0, "output": 0}
    assert "one document was judged: nothing tells how much metric may count" in found.notes[-1]


def test_a_system_judged_once_has_no_interval_and_any_rank():
    values = QUALITY + np.array([[0.0], [0.0], [60.0]])
    rows = [(NAMES[s], SEGMENTS[g], "ann", "TGT", values[s, g]) for g in range(12) for s in (0, 1)]
    judged = Assessments.from_rows([*rows, ("C", "1", "ann", "TGT", 120.0)])
    found = rw.rank_with_proxy(judged, machine(values))
    place = found.board.systems.index("C")
    ends = (found.found.low, found.found.high, found.alone_low, found.alone_high)
    assert np.isnan([end[place] for end in ends]).all()
    assert np.isfinite([np.delete(end, place) for end in ends]).all()
    assert (found.board.rank_low[place], found.board.rank_high[place]) == (1, 3)
    assert any(note.startswith("C: judged by one judge on one document") for note in found.notes)
    known = rw.rank_with_proxy(Assessments.from_rows(rows), machine(values[:2], NAMES[:2]))
    assert found.half_widths["means"] == pytest.approx(known.half_widths["means"], rel=0.1)
    table = str(found)
    assert "nan" not in table


def test_nobody_of_whom_anything_is_known_has_no_plan():
    rows = [(name, "1", f"judge {name}", "TGT", 50.0) for name in NAMES]
    found = rw.rank_with_proxy(Assessments.from_rows(rows), machine())
    assert found.to_dict()["plan"] == []
    assert (found.board.rank_high == 3).all()


def test_pairs_that_met_once_are_no_certainty():
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    screens = [Ranking(str(n), "ann", pair, (1, 2)) for n, pair in enumerate(pairs, 1)]
    found = rw.rank_with_proxy(Judgments.from_rankings(screens), machine(QUALITY * 0))
    assert np.isnan(found.found.low).all()
    assert set(found.board.clusters.tolist()) == {1}
    often = [Ranking(s, "ann", ("A", "B"), (1, 2 - int(s) % 2)) for s in SEGMENTS[3:13]]
    found = rw.rank_with_proxy(Judgments.from_rankings([*screens, *often]), machine(QUALITY * 0))
    known = dict(zip(found.board.systems, np.isfinite(found.found.low).tolist(), strict=True))
    assert known == {"A": True, "B": True, "C": False}
    assert any(note.startswith("2 pairs of systems met in one document") for note in found.notes)
