"""All agreement figures that WMT15 published, to the last digit, from the published judgments."""

import json

import pytest

from rankwise.agreement.judges.annotators import inter_agreement, intra_agreement
from rankwise.io import read_judgments
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
