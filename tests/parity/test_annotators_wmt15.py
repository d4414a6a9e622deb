"""All agreement figures that WMT15 published, to the last digit, from the published judgments."""

import json

import pytest

from rankwise.agreement.judges.annotators import inter_agreement, intra_agreement
from rankwise.agreement.judges.shared_texts import with_shared_texts
from rankwise.io import read_judgments, write_judgments
from shared_data import needs_shared, shared

pytestmark = needs_shared

CODES = {
    "Czech": "ces", "English": "eng", "Finnish": "fin", "French": "fre", "German": "deu",
    "Russian": "rus",
}  # fmt: skip
PAIRS = [
    pair for name in CODES if name != "English" for pair in (f"{name}-English", f"English-{name}")
]
FUNCTIONS = {"inter": inter_agreement, "intra": intra_agreement}


@pytest.fixture(scope="module")
def published():
    return json.loads(shared("golden/wmt15.json").read_text())["agreement"]["official"]


def test_there_are_forty_figures(published):
    keys = {
        f"wmt15/{way}/{kind}/{pair}"
        for way in ("collapsed", "expanded")
        for kind in FUNCTIONS
        for pair in PAIRS
    }
    assert sorted(published) == sorted(keys)
    assert len(keys) == 40


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("way", ["collapsed", "expanded"])
def test_the_historic_rule_gives_the_published_figures(published, pair, way):
    source, target = (CODES[name] for name in pair.split("-"))
    judgments = read_judgments(shared(f"data/rankings/{way}/wmt15.{source}-{target}.csv.gz"))
    for kind, function in FUNCTIONS.items():
        found = function(judgments, compat="wmt", expanded=way == "expanded")
        printed = {
            "pA": round(found.observed, 3),
            "pE": round(found.expected, 3),
            "kappa": round(found.kappa, 3),
            "agree": found.identical,
            "comparable": found.comparable,
            "ties": found.ties,
            "total": found.labels,
        }
        assert published[f"wmt15/{way}/{kind}/{pair}"] == printed


def test_mirrored_pairs_about_double_what_is_compared():
    judgments = read_judgments(shared("data/rankings/collapsed/wmt15.eng-ces.csv.gz"))
    historic = intra_agreement(judgments, compat="wmt").comparable
    assert 1.8 < intra_agreement(judgments).comparable / historic < 2.1


@pytest.mark.parametrize("pair", PAIRS)
def test_both_forms_of_the_files_give_one_answer(pair):
    """The collapsed files name the texts that the expanded ones forgot."""
    source, target = (CODES[name] for name in pair.split("-"))
    collapsed, expanded = (
        read_judgments(shared(f"data/rankings/{way}/wmt15.{source}-{target}.csv.gz"))
        for way in ("collapsed", "expanded")
    )
    texts = {ranking.screen: ranking.outputs for ranking in collapsed}
    found = [
        texts.get(r.screen) == r.outputs for r in with_shared_texts(expanded) if r.screen in texts
    ]
    assert sum(found) > 0.985 * len(found)
    for function, allowed in ((inter_agreement, 0.0012), (intra_agreement, 0.004)):
        assert function(collapsed).kappa == pytest.approx(function(expanded).kappa, abs=allowed)
        forgotten = function(expanded, expanded=True).kappa
        assert forgotten > function(expanded).kappa + 0.08


def test_wmt13_gives_one_answer_in_either_form(tmp_path):
    """The rankings of 2013 were made by system: five each, none of them joined."""
    rankings = read_judgments(shared("data/rankings/wmt13_fr-en_train.csv.gz"))
    for collapsed in (False, True):
        path = tmp_path / f"{collapsed}.csv"
        write_judgments(rankings, path, format="wmt-pairwise", collapsed=collapsed)
        again = read_judgments(path)
        assert inter_agreement(again).totals == inter_agreement(rankings).totals
        assert intra_agreement(again).totals == intra_agreement(rankings).totals
