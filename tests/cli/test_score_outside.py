"""Metrics of other packages on the command line: with sources, and without any reference."""

import json
from pathlib import Path

import pytest

import rankwise


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path, monkeypatch, toys) -> list:
    """A source, a reference and two systems; gives the batches that toy metrics compute."""
    write(tmp_path / "src.txt", "aaaa", "bbbb bbbb", "cc")
    write(tmp_path / "ref.txt", "one two.", "three four.", "five.")
    write(tmp_path / "good.txt", "aaaa.", "bbbb bbbb.", "cc.")
    write(tmp_path / "bad.txt", "aa", "bbb", "c")
    write(tmp_path / "docs.txt", "d1", "d1", "d2")
    monkeypatch.chdir(tmp_path)
    return toys


RATIO = f"ratio:power=1.0:version={rankwise.__version__}"


def test_quality_is_estimated_without_references(texts, run):
    done = run("score", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio", "--resamples", 0)
    assert done.stdout == "system   ratio\ngood    1.0000*\nbad     0.4444\n"
    assert done.stderr == f"{RATIO.replace(':version', ':package=toy_metrics:version')}\n"


def test_intervals_clusters_and_tests_come_for_free(texts, run):
    names = ("-m", "ratio:power=2", "--baseline", "bad", "--format", "json")
    done = run("score", "-s", "src.txt", "good.txt", "bad.txt", *names)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert [row["system"] for row in found["rows"]] == ["good", "bad"]
    assert 0 < found["rows"][0]["ratio:power=2.0 p"] < 0.2  # of three segments


def test_an_output_alone_is_enough(texts, run):
    done = run("score", "good.txt", "bad.txt", "-m", "fluency", "--segments")
    assert [line.split("\t")[-1] for line in done.stdout.splitlines()[1:4]] == ["1.0", "0.0", "1.0"]


def test_beside_metrics_that_need_references(texts, run):
    options = ("-m", "f1", "-m", "all", "--resamples", 0, "--format", "tsv")
    done = run("score", "-r", "ref.txt", "-s", "src.txt", "good.txt", "bad.txt", *options)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[0].split("\t")[:3] == ["system", "f1", "all"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (
            ("good.txt", "-m", "ratio"),
            1,
            "rankwise: ratio needs sources, and there are none; give --source with text files, or "
            "a test set that has them\n",
        ),
        (
            ("-r", "ref.txt", "good.txt", "-m", "all", "-m", "ratio"),
            1,
            "rankwise: all needs sources, and there are none; give --source with text files, or a "
            "test set that has them\n",
        ),
        (
            ("good.txt", "-m", "fluency", "-m", "bleu"),
            2,
            "give --reference and output files, or --testset: bleu needs references\n",
        ),
        (("good.txt",), 2, "give --reference and output files"),
        (("good.txt", "-m", "repeats"), 1, "repeats needs documents, and there are none"),
        (("good.txt", "-m", "nothing"), 1, "unknown metric 'nothing'; choose from all, beer"),
        (("good.txt", "-m", "ratio:size=1"), 1, "metric 'ratio' has no option 'size'"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_computed(texts, run, arguments, code, sentence):
    done = run("score", *arguments)
    assert sentence in done.stderr
    assert done.exit_code == code
    assert not texts


def test_documents_are_given_whole(texts, run):
    done = run("score", "good.txt", "--documents", "docs.txt", "-m", "repeats", "--resamples", 0)
    assert done.exit_code == 0, done.stderr
    assert [batch.documents for batch in texts] == [["d1", "d1", "d2"]]


def test_a_report_without_references(texts, run, tmp_path):
    done = run("report", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio", "-o", "page.html")
    assert done.exit_code == 0, done.stderr
    assert "ratio" in Path("page.html").read_text("utf-8")


def test_two_systems_are_compared_without_references(texts, run):
    done = run("compare", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio")
    assert done.exit_code == 0, done.stderr
    assert "ratio" in done.stdout


def test_metrics_without_references_are_compared_with_people(texts, run):
    rows = [("good", 1, 90), ("good", 2, 80), ("good", 3, 95), ("bad", 1, 20), ("bad", 2, 30)]
    lines = [f"{segment}\t{system}\t{score}" for system, segment, score in [*rows, ("bad", 3, 10)]]
    write(Path("human.tsv"), "segment\tsystem\tscore", *lines)
    options = ("--human", "human.tsv", "-m", "ratio", "--measure", "accuracy")
    done = run("meta", "-s", "src.txt", "good.txt", "bad.txt", *options)
    assert done.exit_code == 0, done.stderr
    assert "ratio (rankwise)" in done.stdout


def test_scores_that_are_missing_are_told_without_texts_too(texts, run):
    Path("gemba.txt").write_text("{'minor': ['x']}\nNone\n{}\n", encoding="utf-8")
    done = run("score", "--scores", "gemba.txt", "--resamples", "0")
    assert done.stdout == "system  gemba-mqm\ngemba     -0.5000*\n"
    assert done.stderr.startswith("gemba-mqm: 1 of 3 scores are missing\n")


def test_groups_by_length_need_references(texts, run):
    done = run("score", "-s", "src.txt", "good.txt", "-m", "ratio", "--by", "length")
    assert done.stderr == "rankwise: segment '1' has no length; expected one for each\n"


def test_candidates_are_chosen_by_the_source(texts, run):
    write(Path("n-best.txt"), "a", "aaa", "", "bb", "bbbb", "bbb")
    write(Path("two.txt"), "aaaa", "bbbb")
    done = run("mbr", "n-best.txt", "-m", "ratio", "-s", "two.txt")
    assert done.stdout == "aaa\nbbbb\n"
    assert done.stderr == f"{RATIO.replace(':version', ':package=toy_metrics:version')}\n"
    matrix = run("mbr", "n-best.txt", "-m", "ratio", "-s", "two.txt", "--matrix", "--format", "tsv")
    assert matrix.stdout.splitlines()[1:3] == ["1\t1\t1\t0.25", "1\t1\t2\t0.25"]


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (("aaaa",), "has 1 line, but there are more segments"),
        (("a", "b", "c"), "has 3 lines, but there are candidates for 2 segments"),
    ],
)
def test_sources_of_candidates_are_counted(texts, run, sources, said):
    write(Path("n-best.txt"), "a", "aaa", "", "bb")
    write(Path("some.txt"), *sources)
    done = run("mbr", "n-best.txt", "-m", "ratio", "-s", "some.txt")
    assert done.stderr.startswith(f"rankwise: some.txt {said}; expected a line for every segment")
    done = run("mbr", "n-best.txt", "-m", "ratio")
    assert "ratio needs --source, a line for every segment" in done.stderr


# -- batches and kept scores -----------------------------------------------------------------------

SCORED = ("score", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio", "--resamples", 0)


def test_the_second_run_computes_nothing(texts, run):
    first = run(*SCORED)
    assert sum(map(len, texts)) == 6
    texts.clear()
    assert run(*SCORED) == first
    assert not texts


def test_every_command_uses_what_another_kept(texts, run):
    run(*SCORED)
    texts.clear()
    run("compare", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio")
    run("report", "-s", "src.txt", "good.txt", "bad.txt", "-m", "ratio", "-o", "page.html")
    assert not texts


def test_without_the_cache_everything_is_computed(texts, run):
    run(*SCORED, "--no-cache")
    texts.clear()
    run(*SCORED, "--no-cache")
    assert sum(map(len, texts)) == 6
    assert run("cache", "show", "--format", "json").stdout.count('"ratio') == 0


def test_the_size_of_batches(texts, run):
    run(*SCORED, "--batch-size", 4)
    assert [len(batch) for batch in texts] == [4, 2]
    assert "Invalid value for '--batch-size'" in run(*SCORED, "--batch-size", 0).stderr


def test_kept_scores_are_shown_limited_and_forgotten(texts, run, tmp_path):
    place = tmp_path / "cache" / "scores.sqlite"
    run(*SCORED)
    shown = run("cache", "show")
    assert shown.stdout.splitlines()[0].split() == ["metric", "scores", "last", "used"]
    assert shown.stdout.splitlines()[1].split()[:3] == [
        f"ratio:power=1.0:package=toy_metrics:version={rankwise.__version__}",
        "toy",
        "6",
    ]
    assert shown.stderr.startswith(f"{place}: ")
    assert shown.stderr.endswith("KB of at most 1.1 GB\n")
    assert run("cache", "limit", "2GB").stdout.endswith("KB of at most 2.0 GB\n")
    assert run("cache", "limit", "much").stderr.startswith("rankwise: found the size 'much'")
    assert run("cache", "clear", "-m", "comet").stdout == "0 scores forgotten\n"
    assert run("cache", "clear").stdout == "6 scores forgotten\n"


def test_a_cache_that_cannot_be_used_is_said(texts, run, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    done = run(*SCORED)
    assert done.exit_code == 1
    assert "--no-cache does without them" in done.stderr
    assert not texts
    assert run(*SCORED, "--no-cache").exit_code == 0


def test_all_metrics_are_listed(texts, run):
    lines = run("metrics", "--format", "tsv").stdout.splitlines()
    assert lines[0] == "metric\tpackage\twhat it is\toptions"
    [ratio] = [line for line in lines if line.startswith("ratio")]
    assert ratio.split("\t") == [
        "ratio",
        "toy_metrics",
        "The length of the output by that of the source, at most 1: quality without references.",
        "power",
    ]
    assert any(line.startswith("bleu\trankwise\t") for line in lines)
