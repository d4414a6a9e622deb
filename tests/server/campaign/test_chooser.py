"""What is put before judges: distinct texts, the plan's strategy, known probabilities, controls."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest

from rankwise import DataError, example
from rankwise.aggregate.asking.draw_probability import drawn
from rankwise.aggregate.asking.next_screens import next_comparisons
from rankwise.server.campaign.ask.chooser import (
    choose_screens,
    control_screen,
)
from rankwise.server.campaign.ask.controls import degraded, words_spoilt
from rankwise.server.campaign.ask.lesson_screens import tutorial_screens
from rankwise.server.campaign.ask.looks import look
from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.records import PlannedScreen, Slot
from rankwise.types import TestSet
from server.campaign.made import make_plan, make_testset, simulated, stored


def texts_of(testset: TestSet, screen: PlannedScreen) -> list[str]:
    place = [segment.id for segment in testset.segments].index(screen.segment)
    return [
        slot.text if slot.text is not None else testset.outputs[slot.systems[0]][place]
        for slot in screen.slots
    ]


@pytest.mark.parametrize("strategy", ["uniform", "paper", "information", "clusters"])
def test_every_screen_has_distinct_texts_and_all_who_made_them(strategy):
    plan, testset = example_campaign()
    plan = replace(plan, strategy=strategy)
    screens = choose_screens(plan, testset, example().judgments, count=60, seed=1)
    assert len(screens) == 60
    for screen in screens:
        shown = [look(text) for text in texts_of(testset, screen)]
        assert len(set(shown)) == len(shown) == 5
        place = int(screen.segment) - 1
        for slot, text in zip(screen.slots, shown, strict=True):
            same = {s for s in testset.systems if look(testset.outputs[s][place]) == text}
            assert set(slot.systems) == same


def test_the_systems_are_those_of_next_comparisons():
    plan, testset = make_plan(k=2, strategy="clusters"), make_testset(6, 9)
    judgments = judgments_of(simulated(testset, 60, k=2), plan)
    chosen = choose_screens(plan, testset, judgments, count=8, seed=5)
    expected = next_comparisons(judgments, 2, 8, 5, "clusters", testset=testset, floor=3)
    assert [(s.segment, tuple(x.systems[0] for x in s.slots)) for s in chosen] == [
        (screen.segment, screen.systems) for screen in expected
    ]


def test_same_arguments_same_screens_and_pending_ones_count():
    plan, testset = make_plan(k=3), make_testset(6, 9)
    first = choose_screens(plan, testset, None, count=4, seed=2)
    assert first == choose_screens(plan, testset, None, count=4, seed=2)
    later = choose_screens(plan, testset, None, pending=first, count=4, seed=2)
    assert {s.segment for s in later}.isdisjoint({s.segment for s in first})


def test_a_segment_with_one_text_is_never_asked():
    testset = make_testset(3, 4)
    outputs = {name: ("the same", *texts[1:]) for name, texts in testset.outputs.items()}
    testset = replace(testset, outputs=outputs)
    screens = choose_screens(make_plan(k=3), testset, None, count=20, seed=1)
    assert screens and all(screen.segment != "1" for screen in screens)


def test_missing_outputs_are_never_shown():
    testset = make_testset(4, 3)
    testset = replace(testset, outputs=dict(testset.outputs) | {"s00": (None, None, "here")})
    for screen in choose_screens(make_plan(k=4), testset, None, count=12, seed=1):
        shown = {name for slot in screen.slots for name in slot.systems}
        assert ("s00" in shown) <= (screen.segment == "3")


def test_spaces_and_composition_do_not_make_a_text_another():
    testset = make_testset(2, 2)
    outputs = {"s00": ("cafe\u0301  here", "a"), "s01": ("caf\u00e9 here ", "b")}
    screens = choose_screens(
        make_plan(k=2), replace(testset, outputs=outputs), None, count=4, seed=1
    )
    assert {screen.segment for screen in screens} == {"2"}


# -- probabilities -------------------------------------------------------------------------------


def test_the_probability_of_uniform_screens_is_that_of_all_draws():
    """5 systems, 3 segments, pairs: 10 sets by 3 segments, each 1/30; found by many seeds."""
    plan, testset = make_plan(k=2, strategy="uniform", coverage_floor=0), make_testset(5, 3)
    counts: Counter[tuple[str, ...]] = Counter()
    for seed in range(1200):
        (screen,) = choose_screens(plan, testset, None, count=1, seed=seed)
        assert screen.probability == pytest.approx(1 / 30)
        counts[(screen.segment, *sorted(s.systems[0] for s in screen.slots))] += 1
    assert len(counts) == 30
    assert min(counts.values()) > 11 and max(counts.values()) < 69  # 40 each; 4.6 deviations


def test_after_the_first_screen_only_the_segments_shown_least_are_drawn():
    plan, testset = make_plan(k=2, strategy="uniform", coverage_floor=0), make_testset(5, 3)
    screens = choose_screens(plan, testset, None, count=4, seed=1)
    shares = [1 / (screen.probability * comb(5, 2)) for screen in screens]
    assert shares == pytest.approx([3, 2, 1, 3])


def test_the_probability_of_the_papers_screens_is_found_by_drawing_them():
    plan, testset = make_plan(k=3, strategy="paper:scale=2", coverage_floor=0), make_testset(5, 1)
    judgments = judgments_of(simulated(testset, 200, k=2, spread=1.5), plan)
    counts: Counter[tuple[str, ...]] = Counter()
    chances = {}
    for seed in range(600):
        (screen,) = choose_screens(plan, testset, judgments, count=1, seed=seed)
        key = tuple(sorted(slot.systems[0] for slot in screen.slots))
        counts[key] += 1
        chances[key] = screen.probability
    assert sum(chances.values()) == pytest.approx(1, abs=0.02)
    for key, chance in chances.items():
        deviation = (chance * (1 - chance) / 600) ** 0.5
        assert abs(counts[key] / 600 - chance) < 5 * deviation


def test_a_set_is_drawn_in_any_order():
    weights = np.array([0.5, 1.0, 2.0, 3.0, 0.25])
    expected = 0.0
    for order in permutations([0, 2, 3]):
        left, chance = weights.sum(), 1.0
        for number in order:
            chance *= weights[number] / left
            left -= weights[number]
        expected += chance
    assert drawn([3, 0, 2], weights) == pytest.approx(expected)


def test_the_floor_has_no_probability():
    plan, testset = make_plan(k=2, strategy="uniform", coverage_floor=1), make_testset(4, 4)
    screens = choose_screens(plan, testset, None, count=3, seed=1)
    assert [screen.strategy for screen in screens] == [
        "uniform (floor)",
        "uniform (floor)",
        "uniform",
    ]
    assert [screen.probability is None for screen in screens] == [True, True, False]


# -- values --------------------------------------------------------------------------------------


def test_every_output_is_assessed_equally_often():
    plan, testset = make_plan(protocol="direct-assessment", k=2), make_testset(4, 6)
    screens = choose_screens(plan, testset, None, count=24, seed=1)
    shown = Counter((s.segment, slot.systems[0]) for s in screens for slot in s.slots)
    assert len(shown) == 24 and set(shown.values()) == {2}


def test_what_was_assessed_before_waits():
    plan, testset = make_plan(protocol="direct-assessment", k=1), make_testset(2, 2)
    done = [stored(1, ["s00"], {"scores": [50]}), stored(2, ["s01"], {"scores": [50]})]
    pending = [PlannedScreen("2", (Slot(("s00",)),))]
    (screen,) = choose_screens(
        plan, testset, assessments_of(done, plan), pending=pending, count=1, seed=1
    )
    assert (screen.segment, screen.slots[0].systems) == ("2", ("s01",))
    assert screen.probability == 1.0


def test_rankings_and_values_are_not_mixed_up():
    testset = make_testset()
    values = assessments_of([], make_plan(protocol="direct-assessment"))
    with pytest.raises(DataError, match="no assessments"):
        choose_screens(make_plan(), testset, values, count=1, seed=1)
    rankings = judgments_of([], make_plan())
    with pytest.raises(DataError, match="no rankings"):
        choose_screens(make_plan(protocol="direct-assessment"), testset, rankings, count=1, seed=1)


# -- controls, repeats, tutorial -----------------------------------------------------------------


def test_a_degraded_output_stands_beside_its_original():
    plan, testset = example_campaign()
    for seed in range(30):
        screen = control_screen(plan, testset, seed=seed)
        bad, original, *others = screen.slots
        assert (screen.role, bad.role, original.role) == ("control", "BAD", "TGT")
        assert bad.systems[0] in original.systems and len(others) == 3
        texts = texts_of(testset, screen)
        assert len(set(texts)) == 5 and texts[0] != texts[1]


def test_a_reference_stands_among_outputs():
    plan, testset = example_campaign()
    screen = control_screen(replace(plan, control_kind="reference"), testset, seed=3)
    reference, *others = screen.slots
    assert (reference.role, reference.systems, len(others)) == ("REF", (), 4)
    assert reference.text in testset.segments[int(screen.segment) - 1].references


@pytest.mark.parametrize("kind", ["degraded", "reference"])
@pytest.mark.parametrize(("k", "systems"), [(5, 3), (5, 5), (4, 6), (2, 3)])
def test_the_number_of_texts_does_not_give_a_control_away(kind, k, systems):
    plan, made = make_plan(k=k, control_kind=kind, strategy="uniform"), make_testset(systems, 8)
    # in every second segment two systems say the same
    outputs = dict(made.outputs)
    pairs = zip(outputs["s00"], outputs["s01"], strict=True)
    outputs["s01"] = tuple(one if n % 2 else two for n, (one, two) in enumerate(pairs))
    testset = replace(made, outputs=outputs)
    work = choose_screens(plan, testset, None, count=20, seed=1)
    controls = [control_screen(plan, testset, seed=seed) for seed in range(40)]
    most = max(len(screen.slots) for screen in work)
    assert {len(screen.slots) for screen in controls} == {most} == {min(k, systems)}


def test_no_control_where_the_texts_allow_none():
    plan = make_plan(control_kind="reference")
    assert control_screen(plan, make_testset(references=False), seed=1) is None
    assert control_screen(make_plan(), make_testset(3, 1), seed=1) is None


def test_a_single_text_protocol_shows_the_spoilt_text_alone():
    plan = make_plan(protocol="direct-assessment")
    (slot,) = control_screen(plan, make_testset(), seed=1).slots
    assert slot.role == "BAD"


@pytest.mark.parametrize(("length", "count"), [(2, 2), (5, 2), (7, 3), (15, 4), (20, 5), (24, 6)])
def test_so_many_words_are_replaced(length, count):
    words = [f"w{n}" for n in range(length)]
    donor = [f"d{n}" for n in range(30)]
    assert words_spoilt(length) == count
    for seed in range(20):
        found = degraded(" ".join(words), " ".join(donor), seed=seed).split()
        assert len(found) == length
        assert sum(word.startswith("d") for word in found) == count
        if length > count + 1:
            assert (found[0], found[-1]) == (words[0], words[-1])
        spot = [int(word[1:]) for word in found if word.startswith("d")]
        assert spot == list(range(spot[0], spot[0] + count))  # consecutive words of the donor


def test_text_without_spaces_is_spoilt_by_characters():
    found = degraded("我昨天在北京看到了他们", "明天下雨所以不去公园", seed=1)
    assert len(found) == 11 and found[0] == "我" and found[-1] == "们"


def test_tutorial_items_bring_their_texts():
    plan, _ = example_campaign()
    (screen,) = tutorial_screens(plan, {})
    assert (screen.segment, screen.role) == (None, "tutorial")
    assert tuple(slot.text for slot in screen.slots) == plan.tutorial[0].outputs
    assert screen.payload == {"number": 0, "source": plan.tutorial[0].source}


def test_a_pending_screen_of_another_campaign_is_refused():
    pending = [PlannedScreen("1", (Slot(("nobody",)),))]
    with pytest.raises(DataError, match="'nobody'"):
        choose_screens(make_plan(k=2), make_testset(), None, pending=pending, count=1, seed=1)
