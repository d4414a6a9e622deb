"""One model ranks where none is named, and it holds where most pairs of systems never met."""

import inspect
import itertools
import random

import numpy as np
import pytest
from click.testing import CliRunner

import rankwise as rw
from rankwise.aggregate import MODELS
from rankwise.aggregate.ranker import Ranker
from rankwise.cli import cli
from rankwise.present.report.report_making import ReportOptions
from rankwise.server.campaign.standings.boards import RANKING_MODELS
from rankwise.types import Judgments, Ranking
from rankwise.types.defaults import USUAL_MODEL


def test_every_way_to_rank_begins_with_the_same_model():
    judgments = rw.example().judgments
    named = f"{USUAL_MODEL}:"
    assert rw.rank(judgments, runs=5).signature.startswith(named)
    assert Ranker(runs=5).board(judgments).signature.startswith(named)
    assert Ranker().name == ReportOptions().ranker.name == RANKING_MODELS[0] == USUAL_MODEL
    assert USUAL_MODEL in MODELS
    assert inspect.signature(rw.rank).parameters["model"].default is None
    for function in (rw.predict, rw.prediction_curve):
        assert inspect.signature(function).parameters["model"].default == USUAL_MODEL


@pytest.mark.parametrize("command", ["rank", "report", "meta"])
def test_help_names_the_usual_model(command):
    shown = " ".join(CliRunner().invoke(cli, [command, "--help-all"]).output.split())
    if "No such option" in shown:
        shown = " ".join(CliRunner().invoke(cli, [command, "--help"]).output.split())
    assert f"[default: {USUAL_MODEL}]" in shown


def every_pair_once(systems=20):
    """Every two systems meet once and the one with the smaller number wins."""
    names = [f"s{number:02}" for number in range(systems)]
    return Judgments.from_rankings(
        Ranking(str(n), "ann", pair, (1, 2))
        for n, pair in enumerate(itertools.combinations(names, 2))
    )


def outside(model):
    """The share of systems whose score lies outside the interval of its own resamples."""
    board, runs = Ranker(model, runs=400).board_and_runs(every_pair_once())
    low, high = np.nanquantile(runs, [0.025, 0.975], axis=0)
    return np.mean((board.scores < low - 1e-9) | (board.scores > high + 1e-9))


def test_scores_lie_in_their_own_intervals():
    """Expected Wins counts the third of the pairs that a resample lacks as lost for both."""
    assert outside("expected-wins") > 0.5
    assert outside(None) == 0


def test_systems_that_never_met_are_not_counted_as_lost():
    """A strong system that met two others, and a weaker one that met all."""
    draw = random.Random(1)
    names = [f"s{number}" for number in range(8)]
    pairs = [(a, b) for a, b in itertools.combinations(names, 2) if a != "s0" or b in ("s1", "s2")]
    looks = []
    for n, (a, b) in enumerate(pairs * 40):
        ahead = int(b[1:]) - int(a[1:])
        is_right = draw.random() < 1 / (1 + np.exp(-0.4 * ahead))
        looks.append(Ranking(str(n), "ann", (a, b), (1, 2) if is_right else (2, 1)))
    judgments = Judgments.from_rankings(looks)
    assert rw.rank(judgments, runs=50).systems[0] == "s0"
    assert rw.rank(judgments, "expected-wins", runs=50).systems[-1] == "s0"
