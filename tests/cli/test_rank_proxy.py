"""``rankwise rank --proxy`` and ``next --proxy``: exact output, messages and exit codes."""

import json

import numpy as np
import pytest

import rankwise as rw
from archives import unpack
from rankwise.types import Judgments, Ranking, ScoreTable
from shared_data import needs_shared, shared

SYSTEMS = ("good", "bad")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Twelve of forty segments judged, in documents of two, and a metric that follows people."""
    random = np.random.default_rng(1)
    quality = random.normal(70, 10, (2, 40)) + np.array([[8.0], [0.0]])
    judged = (quality + random.normal(0, 5, (2, 40))).round(1)
    names = tuple(map(str, range(1, 41)))
    monkeypatch.chdir(tmp_path)
    rw.write_scores(ScoreTable(SYSTEMS, names, quality / 100, name="metric"), "metric.json")
    rw.write_scores(ScoreTable(("other",), names, quality[:1], name="metric"), "other.json")
    lines = ["annotator\tsystem\tseg\tkind\tscore\tqc"]
    for g in range(12):
        values = zip(SYSTEMS, judged[:, g], strict=True)
        lines += [f"ann\t{s}\t{g + 1}\tDA\t{v}\tTGT" for s, v in values]
    (tmp_path / "da.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "docs.tsv").write_text("".join(f"d{g // 2}\n" for g in range(40)), "utf-8")
    screens = [
        Ranking(names[g], "ann", SYSTEMS, (1, 2) if judged[0, g] > judged[1, g] else (2, 1))
        for g in range(12)
    ]
    rw.write_judgments(Judgments.from_rankings(screens), "screens.jsonl")
    return tmp_path


def test_the_table_and_the_plan(files, run):
    done = run("rank", "da.tsv", "--proxy", "metric.json", "--documents", "docs.tsv")
    assert done.exit_code == 0
    assert done.stdout == (
        "cluster  ranks   score     low    high   line   alone      ±  judgments  system\n"
        "      1  1      79.094  71.801  86.386  0.998  80.825  8.680         12  good\n"
        "-------------------------------------------------------------------------------\n"
        "      2  2      67.232  62.558  71.907         67.100  6.441         12  bad\n"
        "\n"
        "alone ±: by people alone\n"
        "\n"
        "judgments that intervals take\n"
        "\n"
        "of               ±  with metric  people alone  saved\n"
        "means        6.125           24            38   36 %\n"
        "             4.594            -            67\n"
        "             3.063            -           150\n"
        "differences  5.985           24            36   33 %\n"
        "             4.489            -            64\n"
        "             2.993            -           143\n"
        "\n"
        "correlation of metric with people: segment 0.72, output 0.75\n"
        "-: more than metric scored; so narrow intervals take more texts\n"
    )
    assert done.stderr == (
        "24 judgments, 1 judges, 12 segments, 6 documents, 40 scored segments, "
        "20 scored documents; mixed:average=segment:unit=judge+document:version=0.1.0 "
        "proxy:scores=metric:segment=89.29:output=76.7:folds=6 draws:runs=1000:seed=1:level=0.95\n"
        "one judge: nothing is known about how others would have judged\n"
        "6 documents were judged: intervals of fewer than 10 are wide, and hold a little less "
        "often than they say\n"
    )


def test_rankings_give_shares_of_wins(files, run):
    done = run("rank", "screens.jsonl", "--proxy", "metric.json", "--documents", "docs.tsv")
    assert done.exit_code == 0
    rows = done.stdout.splitlines()
    assert rows[1].split() == [
        "1", "1", "0.885", "0.669", "1.000", "0.995", "0.917", "0.149", "12", "good",
    ]  # fmt: skip
    assert "comparisons that intervals take" in done.stdout
    assert "win-shares:version=0.1.0 proxy:scores=metric:output=0.5185:folds=6" in done.stderr


def test_json_has_all_of_it(files, run):
    done = run("rank", "da.tsv", "--proxy", "metric.json", "--format", "json")
    found = json.loads(done.stdout)
    part = found["parts"][0]
    assert [row["system"] for row in found["rows"]] == ["good", "bad"]
    assert part["proxy"] == "metric"
    assert set(part["weights"]) == set(part["correlations"]) == {"segment", "output"}
    assert part["worth"]["means"] > 1
    assert [row["of"] for row in part["plan"]] == ["means"] * 3 + ["differences"] * 3
    assert part["plan"][0]["with proxy"] == 24
    assert part["pairwise"][0]["system"] == "good"
    assert "the judgments name no documents: segments stand for them" in part["notes"]


def test_tables_for_programs(files, run):
    done = run("rank", "da.tsv", "--proxy", "metric.json", "--format", "tsv")
    head, first, _ = done.stdout.splitlines()
    cells = dict(zip(head.split("\t"), first.split("\t"), strict=True))
    assert float(cells["low"]) < float(cells["score"]) < float(cells["high"])
    assert float(cells["alone"]) == pytest.approx(80.825)
    pairs = run("rank", "da.tsv", "--proxy", "metric.json", "--format", "tsv", "--pairwise")
    assert pairs.stdout.splitlines()[0] == "system\tother\tdifference\tp"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--proxy", "other.json"], 1, "are of other systems: people judged good, bad"),
        (["--proxy", "metric.json", "--proxy", "other.json"], 1, "a proxy is one metric"),
        (["--proxy", "none.json"], 1, "none.json: cannot be read"),
        (["--proxy", "metric.json", "--model", "mean"], 2, "--model has no use with --proxy"),
        (["--proxy", "metric.json", "--by", "judge"], 2, "--by has no use with --proxy"),
    ],
)
def test_what_does_not_go_together(files, run, arguments, code, sentence):
    done = run("rank", "da.tsv", *arguments)
    assert done.exit_code == code
    assert sentence in done.stderr
    assert done.stdout == ""


def test_which_segments_come_next(files, run):
    done = run("next", "da.tsv", "--proxy", "metric.json", "--documents", "docs.tsv", "--count", 3)
    assert done.exit_code == 0
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["segment", "metric", "document"]
    assert len({row.split()[2] for row in rows}) == 3
    assert all(int(row.split()[0]) > 12 for row in rows)
    assert done.stderr == (
        "3 segments of 40, by metric; seed=1\n"
        "means ± 6.13 now, ± 5.75 then (people alone ± 6.84); "
        "differences ± 5.99 now, ± 5.71 then (people alone ± 6.52)\n"
    )


def test_next_needs_no_judgments_with_a_proxy(files, run):
    done = run("next", "--proxy", "metric.json", "--count", "4", "--format", "tsv")
    assert len(done.stdout.splitlines()) == 5
    too_many = run("next", "--proxy", "metric.json", "--count", "41")
    assert too_many.exit_code == 1
    assert "41 segments are asked for; 40 of those that 'metric' scored" in too_many.stderr


@pytest.mark.parametrize("option", ["--k", "--floor"])
def test_what_is_about_screens_has_no_use_with_a_proxy(files, run, option):
    done = run("next", "--proxy", "metric.json", option, "3")
    assert done.exit_code == 2
    assert f"{option} has no use with --proxy, which chooses segments" in done.stderr
    assert "--documents goes with --proxy" in run("next", "--documents", "docs.tsv").stderr


@needs_shared
def test_the_best_metrics_of_wmt23_help_more_than_chrf(tmp_path, run):
    """A fifth of the MQM of English-German; people alone are the same in all."""
    unpack(shared("data/evalset/wmt23.tar.xz"), tmp_path)
    folder = tmp_path / "wmt23"
    people = rw.read_assessments(folder / "human-scores" / "en-de.mqm.merged.seg.rating")
    names = sorted({people.segments[code] for code in people.segment}, key=int)[::5]
    few = people.select(np.isin(np.array(people.segments)[people.segment], names))
    lines = (folder / "documents" / "en-de.docs").read_text("utf-8").splitlines()
    documents = {str(number): line for number, line in enumerate(lines, 1)}
    worth = {}
    for metric in ("chrF-refA", "XCOMET-XXL-refA", "Random-sysname-src"):
        table = rw.read_scores(folder / "metric-scores" / "en-de" / f"{metric}.seg.score")
        found = rw.rank_with_proxy(few, table, documents=documents)
        worth[metric] = (found.means.worth, found.differences.worth)
    chrf, xcomet, random = worth.values()
    assert xcomet[0] > max(1.2, chrf[0])
    assert xcomet[1] > max(1.05, chrf[1])
    assert random == pytest.approx((1, 1), abs=0.03)
