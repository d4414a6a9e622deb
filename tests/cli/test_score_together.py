"""Systems under the names one wants, beside those of a known set, with scores of other tools."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from evalset_folders import make_evalset


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path, monkeypatch) -> Path:
    """A reference of three lines and two systems in the current folder."""
    write(tmp_path / "ref.txt", "the cat sat", "it is raining", "dogs bark")
    write(tmp_path / "one.txt", "the cat sat", "it rains", "dogs bark")
    write(tmp_path / "two.txt", "cat", "it is raining", "a dog")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(done) -> dict[str, dict]:
    assert done.exit_code == 0, done.stderr
    return {row["system"]: row for row in json.loads(done.stdout)["rows"]}


F1 = ("-m", "f1", "--resamples", 0, "--format", "json")


# -- names -----------------------------------------------------------------------------------------


def test_a_file_is_called_as_it_is_given(texts, run):
    plain = rows(run("score", "-r", "ref.txt", "one.txt", "two.txt", *F1))
    named = rows(run("score", "-r", "ref.txt", "Our system=one.txt", "two.txt", *F1))
    assert named["Our system"]["f1"] == plain["one"]["f1"]
    assert set(named) == {"Our system", "two"}


def test_a_file_with_an_equals_sign_in_its_name_is_that_file(texts, run):
    write(texts / "beam=5.txt", "the cat sat", "it is raining", "dogs bark")
    assert set(rows(run("score", "-r", "ref.txt", "beam=5.txt", *F1))) == {"beam=5"}


def test_two_systems_of_one_name_are_refused(texts, run):
    done = run("score", "-r", "ref.txt", "A=one.txt", "A=two.txt")
    assert done.stderr == (
        "rankwise: one.txt and two.txt would both be output 'A'; give one of them as NAME=FILE\n"
    )
    write(texts / "names.tsv", "one\tB", "two\tB")
    done = run("score", "-r", "ref.txt", "one.txt", "two.txt", "--names", "names.tsv")
    assert done.stderr == (
        "rankwise: systems 'one' and 'two' would both be called 'B'; expected different names\n"
    )


def test_a_file_of_names(texts, run):
    write(texts / "names.tsv", "one\tOurs", "", "gone\tNobody")
    given = ("-r", "ref.txt", "one.txt", "two.txt", "--names", "names.tsv")
    done = run("score", *given, "-m", "f1", "--baseline", "Ours", "--exclude", "two")
    assert "1 system; a paired test needs two" in done.stderr
    done = run("score", *given, "-m", "f1", "--resamples", 0)
    assert "Ours" in done.stdout and "one" not in done.stdout
    assert done.stderr.startswith("names: no system is called gone\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["one"], "names.tsv:1: found 'one'; expected a name, a tab, a new name"),
        (["one\tA", "one\tB"], "names.tsv:2: 'one' is named a second time; expected one new name"),
        (["other\tA"], "no system is called 'other'; there are one"),
    ],
)
def test_a_wrong_file_of_names_is_one_sentence(texts, run, lines, message):
    write(texts / "names.tsv", *lines)
    done = run("score", "-r", "ref.txt", "one.txt", "--names", "names.tsv")
    assert (done.exit_code, done.stderr) == (1, f"rankwise: {message}\n")


def test_names_hold_for_texts_scores_and_people_alike(texts):
    write(texts / "names.tsv", "one\tA", "two\tB")
    write(texts / "comet.tsv", "system\tseg\tscore", *(f"{s}\t1\t0.5" for s in ("one", "two")))
    judgments = rw.Judgments.from_rankings([rw.Ranking("1", "ann", ("one", "two"), (1, 2))])
    rw.write_judgments(judgments, texts / "j.jsonl")
    study = rw.read_study(
        outputs=["one.txt", "two.txt"],
        references=["ref.txt"],
        scores=["comet.tsv"],
        human="comet.tsv",
        judgments=["j.jsonl"],
        names="names.tsv",
    )
    assert study.texts.systems == ("A", "B")
    assert study.scores["comet"].segments.systems == ("A", "B")
    assert study.human.segments.systems == ("A", "B")
    assert study.judgments.systems == ("A", "B")


def test_names_of_meta_and_report(texts, run):
    write(texts / "names.tsv", "one\tOurs")
    judgments = rw.Judgments.from_rankings([rw.Ranking("1", "ann", ("one", "two"), (1, 2))] * 3)
    rw.write_judgments(judgments, texts / "j.jsonl")
    given = ("-r", "ref.txt", "one.txt", "Theirs=two.txt", "--names", "names.tsv")
    done = run("report", *given, "--resamples", 20, "-o", "page.html")
    assert done.exit_code == 0, done.stderr
    page = (texts / "page.html").read_text()
    assert "Ours" in page and "Theirs" in page
    write(texts / "both.tsv", "one\tOurs", "two\tTheirs")
    given = ("-r", "ref.txt", "one.txt", "two.txt", "--names", "both.tsv")
    assert run("meta", "-j", "j.jsonl", *given, "-m", "f1").exit_code == 0


# -- beside a known set ----------------------------------------------------------------------------


def test_my_system_stands_beside_those_of_a_test_set(texts, run):
    folder = make_evalset(texts / "wmt")
    outputs = folder / "system-outputs" / "en-de"
    lines = (outputs / "heron.txt").read_text().splitlines()
    write(texts / "mine.txt", *lines)
    given = ("-t", "wmt", "--language-pair", "en-de", *F1)
    alone, beside = rows(run("score", *given)), rows(run("score", *given, "mine.txt"))
    assert set(beside) == {*alone, "mine"}
    assert {name: beside[name] for name in alone} == alone
    assert beside["mine"]["f1"] == alone["heron"]["f1"]


def test_my_system_in_a_report(texts, run):
    make_evalset(texts / "wmt")
    write(texts / "mine.txt", *["the cat sat on the mat"] * 12)
    given = ("-t", "wmt", "--language-pair", "en-de", "Newcomer=mine.txt", "--resamples", 20)
    done = run("report", *given, "--draws", 0, "-o", "page.html")
    assert done.exit_code == 0, done.stderr
    assert "Newcomer" in (texts / "page.html").read_text()


def test_my_system_must_fit_the_test_set(texts, run):
    make_evalset(texts / "wmt", ("en-de",))
    given = ("-t", "wmt", "-m", "f1")
    done = run("score", *given, "one.txt")
    assert done.stderr == (
        "rankwise: one.txt has 3 lines, but wmt has 12 segments; expected a line for each\n"
    )
    write(texts / "raven.txt", *["a"] * 12)
    done = run("score", *given, "raven.txt")
    assert "system 'raven' is in the test set already; give the file another name" in done.stderr


# -- beside scores of other tools ------------------------------------------------------------------


def test_texts_and_scores_stand_in_one_table(texts, run):
    cells = {("one", "3"): 0.9, ("one", "1"): 0.6, ("one", "2"): 0.3}
    cells |= {("two", "1"): 0.1, ("two", "2"): 0.2, ("two", "3"): 0.6, ("three", "1"): 1.0}
    lines = [f"{system}\t{segment}\t{score}" for (system, segment), score in cells.items()]
    write(texts / "comet.tsv", "system\tseg\tscore", *lines)
    done = run("score", "-r", "ref.txt", "one.txt", "two.txt", *F1, "--scores", "comet.tsv")
    found = rows(done)
    assert {name: row["comet"] for name, row in found.items()} == {
        "one": pytest.approx(0.6),
        "two": pytest.approx(0.3),
    }
    assert found["one"]["f1"] > found["two"]["f1"]
    assert "comet: 1 system is nowhere else, and left out: three" in done.stderr


def test_the_paired_test_of_given_scores_is_over_the_segments_of_the_texts(texts, run):
    """The rows of a shuffled file meet their segments: a constant lead has a p-value of its own."""
    random = np.random.default_rng(5)
    values = random.normal(size=12)
    order = random.permutation(12)
    lines = [f"a\t{i + 1}\t{values[i] + 1}" for i in order] + [
        f"b\t{i + 1}\t{values[i]}" for i in range(12)
    ]
    write(texts / "comet.tsv", "system\tseg\tscore", *lines)
    for name in ("a", "b", "r"):
        write(texts / f"{name}.txt", *["x y"] * 12)
    given = ("score", "-r", "r.txt", "a.txt", "b.txt", "-m", "f1", "--scores", "comet.tsv")
    found = rows(run(*given, "--baseline", "b", "--format", "json"))
    assert found["a"]["comet p"] < 0.01  # the difference is 1 in every segment, if they meet


def test_plain_numbers_need_a_line_for_each_segment(texts, run):
    write(texts / "short", "0.5", "0.6")
    given = ("score", "-r", "ref.txt", "one.txt", *F1)
    done = run(*given, "--scores", "one=short")
    assert done.stderr.endswith(
        "scores 'score' are 2 lines without names of segments, but there are 3 segments; "
        "expected a line for each\n"
    )
    write(texts / "whole", "0.5", "0.6", "0.1")
    assert rows(run(*given, "--scores", "one=whole"))["one"]["score"] == pytest.approx(0.4)


def test_plain_numbers_meet_named_segments_by_their_place(texts, run):
    lines = ["id\tsource\tref\tone", "x7\ta\tthe cat\tthe cat", "x9\tb\tdogs\tcats"]
    write(texts / "set.tsv", *lines)
    write(texts / "numbers", "0.25", "0.75")
    done = run("score", "-t", "set.tsv", *F1, "--scores", "one=numbers")
    assert rows(done)["one"]["score"] == 0.5


def test_scores_may_not_be_called_as_a_computed_metric(texts, run):
    write(texts / "f1.tsv", "system\tseg\tscore", "one\t1\t1", "one\t2\t1", "one\t3\t1")
    given = ("score", "-r", "ref.txt", "one.txt", *F1, "--scores")
    done = run(*given, "f1.tsv")
    assert "scores 'f1' are called as a computed metric" in done.stderr
    assert rows(run(*given, "theirs=f1.tsv"))["one"]["theirs"] == 1.0


def test_a_system_without_scores_is_an_error(texts, run):
    write(texts / "comet.tsv", "system\tseg\tscore", "other\t1\t1")
    done = run("score", "-r", "ref.txt", "one.txt", *F1, "--scores", "comet.tsv")
    assert done.stderr == "rankwise: scores 'comet' have no system 'one'; they have other\n"


# -- texts to look at ------------------------------------------------------------------------------


def test_odd_texts_are_noted_and_change_no_number(texts, run):
    lines = [f"line {i}, and so on." for i in range(20)]
    write(texts / "ref.txt", *lines)
    write(texts / "one.txt", *(line.replace(",", " ,").replace(".", " .") for line in lines))
    write(texts / "two.txt", "", *lines[1:])
    done = run("score", "-r", "ref.txt", "one.txt", "two.txt", "-m", "f1", "--resamples", 0)
    assert done.stderr.splitlines()[:3] == [
        "empty outputs, of 20 lines: two (1)",
        "outputs that are the reference itself, of 20 lines: two (19)",
        "outputs look tokenised, the references do not (spaces before full stops and commas): "
        "one (100%)",
    ]
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["system", "f1"],
        ["one", "100.00*"],
        ["two", "97.44"],
    ]
    rows_done = run("score", "-r", "ref.txt", "two.txt", "-m", "f1", "--segments")
    assert "empty outputs, of 20 lines: two (1)" in rows_done.stderr
    run("report", "-r", "ref.txt", "one.txt", "two.txt", "--resamples", 20, "-o", "page.html")
    assert "outputs look tokenised" in (texts / "page.html").read_text()


def test_scores_counted_from_0_are_not_those_of_the_next_line(tmp_path, run):
    texts = tmp_path / "out.txt"
    texts.write_text("one\ntwo\nthree\n", encoding="utf-8")
    rows = "".join(f"out\t{segment}\t0.{segment}\n" for segment in range(3))
    (tmp_path / "x.tsv").write_text(f"system\tsegment\tscore\n{rows}", encoding="utf-8")
    done = run("score", "-r", f"ref={texts}", texts, "-m", "f1", "--scores", tmp_path / "x.tsv")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "scores 'x': segments are counted from 0 to 2, the others from 1 to 3" in done.stderr
