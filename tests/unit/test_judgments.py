"""Judgments as columns: what goes in comes out, pairs in order, nothing wrong gets in."""

import copy
import pickle
from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_rankings import rankings
from rankwise.errors import DataError
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

KIM = Ranking("4", "kim", ("A", "B", "C"), (1, 2, 2), "11", (0, 1, 1), "da", "en", {"time": 3.5})
LOU = Ranking("9", "lou", ("C", "A"), (None, None), "12", info={"note": "none"})
MAX = Ranking("4", "max", ("B", "D"), (2.5, None), "11")


many = st.lists(rankings(), max_size=6)


@given(many)
def test_rankings_come_back_as_they_went_in(given_rankings):
    judgments = Judgments.from_rankings(given_rankings)
    assert list(judgments) == given_rankings
    assert [judgments[i] for i in range(len(judgments))] == given_rankings
    assert [judgments[i - len(judgments)] for i in range(len(judgments))] == given_rankings


@given(many)
def test_pairs_are_all_combinations_in_order(given_rankings):
    expected = [
        (a, b, (x < y) - (x > y), number)
        for number, r in enumerate(given_rankings)
        for (a, x), (b, y) in combinations(zip(r.systems, r.ranks, strict=True), 2)
        if x is not None and y is not None
    ]
    pairs = Judgments.from_rankings(given_rankings).pairs()
    found = zip(pairs.left, pairs.right, pairs.sign, pairs.ranking, strict=True)
    named = [(pairs.systems[a], pairs.systems[b], s, r) for a, b, s, r in found]
    assert named == expected


@given(many)
def test_pairs_within_one_text_can_be_left_out(given_rankings):
    judgments = Judgments.from_rankings(given_rankings)
    different = sum(
        x is not None and y is not None and a != b
        for r in given_rankings
        for (x, a), (y, b) in combinations(
            zip(r.ranks, r.outputs or range(len(r.ranks)), strict=True), 2
        )
    )
    assert len(judgments.pairs(within_outputs=False)) == different


def test_pairs_do_not_depend_on_the_size_of_blocks(monkeypatch):
    judgments = Judgments.from_rankings([KIM, LOU, MAX] * 5)
    whole = judgments.pairs()
    monkeypatch.setattr("rankwise.types.judging.judgments._BLOCK_ITEMS", 9)
    blocks = judgments.pairs()
    for name in ("left", "right", "sign", "ranking"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(blocks, name))


def test_iteration_does_not_depend_on_the_size_of_blocks(monkeypatch):
    judgments = Judgments.from_rankings([KIM, LOU, MAX] * 3)
    monkeypatch.setattr("rankwise.types.judging.judgments._BLOCK_RANKINGS", 2)
    assert list(judgments) == [KIM, LOU, MAX] * 3


def test_equal_means_the_same_rankings_in_the_same_order():
    judgments = Judgments.from_rankings([KIM, LOU])
    assert judgments == Judgments.from_rankings([LOU, KIM, LOU]).select(np.array([1, 2]))
    assert judgments != Judgments.from_rankings([LOU, KIM])
    assert judgments != Judgments.from_rankings([KIM])
    assert judgments != [KIM, LOU]


def test_columns_cannot_be_changed():
    judgments = Judgments.from_rankings([KIM])
    for column in (judgments.rank, judgments.starts, judgments.info["time"]):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    with pytest.raises(TypeError):
        judgments.info["time"] = 1


def test_skipped_means_without_any_rank():
    empty = Ranking("1", "kim", (), ())
    judgments = Judgments.from_rankings([KIM, LOU, MAX, empty])
    assert judgments.is_skipped.tolist() == [False, True, False, True]
    assert [ranking.is_skipped for ranking in judgments] == [False, True, False, True]


def test_a_record_can_be_copied_and_sent():
    judgments = Judgments.from_rankings([KIM, LOU, MAX])
    assert pickle.loads(pickle.dumps(judgments)) == copy.deepcopy(judgments) == judgments


@given(many)
def test_text_counts_tell_how_many_texts_were_shown(given_rankings):
    judgments = Judgments.from_rankings(given_rankings)
    shown = [len(set(r.outputs or range(len(r.systems)))) for r in given_rankings]
    assert judgments.text_counts.tolist() == shown


def test_nothing_is_a_record_too():
    nothing = Judgments.from_rankings([])
    assert len(nothing) == len(nothing.pairs()) == 0
    assert nothing.is_skipped.tolist() == nothing.text_counts.tolist() == []
    assert nothing == nothing.collapsed() == nothing.select(np.empty(0, np.bool_))
    with pytest.raises(IndexError):
        nothing[0]


