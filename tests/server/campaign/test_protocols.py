"""What judges may answer, what the store keeps of it, and what results make of it."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import DataError
from rankwise.server.campaign.ask.chooser import shown_order
from rankwise.server.campaign.plan.protocols import PROTOCOLS, validate_skip
from rankwise.server.records import Slot
from server.campaign.made import stored

RANKING, PAIRWISE = PROTOCOLS["ranking"], PROTOCOLS["pairwise"]
FLUENT, DIRECT = PROTOCOLS["adequacy-fluency"], PROTOCOLS["direct-assessment"]


@pytest.mark.parametrize(
    ("rules", "answer", "size", "expected"),
    [
        (RANKING, {"ranks": [5, 1, 5, 2, 3]}, 5, {"ranks": [4, 1, 4, 2, 3]}),
        (RANKING, {"ranks": (2, 2)}, 2, {"ranks": [1, 1]}),
        (PAIRWISE, {"choice": "both_bad"}, 2, {"choice": "both_bad"}),
        (FLUENT, {"fluency": [1], "adequacy": [5]}, 1, {"fluency": [1], "adequacy": [5]}),
        (DIRECT, {"scores": [0, 100]}, 2, {"scores": [0, 100]}),
    ],
)
def test_answers_in_their_normal_form(rules, answer, size, expected):
    assert rules.validate(answer, size) == expected


@pytest.mark.parametrize(
    ("rules", "answer", "size", "sentence"),
    [
        (RANKING, {"ranks": [1, 2]}, 3, "2 entries; expected a list of 3 numbers"),
        (RANKING, {"ranks": [1, True]}, 2, "entry 2 of the answer's 'ranks' is True"),
        (RANKING, {"ranks": [1, 2.0]}, 2, "is 2.0; expected a whole number from 1 to 2"),
        (RANKING, {"ranks": [0, 1]}, 2, "is 0; expected a whole number from 1 to 2"),
        (RANKING, {"ranks": "12"}, 2, "is '12'; expected a list"),
        (RANKING, {"ranks": [1, None]}, 2, "is None"),
        (RANKING, {"ranks": [1, 2], "note": ""}, 2, "unknown key 'note'"),
        (RANKING, {}, 2, "no 'ranks'"),
        (RANKING, [1, 2], 2, "expected an object with 'ranks'"),
        (PAIRWISE, {"choice": "middle"}, 2, "expected one of left, right, equal, both_bad"),
        (PAIRWISE, {"choice": ["left"]}, 2, "expected one of left"),
        (PAIRWISE, {"choice": "left"}, 3, "3 texts; expected 2"),
        (FLUENT, {"fluency": [1]}, 1, "no 'adequacy'"),
        (FLUENT, {"fluency": [6], "adequacy": [1]}, 1, "is 6; expected a whole number from 1 to 5"),
        (DIRECT, {"scores": [float("nan")]}, 1, "is nan"),
        (DIRECT, {"scores": [101]}, 1, "is 101; expected a whole number from 0 to 100"),
        (DIRECT, {"scores": [10**400]}, 1, "expected a whole number"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(rules, answer, size, sentence):
    with pytest.raises(DataError) as error:
        rules.validate(answer, size)
    assert sentence in str(error.value)


def test_a_skip_has_one_of_the_reasons():
    assert validate_skip({"reason": "technical"}) == {"reason": "technical"}
    with pytest.raises(DataError, match="'reason' is 'tired'; expected one of"):
        validate_skip({"reason": "tired"})


@given(st.permutations(range(5)), st.lists(st.integers(1, 5), min_size=5, max_size=5))
def test_reordering_there_and_back_changes_nothing(shown, ranks):
    answer = {"ranks": ranks}
    there = RANKING.reorder(answer, shown, back=False)
    assert there["ranks"] == [ranks[slot] for slot in shown]
    assert RANKING.reorder(there, shown, back=True) == answer


@pytest.mark.parametrize("shown", list(permutations(range(2))))
@pytest.mark.parametrize("choice", ["left", "right", "equal", "both_bad"])
def test_the_better_text_stays_the_better_one(shown, choice):
    slots = PAIRWISE.reorder({"choice": choice}, shown, back=True)
    ranks = PAIRWISE.ranks(slots)
    on_page = [ranks[slot] for slot in shown]
    assert tuple(on_page) == {"left": (1, 2), "right": (2, 1)}.get(choice, (1, 1))


def test_half_a_draft_is_left_alone():
    assert RANKING.reorder({"ranks": [1]}, (1, 0), back=True) == {"ranks": [1]}
    assert PAIRWISE.reorder({}, (1, 0), back=True) == {}


def test_a_ranking_with_a_shared_text_and_facts():
    slots = [Slot(("A", "C")), Slot(("B",))]
    judgment = stored(
        7, slots, {"ranks": [2, 1]}, shown=(1, 0), probability=0.25, details={"all_equal": True}
    )
    found = RANKING.ranking(judgment, ("de", "en"))
    assert found.systems == ("A", "C", "B")
    assert found.ranks == (2, 2, 1)
    assert found.outputs == (0, 0, 1)
    assert (found.screen, found.source_language) == ("7", "de")
    assert found.info["shown"] == "1 0"
    assert (found.info["probability"], found.info["all_equal"]) == (0.25, 1.0)
    assert found.info["active_seconds"] == 30.0


def test_controls_and_skips_in_rankings():
    slots = [Slot(("A",), "BAD", "spoilt"), Slot((), "REF", "right"), Slot(("A",))]
    found = RANKING.ranking(stored(1, slots, {"ranks": [3, 1, 2]}, role="control"), ("", ""))
    assert found.systems == ("A#bad", "#ref", "A")
    skipped = RANKING.ranking(stored(1, ["A", "B"], {"reason": "offensive"}), ("", ""))
    assert skipped.is_skipped
    assert skipped.info["skipped"] == "offensive"
    both = PAIRWISE.ranking(stored(1, ["A", "B"], {"choice": "both_bad"}), ("", ""))
    assert (both.ranks, both.info["both_bad"]) == ((1, 1), 1.0)


def test_rows_of_values_with_their_roles():
    slots = [Slot(("A", "B")), Slot(("A",), "BAD", "spoilt")]
    answer = {"fluency": [4, 1], "adequacy": [5, 2]}
    assert FLUENT.rows(stored(1, slots, answer)) == [
        ("A", "1", "ann", "TGT", 4.5),
        ("B", "1", "ann", "TGT", 4.5),
        ("A#bad", "1", "ann", "BAD", 1.5),
    ]
    repeated = stored(1, ["A"], {"scores": [50]}, role="repeat")
    assert DIRECT.rows(repeated) == [("A", "1", "ann", "CHK", 50.0)]
    assert DIRECT.rows(stored(1, ["A"], {"reason": "other"})) == []


def test_a_protocol_gives_only_what_it_has():
    with pytest.raises(DataError, match="values, not rankings"):
        DIRECT.ranking(stored(1, ["A"], {"scores": [1]}), ("", ""))
    with pytest.raises(DataError, match="rankings, not values"):
        RANKING.rows(stored(1, ["A", "B"], {"ranks": [1, 2]}))


def test_every_order_on_the_page_comes_up_equally_often():
    counts = dict.fromkeys(permutations(range(3)), 0)
    for seed in range(3000):
        counts[shown_order(3, seed)] += 1
    assert min(counts.values()) > 400 and max(counts.values()) < 600  # 500 each; 4.9 deviations
