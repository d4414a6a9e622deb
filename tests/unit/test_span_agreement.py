"""Agreement of judges on errors: hand-worked values, and brute force for chance and matching."""

import json
import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwise as rw
from rankwise.agreement.judges.krippendorff import alpha_of_values
from rankwise.agreement.judges.span_overlap import (
    character_overlap,
    errors_of,
    matched_spans,
)
from rankwise.agreement.judges.span_rows import SPAN_MEASURES, span_rows
from rankwise.evaluate.marked.value_agreement import value_alpha
from rankwise.types import Assessments, Segment, TestSet


def span(start, end, severity="minor", category=None, **more):
    return {"start": start, "end": end, "severity": severity, "category": category, **more}


SPANS = st.lists(
    st.builds(
        lambda start, size, severity: span(start, start + size, severity),
        st.integers(0, 12),
        st.integers(1, 6),
        st.sampled_from(["minor", "major"]),
    ),
    max_size=4,
)


def slow_overlap(left, right, turn, length):
    """Credit and shared characters, one character at a time, the right marks turned."""
    credit = shared = 0
    for place in range(length):
        ours = {s["severity"] for s in left if s["start"] <= place < s["end"]}
        there = (place - turn) % length
        theirs = {s["severity"] for s in right if s["start"] <= there < s["end"]}
        shared += bool(ours and theirs)
        credit += 1 if ours & theirs else 0.5 if ours and theirs else 0
    return credit, shared


@given(SPANS, SPANS, st.integers(18, 25))
def test_characters_equal_brute_force_in_place_and_by_chance(left, right, length):
    found = character_overlap(left, right, length)
    turned = [slow_overlap(left, right, turn, length) for turn in range(length)]
    assert (found.credit, found.shared) == turned[0]
    chance, shared = np.mean(turned, axis=0)
    assert found.chance == pytest.approx(chance) and found.chance_shared == pytest.approx(shared)
    other = character_overlap(right, left, length)
    assert (other.credit, other.shared, other.left) == (found.credit, found.shared, found.right)