# -- screens ---------------------------------------------------------------------------------------


def screens_of(*names: str) -> list[str]:
    given_rankings = [Ranking("1", "kim", ("A",), (1,), name) for name in names]
    return [ranking.screen for ranking in Judgments.from_rankings(given_rankings)]


def test_numbers_as_names_of_screens_stay_numbers():
    judgments = Judgments.from_rankings([KIM, LOU])
    assert judgments.screens is None
    assert judgments.screen.tolist() == [11, 12]


@pytest.mark.parametrize("name", ["011", "x", "-1", "1.0", " 1", "١", "9" * 19, "0"])
def test_names_of_screens_come_back(name):
    assert screens_of("11", name, "11") == ["11", name, "11"]


def test_screens_without_names_get_their_rankings_numbers():
    assert screens_of("", "", "") == ["1", "2", "3"]
    assert screens_of("x", "", "y") == ["x", "2", "y"]


def test_a_screen_without_a_name_never_meets_one_with_a_name():
    assert screens_of("2", "", "1") == ["2", "2~", "1"]
    assert screens_of("", "1", "1~") == ["1~~", "1", "1~"]


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "ranks", "outputs", "message"),
    [
        (("A", "B"), (1,), None, "2 systems, 1 ranks; expected as many of each"),
        (("A", "B"), (1, 1), (0,), "2 systems, 2 ranks, 1 outputs"),
        (("A", "B", "A"), (1, 2, 3), None, "'A' occurs twice"),
        (("A", "B"), (1, float("nan")), None, "expected finite"),
        (("A", "B"), (1, float("inf")), None, "expected finite"),
        (("A", "B"), (1, 10**400), None, "expected finite"),
        (("A", "B"), (1, 2), (0, 0), "'B' shares an output"),
        (("A", "B"), (1, None), (0, 0), "'B' shares an output"),
        (tuple(map(str, range(32768))), (1,) * 32768, None, "at most 32767"),
    ],
)
def test_a_wrong_ranking_is_refused_and_leaves_nothing(systems, ranks, outputs, message):
    builder = JudgmentsBuilder()
    builder.add("1", "kim", ("A",), (1,))
    with pytest.raises(DataError, match=message):
        builder.add("1", "kim", systems, ranks, outputs=outputs)
    assert [ranking.systems for ranking in builder.build()] == [("A",)]


def columns(**changes) -> dict:
    base = {
        "systems": ("A", "B"),
        "segments": ("1",),
        "judges": ("kim",),
        "languages": (("", ""),),
        "starts": np.array([0, 2], np.int64),
        "system": np.array([0, 1], np.int32),
        "rank": np.array([1.0, 2.0]),
        "output": np.array([0, 1], np.int16),
        "segment": np.array([0], np.int32),
        "judge": np.array([0], np.int32),
        "language": np.array([0], np.int16),
        "screen": np.array([1], np.int64),
    }
    return base | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"starts": np.array([1, 2])}, "begin with 0"),
        ({"starts": np.array([], np.int64)}, "begin with 0"),
        ({"starts": np.array([0, 3, 2])}, "never fall"),
        ({"rank": np.array([1.0])}, "'rank' has 1 entries; expected 2"),
        ({"judge": np.array([0, 0])}, "'judge' has 2 entries; expected 1"),
        ({"info": {"x": np.array([])}}, "'x' has 0 entries; expected 1"),
        ({"system": np.array([0, 2])}, "'system' points outside its 2 names"),
        ({"segment": np.array([-1])}, "'segment' points outside its 1 names"),
        ({"screens": ("x",)}, "'screen' points outside its 1 names"),
    ],
)
def test_wrong_columns_are_refused(changes, message):
    Judgments(**columns())
    with pytest.raises(DataError, match=message):
        Judgments(**columns(**changes))


# -- selecting, collapsing, joining ----------------------------------------------------------------


@given(many, st.data())
def test_select_takes_rankings_by_index_and_by_mask(given_rankings, data):
    judgments = Judgments.from_rankings(given_rankings)
    mask = data.draw(st.lists(st.booleans(), min_size=len(judgments), max_size=len(judgments)))
    chosen = [r for r, wanted in zip(given_rankings, mask, strict=True) if wanted]
    assert list(judgments.select(np.array(mask, np.bool_))) == chosen
    if len(judgments):
        index = data.draw(st.lists(st.integers(-len(judgments), len(judgments) - 1), max_size=5))
        picked = judgments.select(np.array(index, np.intp))
        assert list(picked) == [given_rankings[i] for i in index]


