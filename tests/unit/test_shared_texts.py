"""Systems that shared a text are found again where an expanded file forgot them."""

import random

import pytest

from rankwise.agreement.judges.annotators import inter_agreement
from rankwise.agreement.judges.shared_texts import with_shared_texts
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.io import read_judgments, write_judgments
from rankwise.types import Judgments, Ranking


def forgotten(*looks):
    """Rankings of one segment each: names and ranks as texts, judges ann and bob in turn."""
    return Judgments.from_rankings(
        Ranking(segment, judge, tuple(names), tuple(map(int, ranks)))
        for segment, judge, names, ranks in looks
    )


#: A full screen of single texts, so that the rankings look like those of WMT.
FIVE = ("0", "ann", "ABCDE", "12345")


def texts(judgments):
    return [ranking.outputs for ranking in with_shared_texts(judgments)]


def test_neighbours_with_one_rank_shared_a_text_where_the_screen_says_so():
    # Six systems, two of them equal: five texts only if these share one.
    assert texts(forgotten(FIVE, ("1", "ann", "ABCDFG", "123455"))) == [None, (0, 1, 2, 3, 4, 4)]


def test_what_one_judge_tells_apart_was_two_texts():
    # ann ties A and B as well as F and G, bob only F and G: of segment 1 these share a text.
    seen = forgotten(FIVE, ("1", "ann", "ABCDFG", "112344"), ("1", "bob", "FGABCD", "112345"))
    assert texts(seen)[1:] == [(0, 1, 2, 3, 4, 4), (0, 0, 1, 2, 3, 4)]


def test_systems_of_a_text_keep_their_order():
    # F before G for certain in segment 1; G before F in segment 2 is a tie of two texts.
    seen = forgotten(FIVE, ("1", "ann", "ABCDFG", "123455"), ("2", "ann", "ABCDEGF", "1122344"))
    # 2: A+B, C+D and E, G, F remain: five texts
    assert texts(seen)[2] == (0, 0, 1, 1, 2, 3, 4)


def test_a_full_screen_has_five_texts_and_the_usual_pair_is_kept():
    seen = forgotten(
        FIVE,
        ("1", "ann", "ABCDFG", "123455"),
        ("2", "ann", "HBCDFG", "123455"),
        ("3", "ann", "ABCDFG", "112344"),  # A=B or F=G: six systems, one text shared
    )
    assert texts(seen)[3] == (0, 1, 2, 3, 4, 4)


@pytest.mark.parametrize(
    "looks",
    [
        [("1", "ann", "ABCDEF", "112345")],  # no screen of five: six may be what was shown
        [FIVE, ("1", "ann", "ABCDEFGH", "12345678")],  # more than five texts for certain
        [FIVE, ("1", "ann", "ABCDE", "11111")],  # never more than five systems
    ],
)
def test_other_rankings_stay_what_they_are(looks):
    seen = forgotten(*looks)
    assert with_shared_texts(seen) is seen


def test_texts_that_are_named_are_believed():
    seen = Judgments.from_rankings(
        [
            Ranking("0", "ann", tuple("ABCDE"), (1, 2, 3, 4, 5)),
            Ranking("1", "ann", tuple("ABCDFG"), (1, 1, 2, 3, 3, 4), outputs=(0, 0, 1, 2, 3, 4)),
        ]
    )
    assert with_shared_texts(seen) is seen


def campaign(seed):
    """Screens of five texts among those of twelve systems, of which some wrote the same."""
    draw = random.Random(seed)
    systems = [f"s{number}" for number in draw.sample(range(12), 12)]
    for segment in range(150):
        groups = {}
        for system in systems:
            groups.setdefault(draw.choice([*range(30), *[0] * 6, *[1] * 4]), []).append(system)
        for judge in draw.sample(["ann", "bob", "cem", "dan"], draw.choice([1, 2, 3])):
            shown = draw.sample(list(groups.values()), min(5, len(groups)))
            ranks = [min(5, max(1, round(draw.gauss(1 + int(g[0][1:]) / 3, 1)))) for g in shown]
            yield Ranking(
                str(segment),
                judge,
                tuple(name for group in shown for name in group),
                tuple(r for group, r in zip(shown, ranks, strict=True) for _ in group),
                outputs=tuple(n for n, group in enumerate(shown) for _ in group),
            )


@pytest.mark.parametrize("seed", range(3))
def test_both_files_of_a_made_campaign_give_one_answer(seed, tmp_path):
    truth = Judgments.from_rankings(campaign(seed))
    collapsed, expanded = tmp_path / "collapsed.csv", tmp_path / "expanded.csv"
    write_judgments(truth, collapsed, format="wmt-pairwise", collapsed=True)
    write_judgments(truth, expanded, format="wmt-pairwise")
    known, found = (judge_agreement(read_judgments(path)) for path in (collapsed, expanded))
    assert known.inter.counts.kappa == inter_agreement(truth).kappa
    assert found.inter.counts.kappa == pytest.approx(known.inter.counts.kappa, abs=0.01)
    assert found.inter.alpha == pytest.approx(known.inter.alpha, abs=0.01)
    naive = inter_agreement(read_judgments(expanded), expanded=True).kappa
    assert naive > found.inter.counts.kappa + 0.1
    assert (known.found_texts, found.found_texts > 50) == (0, True)
