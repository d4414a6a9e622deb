"""Agreement of judges: values worked out by hand, undefined cases with their reasons."""

import math

import numpy as np
import pytest

from rankwise.agreement.judges.annotators import (
    WmtKappa,
    inter_agreement,
    intra_agreement,
    preference_alpha,
)
from rankwise.agreement.judges.judge_labels import labels, one_item_per_text
from rankwise.agreement.judges.judge_pairs import pair_kappas
from rankwise.agreement.judges.kappa import cohen_kappa
from rankwise.errors import DataError
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.types import Judgments, Ranking


def judgments(*looks):
    return Judgments.from_rankings(
        Ranking(segment, judge, tuple(names), ranks, **options)
        for segment, judge, names, ranks, options in (
            (*look, {}) if len(look) == 4 else look for look in looks
        )
    )


# Segment 1: ann A>B, bob A>B (mirrored), cem A=B; segment 2: ann A>B twice.
LOOKS = judgments(
    ("1", "ann", "AB", (1, 2)),
    ("1", "bob", "BA", (2, 1)),
    ("1", "cem", "AB", (1, 1)),
    ("2", "ann", "AB", (1, 2)),
    ("2", "ann", "BA", (2, 1)),
)


def test_inter_by_hand():
    found = inter_agreement(LOOKS)
    # ann-bob agree, ann-cem and bob-cem do not; 1 of 5 labels is a tie
    assert found.totals == (1, 3, 1, 5)
    assert found.observed == pytest.approx(1 / 3)
    assert found.expected == pytest.approx(0.2**2 + 2 * 0.4**2)
    assert found.kappa == pytest.approx((1 / 3 - 0.36) / 0.64)
    assert found.reason == ""
    by_judge = dict(zip(found.judges, found.per_judge.tolist(), strict=True))
    assert by_judge == {"ann": [1, 2, 1, 5], "bob": [1, 2, 1, 5], "cem": [0, 2, 1, 5]}


def test_the_historic_rule_by_hand():
    # Only ann and cem had A first in segment 1; ann's repeat in segment 2 was mirrored.
    assert inter_agreement(LOOKS, compat="wmt").totals == (0, 1, 1, 5)
    repeated = judgments(("1", "ann", "AB", (1, 2)), ("1", "ann", "AB", (1, 2)))
    assert inter_agreement(repeated, compat="wmt").totals == (1, 1, 0, 2)
    assert inter_agreement(repeated).totals == (0, 0, 0, 2)