def test_a_mask_of_another_length_is_refused():
    with pytest.raises(DataError, match=r"shape \(1,\); expected \(2,\)"):
        Judgments.from_rankings([KIM, LOU]).select(np.array([True]))


def test_where_matches_judges_and_languages():
    judgments = Judgments.from_rankings([KIM, LOU, MAX])
    assert list(judgments.where(judges="[kl]*")) == [KIM, LOU]
    assert list(judgments.where(languages=("da", "en"))) == [KIM]
    assert list(judgments.where(judges="k*", languages=("", ""))) == []


def test_collapsed_names_a_shared_text_by_its_systems():
    (collapsed,) = Judgments.from_rankings([KIM]).collapsed()
    assert (collapsed.systems, collapsed.ranks, collapsed.outputs) == (("A", "B+C"), (1, 2), None)
    assert collapsed.info == KIM.info


def test_outputs_are_numbered_by_first_appearance():
    odd = Ranking("1", "kim", ("A", "B", "C"), (1, 2, 1), outputs=(7, -3, 7))
    assert Judgments.from_rankings([odd])[0].outputs == (0, 1, 0)


def test_a_column_may_hold_numbers_and_text():
    mixed = [Ranking("1", "k", ("A",), (1,), "1", info={"x": cell}) for cell in (1.5, "a")]
    assert [r.info for r in Judgments.from_rankings(mixed)] == [{"x": 1.5}, {"x": "a"}]


@given(st.lists(many, max_size=3))
def test_concatenate_keeps_rankings_and_tells_screens_apart(parts):
    joined = Judgments.concatenate([Judgments.from_rankings(part) for part in parts])
    flat = [(number, ranking) for number, part in enumerate(parts) for ranking in part]
    assert len(joined) == len(flat)
    seen: dict[str, tuple[int, str]] = {}
    for found, (number, ranking) in zip(joined, flat, strict=True):
        assert seen.setdefault(found.screen, (number, ranking.screen)) == (number, ranking.screen)
        assert found == Ranking(
            ranking.segment,
            ranking.judge,
            ranking.systems,
            ranking.ranks,
            found.screen,
            ranking.outputs,
            ranking.source_language,
            ranking.target_language,
            ranking.info,
        )
    assert len(seen) == len({(number, ranking.screen) for number, ranking in flat})


def test_concatenate_keeps_screens_that_do_not_meet():
    one, two = Judgments.from_rankings([KIM]), Judgments.from_rankings([LOU])
    assert [r.screen for r in Judgments.concatenate([one, two, one])] == ["11", "12", "13"]
    named = Judgments.from_rankings([Ranking("1", "k", ("A",), (1,), "x")])
    joined = Judgments.concatenate([named, one, named])
    assert [r.screen for r in joined] == ["x", "11", "x~"]


def test_concatenate_of_one_part_is_that_part():
    one = Judgments.from_rankings([KIM])
    assert Judgments.concatenate([one]) is one


def test_declared_names_come_first_used_or_not():
    builder = JudgmentsBuilder()
    builder.declare(systems=["Z", "B"], judges=["lou"])
    builder.add("1", "kim", ("A", "B"), (1, 2))
    judgments = builder.build()
    assert judgments.systems == ("Z", "B", "A")
    assert judgments.judges == ("lou", "kim")


def test_a_ranking_of_five_takes_under_a_hundred_bytes():
    builder = JudgmentsBuilder()
    for number in range(1000):
        builder.add(str(number), "kim", ("A", "B", "C", "D", "E"), (1, 2, 3, 4, 5))
    built = builder.build()
    columns = [getattr(built, field.name) for field in fields(built)]
    size = sum(column.nbytes for column in columns if isinstance(column, np.ndarray))
    assert size <= 1000 * (5 * 14 + 26) + 8


def test_pairs_are_counted_without_being_made():
    rankings = [
        Ranking("1", "ann", ("A", "B", "C"), (1, None, 2)),
        Ranking("2", "ann", ("A", "B", "C"), (1, 1, 2)),
        Ranking("3", "ann", ("A", "B"), (None, None)),
        Ranking("4", "ann", (), ()),
    ]
    judgments = Judgments.from_rankings(rankings)
    assert judgments.pair_count == 4 == len(judgments.pairs())
