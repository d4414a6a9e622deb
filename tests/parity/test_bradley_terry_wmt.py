"""Bradley-Terry on the WMT13 French-English judgments, against an independent estimate."""

import json

import numpy as np
import pytest

from rankwise.aggregate import BradleyTerry
from shared_data import needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def golden():
    return json.loads(shared("golden/trueskill.json").read_text())["deterministic"]


def test_strengths_without_ties(golden):
    wins = np.array(golden["wins_matrix_row_beats_column"])
    ties = np.array(golden["ties_matrix"])
    strengths = BradleyTerry(ties="drop").scores(wins, ties)
    expected = [golden["bradley_terry_mle_ties_dropped"][name] for name in golden["systems"]]
    np.testing.assert_allclose(strengths, expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["davidson", "rao-kupper", "half"])
def test_every_treatment_of_ties_gives_the_order_of_table_1_but_for_near_ties(golden, kind):
    wins, ties = (np.array(golden[key]) for key in ("wins_matrix_row_beats_column", "ties_matrix"))
    model = BradleyTerry(ties=kind)
    strengths, deviations = model.scores(wins, ties), model.deviations(wins, ties)
    table = np.array([golden["paper_table1"][name] for name in golden["systems"]])
    for i, j in zip(*np.nonzero(table[:, None] > table), strict=True):
        assert strengths[i] > strengths[j] - 2 * np.hypot(deviations[i], deviations[j])