@given(SPANS, SPANS, st.booleans())
def test_matches_are_the_best_of_all_ways_to_match(left, right, severities):
    def worth(one, other):
        ours, theirs = (set(range(s["start"], s["end"])) for s in (one, other))
        alike = one["severity"] == other["severity"] or not severities
        return len(ours & theirs) / len(ours | theirs) * (1 if alike else 0.5)

    found = matched_spans(left, right, severities=severities)
    assert len({m.left for m in found}) == len(found) == len({m.right for m in found})
    assert all(m.overlap > 0 for m in found)
    short, long = sorted((left, right), key=len)
    best = max(
        sum(worth(a, b) for a, b in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )
    got = sum(worth(left[m.left], right[m.right]) for m in found)
    assert got == pytest.approx(best)


def test_the_better_of_two_overlaps_is_the_match():
    # [0, 6) meets [0, 3) with 3/6 and [2, 6) with 4/6.
    assert matched_spans([span(0, 6)], [span(0, 3), span(2, 6)])[0][:3] == (0, 1, 4 / 6)


def test_the_severity_decides_where_places_are_equal():
    both = [span(0, 4, "minor"), span(0, 4, "major")]
    assert [m[:2] for m in matched_spans(both, both[::-1])] == [(0, 1), (1, 0)]


def test_errors_without_a_place_match_by_category_and_have_no_characters():
    gone, other = span(None, None, "major", "[missing]"), span(None, None, "major", "style")
    assert [m[:3] for m in matched_spans([gone, span(0, 2)], [other, gone])] == [(0, 1, 1.0)]
    assert character_overlap([gone], [gone], 5)[:4] == (0, 0, 0, 0)


def test_an_error_in_two_places_is_one_error_and_has_the_characters_of_both():
    error = [span(0, 2), span(6, 8, part=1)]
    assert len(errors_of(error)) == 1
    assert matched_spans(error, [span(6, 8)])[0].overlap == 0.5
    assert character_overlap(error, [span(6, 8)]).left == 4


def marked(*looks, info=None):
    """Assessments of (system, segment, judge, spans)."""
    rows = [(system, segment, judge, "TGT", 50.0) for system, segment, judge, _ in looks]
    cells = np.array([None if s is None else json.dumps(s) for *_, s in looks], object)
    return Assessments.from_rows(rows, info={"spans": cells, **(info or {})})


TWO = marked(
    ("A", "1", "ann", [span(0, 4), span(6, 8, "major")]),
    ("A", "1", "bob", [span(2, 6), span(6, 8, "minor")]),
    ("A", "2", "ann", []),
    ("A", "2", "bob", [span(0, 2)]),
)


def test_hand_worked_values():
    """Segment 1: 6 and 6 characters, 2 alike and 2 with half; segment 2: none and 2."""
    found = rw.span_agreement(TWO, samples=20)
    values = [found[name].value for name in SPAN_MEASURES]
    # 2 * 3 / 14, 2 * 4 / 14, errors (1 + .5) * 2 / 5, 2 * 2 / 5, one of two pairs
    assert values == pytest.approx([6 / 14, 8 / 14, 3 / 5, 4 / 5, 1 / 2])
    assert (found.pairs, found.segments, found.errors) == (2, 2, 5)
    assert found["some-or-none"].chance == pytest.approx(0.75**2 + 0.25**2)
    assert math.isnan(found["characters"].chance)
    assert found.by_judge["ann"] == found.by_judge["bob"] == pytest.approx(tuple(values))
    assert found.pairs_of == {"ann": 2, "bob": 2}


def test_chance_needs_the_texts():
    segments = (Segment("1", "x", ()), Segment("2", "x", ()))
    texts = TestSet(segments, {"A": ("a" * 10, "b" * 10)})
    found = rw.span_agreement(TWO, texts=texts)
    # Six characters on six of ten: 3.6 shared; ann 4 minor + 2 major on bob's 6 minor: 2.4 alike.
    assert found["characters-any"].chance == pytest.approx(2 * 3.6 / 14)
    assert found["characters"].chance == pytest.approx((3.6 + 2.4) / 14)


def test_who_does_not_count():
    first = ("A", "1", "ann", [span(0, 4)])
    again, no_marks = ("A", "1", "ann", [span(5, 6)]), ("A", "1", "bob", None)
    assert rw.span_agreement(marked(first, again, no_marks)).pairs == 0
    source = ("A", "1", "bob", [span(0, 4), span(0, 9, "major", side="source")])
    assert rw.span_agreement(marked(first, source))["characters"].value == 1.0
    control = Assessments.from_rows(
        [("A", "1", "ann", "TGT", 1.0), ("A", "1", "bob", "BAD", 1.0)],
        info={"spans": np.array(["[]", "[]"], object)},
    )
    assert rw.span_agreement(control).pairs == 0
    assert math.isnan(rw.span_agreement(control)["some-or-none"].value)


def test_an_output_that_two_systems_shared_counts_once():
    looks = [(s, "1", j, [span(0, 4)]) for j in ("ann", "bob") for s in ("A", "B")]
    shared = marked(*looks, info={"look": np.array([1.0, 1.0, 2.0, 2.0])})
    assert rw.span_agreement(shared).pairs == 1
    assert rw.span_agreement(marked(*looks)).pairs == 2


def test_three_judges_are_three_pairs():
    looks = [("A", "1", judge, [span(0, 4)]) for judge in ("ann", "bob", "cem")]
    rows = span_rows(marked(*looks))
    assert rows.by_segment[0, 0] == 3 and rows.by_judge[:, 0].tolist() == [2, 2, 2]


def test_intervals_cover_the_truth_in_simulated_campaigns():
    """Two judges, each with errors of their own beside common ones; 40 segments a campaign."""
    random = np.random.default_rng(3)

    def campaign(segments):
        looks = []
        for number in range(segments):
            common = random.random() < 0.6
            for judge in ("ann", "bob"):
                found = [span(0, 5)] if common and random.random() < 0.8 else []
                found += [span(int(p), int(p) + 3) for p in random.integers(5, 30, 1)]
                looks.append(("A", str(number), judge, found))
        return marked(*looks)

    truth = rw.span_agreement(campaign(6000), samples=2)["characters-any"].value
    held = 0
    for _ in range(120):
        one = rw.span_agreement(campaign(40), samples=200)["characters-any"]
        held += one.low <= truth <= one.high
    assert 106 <= held <= 120  # of 120 intervals of 95 %, 114 are to be expected


def test_alpha_of_values_is_krippendorffs():
    random = np.random.default_rng(1)
    rows = [
        (system, str(segment), judge, "TGT", float(random.integers(0, 100)))
        for system in "AB"
        for segment in range(20)
        for judge in ("ann", "bob", "cem")[: 2 + segment % 2]
    ]
    values = Assessments.from_rows(rows)
    found, count = value_alpha(values, samples=50)
    unit = values.segment * 2 + values.system
    expected = alpha_of_values(unit, values.standardised(), level="interval")
    assert found.value == pytest.approx(expected) and count == 100
    assert found.low < found.value < found.high
    nothing, count = value_alpha(Assessments.from_rows([("A", "1", "ann", "TGT", 1.0)]))
    assert math.isnan(nothing.value) and count == 0
