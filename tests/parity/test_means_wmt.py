"""Values at WMT21 to WMT24: official scores, clusters and numbers of wins."""

import csv
import gzip
from functools import cache

import numpy as np
import pytest

from rankwise import rank_assessments, read_assessments
from rankwise.io.value_files import placed
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
    board = rank_assessments(assessments, f"mean:normalise={normalise}", runs=1).board
    assert set(official) == set(board.systems)
    expected = [float(official[system][column]) for system in board.systems]
    np.testing.assert_allclose(board.scores, expected, atol=2e-5)


@pytest.mark.parametrize("name", PAIRS + WITH_EMPTY_CELLS)
def test_official_clusters(name):
    assessments, official = campaign(name)
    board = rank_assessments(assessments, recipe=name[:5]).board
    expected = [
        (int(official[name]["rank_from"]), int(official[name]["rank_to"])) for name in board.systems
    ]
    found = list(zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True))
    assert expected == found


@pytest.mark.parametrize("name", PAIRS)
def test_official_wins(name):
    """How many systems each is significantly better than, whatever the order of their means."""
    assessments, official = campaign(name)
    found = rank_assessments(assessments, recipe=name[:5])
    wins = (found.found.p_values < 0.05).sum(axis=1).tolist()
    expected = [int(official[system]["wins"]) for system in found.board.systems]
    assert wins == expected


def test_official_scores_of_wmt23():
    """Raw means of DA+SQM. What their test was done on is not published, only averages."""
    folder = "data/texts/wmt23/en-de"
    values = read_assessments(shared(f"{folder}/judgments.tsv.gz"), kind="DA+SQM")
    with shared(f"{folder}/systems.tsv").open(encoding="utf-8") as lines:
        official = {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}
    board = rank_assessments(values, recipe="wmt23").board
    expected = [float(official[system]["dasqm_raw"]) for system in board.systems]
    np.testing.assert_allclose(board.scores, expected)


@pytest.mark.parametrize("pair", ["en-cs", "en-ja"])
def test_official_averages_over_domains_of_wmt24(pair, tmp_path):
    """Waves 2 and 3, to the four decimals that were kept; the lines are of segments from 2."""
    folder = f"data/texts/wmt24/{pair}"
    places = {}
    with gzip.open(shared(f"{folder}/segments.tsv.gz"), "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            places[int(row["seg"])] = f"{row['domain']}\t{row['doc']}"
    documents = tmp_path / "documents.tsv"
    documents.write_text(
        "".join(places.get(n, "canary\tcanary") + "\n" for n in range(1, max(places) + 1)), "utf-8"
    )
    values = placed(read_assessments(shared(f"{folder}/judgments.tsv.gz")), documents)
    with shared(f"{folder}/systems.tsv").open(encoding="utf-8") as lines:
        official = {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}
    for model, column in (("segment", "esa_micro"), ("domain", "esa_macro_domain")):
        found = rank_assessments(values, f"mean:normalise=none:average={model}", runs=2)
        expected = [float(official[system][column]) for system in found.board.systems]
        np.testing.assert_allclose(found.board.scores, expected, atol=6e-5)
    by_recipe = rank_assessments(values, recipe="wmt24").board
    assert by_recipe.systems == found.board.systems


@pytest.mark.parametrize(("name", "kind"), [("wmt23/en-de", "MQM"), ("wmt23/he-en", "MQM")])
def test_official_mqm(name, kind):
    """Means of segments with the published weights."""
    folder = f"data/texts/{name}"
    values = read_assessments(shared(f"{folder}/judgments.tsv.gz"), kind=kind)
    with shared(f"{folder}/systems.tsv").open(encoding="utf-8") as lines:
        official = {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}
    found = rank_assessments(values, "mean:normalise=none", runs=2)
    expected = [float(official[system]["official_mqm"]) for system in found.board.systems]
    np.testing.assert_allclose(found.board.scores, expected)
    fair = rank_assessments(values)
    np.testing.assert_allclose(sorted(fair.board.scores), sorted(expected), rtol=1e-6)
