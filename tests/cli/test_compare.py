"""``rankwise compare``: what it prints for which inputs, and what it says of bad ones."""

import csv
import io
import json

import numpy as np
import pytest

from evalset_folders import make_evalset

REFERENCES = ["the cat sat", "the dog sat down", "rain rain rain"]
A = ["the cat sat", "the dog sat", "rain rain"]
B = ["a cat sat", "the dog sat down", "snow rain"]
HUMAN = "system\tsegment\tscore\na\t1\t90\nb\t1\t70\na\t2\t50\nb\t2\t60\n"


@pytest.fixture(autouse=True)
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"a": A, "b": B, "ref": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "docs.tsv").write_text("news\td1\nnews\td1\ntalk\td2\n")
    (tmp_path / "human.tsv").write_text(HUMAN)


FILES = ("a.txt", "b.txt", "-r", "ref.txt", "--documents", "docs.tsv", "-m", "wer")


TABLES = """\
metric      a      b  difference  interval  p  won-tied-lost  needed  finds
wer     20.00  30.00      -10.00  -         -          2-0-1       -      -

difference: a minus b; won-tied-lost counts segments as a sees them
of wer less is better

F1 of words by frequency and by length in characters

kind       words  wanted      a      b  difference  interval  p
frequency  1           3   80.0  100.0       -20.0  -         -
frequency  2-4         7   92.3   72.7       +19.6  -         -
---------------------------------------------------------------
length     2-3         6  100.0   90.9        +9.1  -         -
length     4-6         4   66.7   57.1        +9.5  -         -

N-grams that one gets and the other does not

n-gram            words  wanted  a  b     z
the cat sat           3       1  1  0  +1.0
rain rain             2       2  1  0  +1.0
the cat               2       1  1  0  +1.0
rain                  1       3  2  1  +1.0
the                   1       2  2  1  +1.0
-------------------------------------------
the dog sat down      4       1  0  1  -1.0
dog sat down          3       1  0  1  -1.0
sat down              2       1  0  1  -1.0
down                  1       1  0  1  -1.0

wanted: in the references; z: (a - b) / sqrt(a + b) of the matches one has alone

Segments that differ most

segment  which       text
1        difference  wer -33.3
         reference   the cat sat
         a           the cat sat
         b           a cat sat
"""


def test_all_tables(run):
    done = run("compare", *FILES, "--resamples", 0, "--segments", 1)
    assert (done.exit_code, done.stdout) == (0, TABLES)
    assert done.stderr.startswith("wer:")


def test_tests_and_what_they_mean(run):
    done = run("compare", *FILES, "--resamples", 100, "--show", "differences", "--show", "groups")
    assert "paired bootstrap, 100 draws, seed 12345" in done.stdout
    assert "needed: segments like these that tell the two apart (p < 0.05) in 80" in done.stdout
    assert "domain  talk" in done.stdout


def test_json_has_everything(run):
    done = run("compare", *FILES, "--human", "human.tsv", "--resamples", 100, "--format", "json")
    found = json.loads(done.stdout)
    assert found["systems"] == ["a", "b"]
    assert [row["metric"] for row in found["rows"]] == ["wer", "human"]
    assert found["rows"][1]["difference"] == 5
    assert {row["group"] for row in found["groups"]} >= {"news", "talk"}
    assert found["words"][0]["words"] == "1"
    assert found["segments_listed"][0]["text b"] == "a cat sat"
    assert found["signatures"]["wer"].startswith("wer:")


def test_one_table_for_programs(run):
    done = run("compare", *FILES, "--format", "csv", "--show", "segments", "--sort", "wer")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["segment"] for row in rows] == ["1", "3", "2"]
    assert [row["domain"] for row in rows] == ["news", "talk", "news"]


def test_what_is_compared_and_what_is_listed(run):
    options = ("--format", "json", "--resamples", 0)
    talk = json.loads(run("compare", *FILES, *options, "--domain", "talk").stdout)
    assert talk["rows"][0]["segments"] == 1
    listed = json.loads(run("compare", *FILES, *options, "--difference", "wer=1..").stdout)
    assert listed["rows"][0]["segments"] == 3
    assert [row["segment"] for row in listed["segments_listed"]] == ["2"]
    scored = json.loads(run("compare", *FILES, *options, "--score", "wer=0..0").stdout)
    assert {row["segment"] for row in scored["segments_listed"]} == {"1", "2"}


