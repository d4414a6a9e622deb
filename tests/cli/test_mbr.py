"""``rankwise mbr``: exact output, messages and exit codes."""

import json

import pytest

import rankwise


@pytest.fixture(autouse=True)
def candidates(tmp_path, monkeypatch):
    (tmp_path / "n-best.txt").write_text("a b\na b c d\n\nx\nx y\nx y\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_matrix_per_segment(run):
    done = run("mbr", "--matrix", "n-best.txt", "-m", "wer")
    # Row against column: "a b" lacks two of four words, "a b c d" has two more than two.
    assert done.stdout == (
        "segment 1: wer\n\n        1      2\n1    0.00  50.00\n2  100.00   0.00\n\n"
        "segment 2: wer\n\n        1      2      3\n1    0.00  50.00  50.00\n"
        "2  100.00   0.00   0.00\n3  100.00   0.00   0.00\n\n"
    )
    assert done.stderr == f"wer:lowercase=false:version={rankwise.__version__}:nrefs=1\n"


def test_a_matrix_for_programs(run):
    arguments = ("mbr", "--matrix", "n-best.txt", "-m", "wer")
    lines = run(*arguments, "--format", "tsv").stdout.splitlines()
    assert lines[:4] == [
        "segment\tcandidate\treference\twer",
        "1\t1\t1\t0.0",
        "1\t1\t2\t50.0",
        "1\t2\t1\t100.0",
    ]
    found = json.loads(run(*arguments, "--format", "json").stdout)
    assert found["segments"][0] == {"segment": 1, "wer": [[0.0, 50.0], [100.0, 0.0]]}
    assert list(found["signatures"]) == ["wer"]


def test_minimum_bayes_risk(run):
    arguments = ("mbr", "n-best.txt", "-m", "wer")
    # Mean errors: 25 against 50; 33.3 against twice 33.3, and the first of equals wins.
    assert run(*arguments).stdout == "a b\nx\n"
    table = run(*arguments, "--format", "tsv").stdout.splitlines()
    assert table[:2] == ["segment\tcandidate\twer\ttext", "1\t1\t25.0\ta b"]
    found = json.loads(run(*arguments, "--format", "json").stdout)
    assert found["segments"][0]["expected"] == [25.0, 50.0]
    assert (found["segments"][1]["candidate"], found["segments"][1]["text"]) == (1, "x")


def test_candidates_by_number(run):
    done = run("mbr", "n-best.txt", "-m", "wer", "--size", 3, "--format", "json")
    first, second = json.loads(done.stdout)["segments"]
    # The blank line is a candidate: all against it is an error of 100.
    assert first["expected"] == pytest.approx([150 / 3, 200 / 3, 200 / 3])
    assert second["text"] == "x"
    wrong = run("mbr", "n-best.txt", "--size", 4)
    assert wrong.exit_code == 1
    assert "n-best.txt has 6 lines; expected a multiple of 4" in wrong.stderr


def test_no_candidates(candidates, run):
    (candidates / "empty.txt").touch()
    assert json.loads(run("mbr", "--matrix", "empty.txt", "--format", "json").stdout) == {
        "segments": [],
        "signatures": json.loads(
            run("mbr", "--matrix", "n-best.txt", "--format", "json").stdout
        )["signatures"],
    }  # fmt: skip


def test_the_suffix_says_the_format(candidates, run):
    assert run("mbr", "n-best.txt", "-m", "wer", "-o", "best.tsv").exit_code == 0
    assert (candidates / "best.tsv").read_text("utf-8").startswith("segment\tcandidate\twer\t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument"),
        (["n-best.txt", "--format", "latex"], "mbr prints text, tsv, json"),
        (["n-best.txt", "-o", "x.csv"], "-o x.csv: the suffix must be one of .tsv, .json, or say"),
    ],
)
def test_wrong_usage(run, arguments, message):
    done = run("mbr", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
