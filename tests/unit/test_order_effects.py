"""Position bias and consistency: worked out by hand, and found where they are put in."""

import math

import numpy as np
import pytest

from rankwise import Judgments, Ranking, order_effects


def effects(*looks):
    seen = [Ranking(segment, "m", tuple(systems), ranks) for segment, systems, ranks in looks]
    return order_effects(Judgments.from_rankings(seen))


def test_each_place_is_counted_without_ties():
    found = effects(("1", "ABC", (1, 2, 2)), ("2", "BCA", (2, 1, 3)))
    assert [(share.count, share.total) for share in found.places] == [(3, 4), (2, 3), (0, 3)]


def test_both_orders_of_a_pair():
    alike, first, tie = (1, 2), (1, 2), (1, 1)
    found = effects(
        ("1", "AB", alike),
        ("1", "BA", (2, 1)),
        ("2", "AB", first),
        ("2", "BA", first),
        ("3", "AB", tie),
        ("3", "BA", tie),
    )
    assert (found.swapped.count, found.swapped.total) == (2, 3)
    assert found.repeated.total == 0 and math.isnan(found.repeated.value)


def test_repeats_in_the_same_order():
    looks = [("1", "AB", ranks) for ranks in ((1, 2), (1, 2), (2, 1))]
    found = effects(*looks)
    assert (found.repeated.count, found.repeated.total) == (1, 3)


def test_a_shared_text_is_one_place():
    ranking = Ranking("1", "m", ("A", "B", "C"), (1, 1, 2), outputs=(0, 0, 1))
    found = order_effects(Judgments.from_rankings([ranking]))
    assert [(share.count, share.total) for share in found.places] == [(1, 1), (0, 1)]


def test_skipped_screens_say_nothing():
    found = effects(("1", "AB", (None, None)))
    assert found.places == () and repr(found) == "<OrderEffects: first place preferred nan>"


def test_wilson_of_independent_looks():
    looks = [(str(n), "AB", (1, 2) if n < 8 else (2, 1)) for n in range(10)]
    first = effects(*looks).places[0]
    assert (first.low, first.high) == pytest.approx((0.4902, 0.9433), abs=2e-2)


def test_all_alike_is_not_taken_for_certain():
    looks = [("1", "AB", (1, 2))] * 50
    first = effects(*looks).places[0]
    assert first.value == 1 and first.low < 0.3  # one segment, however often it is asked about


@pytest.mark.parametrize("bias", [0.5, 0.65])
def test_intervals_hold_the_bias_that_was_put_in(bias):
    random = np.random.default_rng(3)
    inside = 0
    for _ in range(200):
        looks = []
        for segment in range(40):
            share = np.clip(bias + random.normal(0, 0.15), 0, 1)  # looks at one segment agree
            for _ in range(5):
                ranks = (1, 2) if random.random() < share else (2, 1)
                looks.append((str(segment), "AB", ranks))
        first = effects(*looks).places[0]
        inside += first.low <= bias <= first.high
    assert 180 <= inside <= 200


def test_a_table_for_people_and_programs():
    found = effects(("1", "AB", (1, 2)), ("1", "BA", (2, 1)))
    assert "place 1 preferred" in str(found) and "alike in the other order" in str(found)
    assert found.to_dict()["rows"][0]["value"] == 0.5


def test_a_place_of_which_nothing_is_known_has_no_row():
    ties = [Ranking(str(n), "m", ("A", "B"), (1, 1), screen=f"m{n}") for n in range(3)]
    assert str(order_effects(Judgments.from_rankings(ties))) == "what  value  low  high"
