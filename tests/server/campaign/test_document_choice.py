"""Documents and systems that follow the scores: cold start, floor, goals, chances, speed."""

import time
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from rankwise import DataError
from rankwise.aggregate.asking.score_posterior import DocumentScores, score_posterior
from rankwise.aggregate.asking.score_screens import best_systems, score_screen
from rankwise.aggregate.asking.strategies import Clusters
from rankwise.server.campaign.ask.chooser import choose_screens
from rankwise.server.campaign.ask.document_choice import cold_documents
from rankwise.server.campaign.launch.check_list import check
from rankwise.server.store.judging.queue import judges_of
from rankwise.types import Assessments, Segment, TestSet
from server.campaign.made import make_plan

DOMAINS = ("news", "news", "news", "talk", "novel")


def plan(**keys):
    return make_plan(**{"protocol": "esa", "k": 3, **keys})


def texts(systems=6, documents=40):
    segments = tuple(
        Segment(str(n), "x", document=f"d{n}", domain=DOMAINS[n % 5]) for n in range(documents)
    )
    outputs = {f"s{s}": tuple(f"{s} {n}" for n in range(documents)) for s in range(systems)}
    return TestSet(segments, outputs)


def scores(quality, documents, *, noise=5.0, seed=1):
    random = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        hard = random.normal(0, 8)
        for system, mean in enumerate(quality):
            value = mean + hard + random.normal(0, noise)
            rows.append((f"s{system}", str(document), f"j{document % 4}", "TGT", value))
    names = np.array([row[1] for row in rows], object)
    return Assessments.from_rows(rows, info={"document": names})


def systems_of(screen):
    return {slot.systems[0] for slot in screen.slots}


def test_the_cold_start_covers_domains_in_proportion():
    domains = ["news"] * 30 + ["talk"] * 9 + ["novel"]
    found = cold_documents(domains, 8, 3)
    assert Counter(domains[place] for place in found) == {"news": 5, "talk": 2, "novel": 1}
    assert len({domains[place] for place in found[:3]}) == 3
    assert cold_documents(["news"], 8, 3) == [0]


def test_first_every_system_is_judged_on_the_same_documents():
    found = choose_screens(plan(cold_start=4), texts(), None, count=9, seed=1)
    cold = [screen for screen in found if screen.strategy == "clusters (cold start)"]
    assert len(cold) == 8
    shown = Counter((s.segment, name) for s in cold for name in systems_of(s))
    assert set(shown.values()) == {1}
    assert len(shown) == 4 * 6
    assert cold[0].probability == pytest.approx(1 / comb(6, 3))
    assert cold[1].probability == 1.0  # the other three


def test_the_floor_holds_without_a_cold_start():
    found = choose_screens(plan(cold_start=0, coverage_floor=2), texts(), None, count=4, seed=1)
    assert all(screen.strategy == "clusters (floor)" for screen in found)
    assert set(Counter(name for s in found for name in systems_of(s)).values()) == {2}


QUALITY = (90, 80, 79.5, 60, 50, 49.5)


@pytest.mark.parametrize(
    ("strategy", "wanted"),
    [
        ("clusters:explore=0:top=2", {"s1", "s2"}),
        ("clusters:explore=0:system=s4", {"s4", "s5"}),
    ],
)
def test_what_is_asked_is_what_the_plan_wants_to_know(strategy, wanted):
    chosen = plan(k=2, strategy=strategy, cold_start=0)
    found = choose_screens(chosen, texts(), scores(QUALITY, 12), count=5, seed=1)
    assert [systems_of(screen) for screen in found] == [wanted] * 5
    assert all(screen.strategy == strategy for screen in found)


def test_no_settled_boundary_is_asked_about():
    chosen = plan(k=2, strategy="clusters:explore=0", cold_start=0)
    found = choose_screens(chosen, texts(), scores(QUALITY, 12), count=30, seed=1)
    asked = Counter(frozenset(systems_of(screen)) for screen in found)
    assert set(asked) <= {frozenset({"s1", "s2"}), frozenset({"s4", "s5"})}


def test_documents_are_new_to_the_systems_and_of_all_domains():
    chosen = plan(k=2, strategy="clusters:explore=0:top=2", cold_start=0)
    found = choose_screens(chosen, texts(), scores(QUALITY, 10), count=20, seed=1)
    numbers = [int(screen.segment) for screen in found]
    assert min(numbers) >= 10
    assert len(set(numbers)) == 20
    domains = Counter(DOMAINS[number % 5] for number in numbers)
    assert domains == {"news": 12, "talk": 4, "novel": 4}