def test_intra_by_hand():
    found = intra_agreement(LOOKS)
    assert found.totals == (1, 1, 0, 2)
    assert found.kappa == 1.0
    assert found.per_judge.tolist() == [[1, 1, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert intra_agreement(LOOKS, compat="wmt").totals == (0, 0, 0, 0)


def test_segments_of_two_language_pairs_are_different():
    looks = [
        Ranking("1", judge, ("A", "B"), (1, 2), source_language=source, target_language="en")
        for judge, source in (("ann", "de"), ("bob", "fr"))
    ]
    assert inter_agreement(Judgments.from_rankings(looks)).comparable == 0


def test_rows_add_up_over_segments():
    found = inter_agreement(LOOKS)
    assert found.rows.tolist() == [[1, 3, 1, 3], [0, 0, 0, 2]]
    assert WmtKappa().score(found.rows.sum(axis=0)) == found.kappa
    stacked = WmtKappa().score(found.rows)
    assert stacked.shape == (2,) and np.isnan(stacked[1])


@pytest.mark.parametrize(
    ("function", "looks", "reason"),
    [
        (inter_agreement, [("1", "ann", "AB", (1, 2))], "no two texts were compared by two judges"),
        (intra_agreement, [("1", "ann", "AB", (1, 2))], "no judge compared the same two texts"),
        (inter_agreement, [("1", "ann", "AB", (None, None))], "no two texts were compared"),
        (inter_agreement, [], "no two texts were compared"),
        (
            inter_agreement,
            [("1", "ann", "AB", (1, 1)), ("1", "bob", "AB", (2, 2))],
            "every label is a tie",
        ),
    ],
)
def test_undefined_is_nan_with_a_reason(function, looks, reason):
    found = function(judgments(*looks))
    assert math.isnan(found.kappa)
    assert reason in found.reason


def test_systems_that_share_a_text_are_one_text():
    looks = judgments(
        ("1", "ann", "ABC", (1, 1, 2), {"outputs": (0, 0, 1)}),
        ("1", "bob", "CBA", (2, 1, 1), {"outputs": (0, 1, 1)}),
    )
    assert inter_agreement(looks).totals == (1, 1, 0, 2)
    # C against A and B, and A against B, which are one text
    assert inter_agreement(looks, expanded=True).totals == (3, 3, 2, 6)
    assert inter_agreement(looks, compat="wmt").totals == (0, 0, 0, 2)


def test_one_item_per_text_is_what_collapsing_one_by_one_gives():
    looks = judgments(
        ("1", "ann", "ABCD", (1, 1, 2, 1), {"outputs": (0, 0, 1, 0)}),
        ("1", "bob", "DABC", (1, 1, 1, 2), {"outputs": (0, 0, 0, 1)}),
        ("2", "bob", "BA", (1, 1), {"outputs": (0, 0)}),
    )
    found = one_item_per_text(looks)
    one_by_one = [look.collapsed() for look in looks]
    assert [look.ranks for look in one_by_one] == [look.ranks for look in found]
    assert found.system[0] == found.system[2] != found.system[4]
    ordered = one_item_per_text(looks, any_order=False)
    assert ordered.system[0] != ordered.system[2]


def test_alpha_of_preferences_by_hand():
    # Two judges, four pairs of texts: equal on three. Seen from both sides there are 8 units; of
    # 16 values 6 are +1, 6 are -1 and 4 are ties, and 2 units disagree.
    looks = [("1", "AB", (1, 2), (1, 2)), ("2", "AB", (2, 1), (2, 1)), ("3", "AB", (1, 1), (1, 1))]
    looks += [("4", "AB", (1, 2), (1, 1))]
    found = judgments(
        *((s, j, n, r) for s, n, *two in looks for j, r in zip("xy", two, strict=True))
    )
    observed = 2 * 2
    expected = 16**2 - 5**2 - 5**2 - 6**2
    assert preference_alpha(found) == pytest.approx(1 - 15 * observed / expected)


def test_alpha_leaves_out_repeats_between_judges_and_keeps_them_within():
    assert preference_alpha(judgments(("1", "ann", "AB", (1, 2)))) != preference_alpha(LOOKS)
    again = judgments(("1", "ann", "AB", (1, 2)), ("1", "ann", "BA", (2, 1)))
    assert math.isnan(preference_alpha(again))
    assert preference_alpha(again, kind="intra") == 1.0


def test_what_is_refused():
    with pytest.raises(DataError, match="unknown compat 'wmt99'; choose from wmt"):
        inter_agreement(LOOKS, compat="wmt99")
    with pytest.raises(DataError, match="unknown kind 'both'; choose from inter, intra"):
        preference_alpha(LOOKS, kind="both")
    with pytest.raises(DataError, match="unknown level 'ratio'"):
        preference_alpha(LOOKS, level="ratio")


def test_labels_number_items_from_zero():
    found = labels(LOOKS)
    assert found.item.tolist() == [0, 0, 0, 1, 1]
    assert found.sign.tolist() == [1, 1, 0, 1, 1]
    assert found.segment_of.tolist() == [0, 1]


# -- two judges ------------------------------------------------------------------------------------


def test_cohen_of_two_judges_by_hand():
    # ann and bob agree on 1; ann and cem, bob and cem do not: one says better, the other equal.
    found = pair_kappas(LOOKS)
    judges = [
        (found.judges[one], found.judges[other])
        for one, other in zip(found.first.tolist(), found.second.tolist(), strict=True)
    ]
    assert judges == [("ann", "bob"), ("ann", "cem"), ("bob", "cem")]
    assert found.shared.tolist() == [1, 1, 1]
    assert found.kappa.tolist() == [1.0, 0.0, 0.0]
    assert judge_agreement(LOOKS, samples=2).inter.cohen == pytest.approx(1 / 3)
    assert math.isnan(judge_agreement(LOOKS, samples=2).intra.cohen)


def test_cohen_of_two_judges_is_that_of_their_lists():
    random = np.random.default_rng(1)
    table = random.integers(-1, 2, (3, 40))  # judges by segments
    table[1, :20] = table[0, :20]
    looks = [
        (str(segment), judge, "AB", (1, 1 + table[number, segment]))
        for number, judge in enumerate(("ann", "bob", "cem"))
        for segment in range(40 - 5 * number)
    ]
    found = pair_kappas(judgments(*looks))
    for one, other, shared, kappa in zip(
        found.first, found.second, found.shared, found.kappa, strict=True
    ):
        size = 40 - 5 * max(one, other)
        lists = [np.concatenate([table[k, :size], -table[k, :size]]) for k in (one, other)]
        assert (shared, kappa) == (size, pytest.approx(cohen_kappa(*lists)))
    assert found.mean == pytest.approx(np.average(found.kappa, weights=[35, 30, 30]))


def test_judges_who_share_nothing_have_no_cohen():
    apart = judgments(("1", "ann", "AB", (1, 2)), ("2", "bob", "AB", (1, 2)))
    ties = judgments(("1", "ann", "AB", (1, 1)), ("1", "bob", "AB", (1, 1)))
    assert len(pair_kappas(apart).kappa) == 0
    assert np.isnan(pair_kappas(ties).kappa).tolist() == [True]
    assert math.isnan(pair_kappas(apart).mean)
    assert math.isnan(pair_kappas(ties).mean)
