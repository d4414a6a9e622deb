"""Do counts of agreeing labels equal those of looking at every pair of labels?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_rankings import rankings
from rankwise.agreement.judges.annotators import inter_agreement, intra_agreement
from rankwise.types import Judgments
from reference import annotators as slow

few = st.sampled_from("12")
screens = st.lists(
    rankings(systems=st.sampled_from("ABCD"), labels=few, columns=()), min_size=1, max_size=25
)


@pytest.mark.parametrize("compat", [None, "wmt"])
@given(screens, st.booleans())
def test_inter_and_intra_equal_the_slow_ones(compat, looks, expanded):
    judgments = Judgments.from_rankings(looks)
    whole = looks if expanded else [look.collapsed() for look in looks]
    items = slow.labelled(whole, mirrored=compat is None)
    inter = inter_agreement(judgments, compat=compat, expanded=expanded)
    assert slow.inter(items, own=compat == "wmt") == inter.totals
    intra = intra_agreement(judgments, compat=compat, expanded=expanded)
    assert slow.intra(items) == intra.totals


@given(screens)
def test_per_judge_equals_the_slow_one(looks):
    judgments = Judgments.from_rankings(looks)
    items = slow.labelled([look.collapsed() for look in looks], mirrored=True)
    inter, intra = inter_agreement(judgments), intra_agreement(judgments)
    for number, name in enumerate(judgments.judges):
        assert slow.with_judge(items, name) == tuple(inter.per_judge[number, :2].tolist())
        own = [look for look in looks if look.judge == name]
        alone = slow.intra(slow.labelled([look.collapsed() for look in own], mirrored=True))
        assert alone == tuple(intra.per_judge[number].tolist())
