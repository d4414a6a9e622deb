"""Direct assessment at WMT21 and WMT22: official scores, clusters and numbers of wins."""

import csv
import gzip
from functools import cache

import numpy as np
import pytest

from rankwise.aggregate.means import rank_assessments
from rankwise.types import Assessments
from shared_data import needs_shared, shared

pytestmark = needs_shared

PAIRS = ["wmt21/ja-en", "wmt21/ru-en", "wmt22/cs-en", "wmt22/zh-en"]
# Their official means count cells "0 0" that have no judgment behind them: 1 and 65 of them.
WITH_EMPTY_CELLS = ["wmt21/is-en", "wmt22/de-en"]


@cache
def campaign(name):
    folder = f"data/texts/{name}"
    with gzip.open(shared(f"{folder}/judgments.tsv.gz"), "rt", encoding="utf-8") as lines:
        rows = [
            (row["system"], row["seg"], row["annotator"], row["qc"], float(row["score"]))
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["kind"] == "DA"
        ]
    with shared(f"{folder}/systems.tsv").open(encoding="utf-8") as lines:
        official = {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}
    return Assessments.from_rows(rows), official


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(("normalise", "column"), [("judge", "da_z"), ("none", "da_raw")])
def test_official_scores(name, normalise, column):
    assessments, official = campaign(name)
    board = rank_assessments(assessments, normalise=normalise, runs=1)
    assert set(official) == set(board.systems)
    expected = [float(official[system][column]) for system in board.systems]
    np.testing.assert_allclose(board.scores, expected, atol=2e-5)


@pytest.mark.parametrize("name", PAIRS + WITH_EMPTY_CELLS)
def test_official_clusters(name):
    assessments, official = campaign(name)
    board = rank_assessments(assessments, separate="rank-sum")
    expected = [
        (int(official[name]["rank_from"]), int(official[name]["rank_to"])) for name in board.systems
    ]
    found = list(zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True))
    assert expected == found
