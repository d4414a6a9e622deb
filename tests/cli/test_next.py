"""``rankwise next``: exact output, the formats, and what is refused."""

import json
import statistics

import numpy as np
import pytest

import rankwise as rw
from rankwise.aggregate.asking.campaign_replay import replay_once
from rankwise.io import write_judgments
from rankwise.types import Judgments, Ranking


@pytest.fixture
def judgments(tmp_path):
    rankings = [
        Ranking(str(n), "ann", ("A", "B", "C"), (1, 2, 3) if n % 3 else (1, 3, 2))
        for n in range(30)
    ]
    path = tmp_path / "judgments.jsonl"
    write_judgments(Judgments.from_rankings(rankings), path)
    return path


def test_screens_as_tsv(judgments, run):
    done = run("next", judgments, "--k", 2, "--count", 3, "--format", "tsv")
    assert done.exit_code == 0
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert head == ["screen", "segment", "system1", "system2"]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert len({row[1] for row in rows}) == 3
    assert done.stderr == "3 screens after 30 rankings; clusters seed=1\n"


def test_screens_as_json(judgments, run):
    done = run("next", judgments, "--k", 3, "--count", 2, "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert [{row["system1"], row["system2"], row["system3"]} for row in rows] == [set("ABC")] * 2


def test_a_campaign_begins_without_judgments(run):
    systems = [word for name in "ABCD" for word in ("--system", name)]
    done = run("next", *systems, "--k", 4, "--count", 1, "--format", "tsv")
    assert done.exit_code == 0
    assert set(done.stdout.split("\n")[1].split("\t")[2:]) == set("ABCD")


def test_pending_screens_are_read_back(judgments, run, tmp_path):
    options = ("next", judgments, "--k", 2, "--count", 6, "--strategy", "information")
    asked = run(*options, "--format", "tsv").stdout
    path = tmp_path / "pending.tsv"
    path.write_text(asked, encoding="utf-8")
    later = run(*options, "--format", "tsv", "--pending", path)
    assert later.exit_code == 0
    taken = {line.split("\t")[1] for line in asked.splitlines()[1:]}
    assert not taken & {line.split("\t")[1] for line in later.stdout.splitlines()[1:]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "pending.tsv:1: expected the columns screen, segment, system1"),
        ("screen\tsegment\tsystem1\n1\t1\tA\n", "pending.tsv:2: a screen of 1 systems"),
        ("screen\tsegment\tsystem1\tsystem2\n1\t1\tA\tX\n", "a pending screen shows 'X'"),
    ],
)
def test_a_wrong_list_of_pending_screens_is_one_line(judgments, run, tmp_path, text, message):
    path = tmp_path / "pending.tsv"
    path.write_text(text, encoding="utf-8")
    done = run("next", judgments, "--k", 2, "--pending", path)
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--k", "4"], 1, "screens of 4 systems are asked for, but there are 3 systems"),
        (["--system", "A"], 1, "screens of 2 systems are asked for, but there are 1 systems"),
        (["--strategy", "best"], 1, "unknown strategy 'best'; choose from clusters"),
        (["--count", "-1"], 2, "Invalid value for '--count'"),
    ],
)
def test_what_cannot_be_asked_is_one_line(judgments, run, options, code, message):
    done = run("next", judgments, *options)
    assert done.exit_code == code
    assert message in done.stderr
    assert done.stdout == ""


def test_a_screen_shows_all_systems_where_there_are_fewer_than_five(judgments, run):
    done = run("next", judgments, "--count", 1, "--format", "tsv")
    assert done.stdout.splitlines()[0].split("\t")[2:] == ["system1", "system2", "system3"]
    many = [word for name in "ABCDEF" for word in ("--system", name)]
    done = run("next", *many, "--count", 1, "--format", "tsv")
    assert done.stdout.splitlines()[0].split("\t")[-1] == "system5"


def test_nothing_given_is_wrong_usage(run):
    done = run("next")
    assert done.exit_code == 2
    assert "give judgments, or the systems" in done.stderr


# -- finished campaigns --------------------------------------------------------------------------


@pytest.fixture
def finished(tmp_path):
    """A is clearly the best; B is a little better than C."""
    random = np.random.default_rng(1)
    rankings = []
    for number in range(300):
        quality = np.round(np.array([2.0, 0.4, 0.0]) + random.gumbel(size=3), 1)
        rankings.append(Ranking(str(number), "ann", ("A", "B", "C"), tuple((-quality).tolist())))
    path = tmp_path / "finished.jsonl"
    write_judgments(Judgments.from_rankings(rankings), path)
    return path


def test_a_finished_campaign_is_asked_again(finished, run):
    done = run("next", "--replay", finished, "--runs", 3, "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert done.stderr == "3 systems in 3 clusters after all 900 judgments; 3 runs, seed=1\n"
    judgments = rw.read_judgments(finished)
    for row, strategy in zip(rows, ("uniform", "clusters"), strict=True):
        curves = [replay_once(judgments, strategy, seed=seed) for seed in (1, 2, 3)]
        assert row["strategy"] == strategy
        assert row["clusters found"] == statistics.median(curve.first for curve in curves)
        assert row["clusters kept"] == statistics.median(curve.kept for curve in curves)
        assert row["order kept"] == statistics.median(curve.ordered for curve in curves)
    assert rows[1]["ratio"] == rows[1]["clusters found"] / rows[0]["clusters found"]


def test_uniform_is_not_compared_with_itself(finished, run):
    done = run("next", "--replay", finished, "--strategy", "uniform", "--runs", 1, "--k", 3)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["strategy", "uniform"]
    assert done.stderr == "3 systems in 3 clusters after all 300 screens; 1 runs, seed=1\n"


def test_a_replay_takes_no_other_judgments(finished, run):
    done = run("next", finished, "--replay", finished)
    assert done.exit_code == 2
    assert "--replay asks a finished campaign alone: leave out the rest" in done.stderr