def test_chances_of_all_sets_add_up_and_are_those_of_the_draws():
    known = score_posterior(DocumentScores.of(scores(QUALITY, 8), tuple(f"s{n}" for n in range(6))))
    strategy = Clusters(explore=0.3)
    best = set(best_systems(strategy, known, 3))
    random = np.random.default_rng(1)
    drawn = [score_screen(strategy, known, 3, random) for _ in range(2000)]
    chances = {frozenset(systems): chance for systems, chance in drawn}
    assert len(chances) == len(list(combinations(range(6), 3)))
    assert sum(chances.values()) == pytest.approx(1.0)
    share = np.mean([set(systems) == best for systems, _ in drawn])
    assert share == pytest.approx(chances[frozenset(best)], abs=0.03)


def test_one_column_goes_to_a_system_in_doubt():
    chosen = plan(k=1, strategy="clusters:explore=0", cold_start=0)
    found = choose_screens(chosen, texts(), scores(QUALITY, 12), count=8, seed=1)
    assert {name for s in found for name in systems_of(s)} <= {"s1", "s2", "s4", "s5"}


def test_the_same_column_judged_twice_counts_once():
    rows = [("A", "1", "ann", "TGT", 60.0), ("A", "1", "bob", "TGT", 70.0)]
    found = DocumentScores.of(Assessments.from_rows([*rows, ("B", "1", "ann", "TGT", 50.0)]))
    assert found.copies.tolist() == [2, 2, 1]


def test_intervals_of_the_means_hold_the_truth():
    inside = []
    for seed in range(40):
        known = score_posterior(DocumentScores.of(scores(QUALITY, 20, seed=seed)))
        gap = (known.mean[:, None] - known.mean) - (np.array(QUALITY)[:, None] - QUALITY)
        inside.append(np.abs(gap) <= 1.96 * np.sqrt(known.variances))
    rows, columns = np.triu_indices(6, 1)
    assert 0.90 <= np.array(inside)[:, rows, columns].mean() <= 0.99


def test_a_goal_that_names_no_system_is_refused_before_launch():
    found = check(plan(strategy="clusters:system=nobody"), texts())
    assert "no-such-system" in {one.code for one in found.findings if one.level == "error"}
    with pytest.raises(DataError, match="expected one of them"):
        plan(strategy="clusters:top=3:system=s1")


def test_a_share_of_the_screens_gets_a_second_judge():
    chosen = plan(redundancy=1.2)
    screens = choose_screens(chosen, texts(), None, count=400, seed=1)
    judges = judges_of(chosen, screens)
    assert set(judges) == {1, 2}
    assert 50 <= judges.count(2) <= 110
    assert judges_of(plan(redundancy=2), screens) == [2] * 400


def test_choosing_takes_milliseconds_with_many_systems_and_documents():
    testset = texts(20, 500)
    judged = scores(np.linspace(60, 90, 20), 60)
    chosen = plan(strategy="clusters", cold_start=0)
    choose_screens(chosen, testset, judged, count=1, seed=1)  # the looks of the test set are kept
    spent = []
    for count in (1, 41):
        begun = time.process_time()
        choose_screens(chosen, testset, judged, count=count, seed=2)
        spent.append(time.process_time() - begun)
    assert (spent[1] - spent[0]) / 40 < 0.05


def test_added_documents_leave_the_cold_start_where_it_is():
    few, many = texts(documents=30), texts(documents=40)
    asked = choose_screens(plan(cold_start=4), few, None, count=8, seed=1)
    assert len({screen.segment for screen in asked}) == 4
    half = asked[:5]
    begun = {screen.segment for screen in half}
    assert len(begun) == 3
    rest = choose_screens(plan(cold_start=4), many, None, pending=half, count=3, seed=2)
    assert begun < {screen.segment for screen in half + rest}
    assert len({screen.segment for screen in half + rest}) == 4
    assert all(screen.strategy == "clusters (cold start)" for screen in rest)


def test_a_system_that_comes_later_has_the_same_cold_start():
    few, more = texts(systems=6), texts(systems=7)
    asked = choose_screens(plan(cold_start=4), few, None, count=8, seed=1)
    late = choose_screens(plan(cold_start=4), more, None, pending=asked, count=4, seed=2)
    assert all(screen.strategy == "clusters (cold start)" for screen in late)
    assert {screen.segment for screen in late} == {screen.segment for screen in asked}
    assert all("s6" in systems_of(screen) for screen in late)
