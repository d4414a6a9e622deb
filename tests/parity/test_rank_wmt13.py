"""``rankwise rank`` on WMT13 French-English: figures and the shares that the original has."""

import numpy as np
import pytest

from rankwise.aggregate.models.self_selected import selected_pairs
from rankwise.aggregate.ranker import Ranker
from rankwise.agreement.judges.annotators import inter_agreement
from rankwise.evaluate.ranking.human_parts import parts
from rankwise.evaluate.ranking.human_ranking import with_counts
from rankwise.io import read_judgments
from shared_data import needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def judgments():
    return read_judgments(shared("data/rankings/wmt13_fr-en_train.csv.gz"))


def neighbours(places, left, right):
    return float((np.abs(places[left] - places[right]) == 1).mean())


@pytest.mark.parametrize(
    ("model", "last"),
    # The original with beta = N / 80, and the same with the paper's beta, half of that: 18.8 % and
    # 22.0 % of the last fifth are between neighbours, 15.7 % of the first, 15.2 % of the data.
    [("trueskill:selection=paper:beta=code:draw_probability=0.25", 0.188),
     ("trueskill:selection=paper:beta=paper:draw_probability=0.25", 0.220)],
)  # fmt: skip
def test_late_matches_are_between_neighbours_a_little_more_often(judgments, model, last):
    ranker = Ranker(model=model, runs=5)
    board = ranker.board(judgments)
    chosen = selected_pairs(judgments, ranker.parsed)
    places = np.array([board.systems.index(name) for name in chosen.systems])
    fifth = len(chosen) // 5
    left, right = chosen.left, chosen.right
    assert neighbours(places, left[:fifth], right[:fifth]) == pytest.approx(0.157, abs=0.008)
    assert neighbours(places, left[-fifth:], right[-fifth:]) == pytest.approx(last, abs=0.008)
    pairs = judgments.pairs()
    places = np.array([board.systems.index(name) for name in judgments.systems])
    assert neighbours(places, pairs.left, pairs.right) == pytest.approx(0.152, abs=0.001)


def test_every_comparison_is_counted(judgments):
    (part,) = parts(judgments)
    ranking = with_counts(part, Ranker(runs=5).board(judgments))
    assert np.triu(ranking.compared, 1).sum() == judgments.pair_count == 99960
    assert part.name == "French-English"


def test_researchers_agree_more_than_the_crowd(judgments):
    # Bojar et al. (2013), section 3.2: inter-annotator agreement of researchers is higher.
    researchers, crowd = (
        inter_agreement(judgments.where(judges=f"{kind}_*"), compat="wmt")
        for kind in ("researcher", "turker")
    )
    assert researchers.kappa > crowd.kappa