def test_systems_of_an_evalset_are_named(tmp_path, run):
    folder, pair, one, two = make_small_evalset(tmp_path)
    done = run("compare", one, two, "-t", folder, "--language-pair", pair, "-m", "chrf",
               "--format", "json", "--resamples", 20)  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["systems"] == [one, two]


def test_a_file_of_mine_meets_a_system_of_an_evalset(tmp_path, run):
    folder, pair, one, two = make_small_evalset(tmp_path)
    mine = tmp_path / "mine.txt"
    mine.write_text((folder / "system-outputs" / pair / f"{two}.txt").read_text())
    options = ("-t", folder, "--language-pair", pair, "-m", "chrf", "--format", "json",
               "--resamples", 0)  # fmt: skip
    known = json.loads(run("compare", one, two, *options).stdout)["rows"][0]["difference"]
    for given, name in ((mine, "mine"), (f"Our system={mine}", "Our system")):
        done = run("compare", one, given, *options)
        assert done.exit_code == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["systems"] == [one, name]
        assert found["rows"][0]["difference"] == known


def test_human_scores_without_names_of_segments_follow_what_is_compared(tmp_path, run):
    folder, pair, one, two = make_small_evalset(tmp_path)
    files = ("compare", one, two, "-t", folder, "--language-pair", pair)
    options = ("--format", "json", "--resamples", 0)
    done = run(*files, *options, "--document", "doc1")  # four segments, of which one has no score
    assert done.exit_code == 0, done.stderr
    assert "nowhere else" not in done.stdout + done.stderr
    human = {row["metric"]: row for row in json.loads(done.stdout)["rows"]}["mqm"]
    values = {}
    for line in (folder / f"human-scores/{pair}.mqm.seg.score").read_text().splitlines():
        name, value = line.split("\t")
        values.setdefault(name, []).append(float("nan") if value == "None" else float(value))
    means = [np.nanmean(values[name][4:8]) for name in (one, two)]
    assert human["difference"] == pytest.approx(means[0] - means[1])


def make_small_evalset(tmp_path):
    folder = make_evalset(tmp_path)
    outputs = sorted((folder / "system-outputs" / "en-de").glob("*.txt"))
    names = [path.stem for path in outputs if not path.stem.startswith("ref")]
    return folder, "en-de", names[0], names[1]


def test_systems_of_scores_are_named(run):
    done = run("compare", "a", "b", "--scores", "human.tsv", "--format", "tsv", "--resamples", 0)
    assert done.exit_code == 0
    head, row = (line.split("\t") for line in done.stdout.splitlines())
    assert row[:4] == ["human", "70.0", "65.0", "5.0"]
    assert head[:4] == ["metric", "a", "b", "difference"]


def test_counts_of_words(tmp_path, run):
    (tmp_path / "counts.txt").write_text("  5000 the\ncat\t2\n   3 cat\n")
    done = run("compare", *FILES, "--counts", "counts.txt", "--format", "json", "--resamples", 0)
    rows = [row for row in json.loads(done.stdout)["words"] if row["kind"] == "frequency"]
    assert [(row["words"], row["wanted"]) for row in rows] == [("0", 7), ("5-9", 1), ("1000+", 2)]
    (tmp_path / "counts.txt").write_text("one two three\n")
    done = run("compare", *FILES, "--counts", "counts.txt")
    expected = "rankwise: counts.txt:1: expected a word and its count, got 'one two three'\n"
    assert (done.exit_code, done.stderr) == (1, expected)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("a.txt", "b.txt"), "give -r REFERENCE with two output files, or --testset or --scores"),
        ((*FILES, "-t", "x"), "give either --testset, or --reference and output files"),
        ((*FILES, "--words", "5"), "--words 5: expected LOW..HIGH, like 5..20, 5.. or ..20"),
        ((*FILES, "--score", "wer"), "--score wer: expected METRIC=LOW..HIGH, like chrf=-5..5"),
        ((*FILES, "-o", "x.csv", "--show", "words", "--show", "ngrams"), "csv holds one table"),
    ],
)
def test_wrong_usage(run, options, sentence):
    done = run("compare", *options)
    assert done.exit_code == 2
    assert sentence in done.stderr.replace("\n", " ")


def test_a_system_that_is_not_there(run):
    done = run("compare", "a", "x", "--scores", "human.tsv")
    assert done.exit_code == 1
    assert done.stderr.endswith("rankwise: there is no system 'x'; choose from a, b\n")
