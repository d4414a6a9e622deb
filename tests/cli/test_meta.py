"""``rankwise agree`` on scores: exact output, error lines and exit codes."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from evalset_folders import SEGMENTS, SYSTEMS, make_evalset
from rankwise.cli import cli
from rankwise.errors import DataError
from rankwise.io import write_testset
from rankwise.types import Segment, TestSet


@pytest.fixture
def folder(tmp_path):
    return make_evalset(tmp_path / "set")


def run(*arguments, code=0):
    result = CliRunner().invoke(cli, ["meta", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def facts(*arguments):
    return json.loads(run(*arguments, "--format", "json").stdout)


def test_a_folder_alone_is_enough(folder):
    result = run("--testset", folder, "--draws", 100)
    heading, first, second, *rest = result.stdout.splitlines()
    assert heading.split() == [
        "metric",
        "average",
        "en-de",
        "spa",
        "he-en",
        "spa",
        "en-de",
        "acc-eq",
        "he-en",
        "acc-eq",
    ]
    assert (first.split()[0], second.split()[0]) == ("Good", "Noise-src")
    assert rest[1] == "en-de mqm: 4 systems, 12 segments; 8 of 48 cells have no human score"
    assert rest[3].startswith(
        "based on: en-de spa 6 pairs of systems; he-en spa 6 pairs of systems;"
    )
    assert "permutation test of all pairs of metrics, p <= 0.05, 100 draws" in rest[4]
    assert "en-de spa: spa:draws=1000" in result.stderr


def test_one_language_pair_and_other_measures(folder):
    found = facts(
        "-t", folder, "--language-pair", "he-en", "--measure", "pearson", "--test", "none"
    )
    assert found["measures"].keys() == {"he-en pearson"}
    assert found["data"]["he-en"]["systems"] == list(SYSTEMS)


def test_humans_and_outliers_may_be_left_out_or_not(folder):
    options = ("--testset", folder, "--test", "none", "--language-pair", "en-de")
    (folder / "references" / "en-de.refB.txt").write_text("a\n" * SEGMENTS, "utf-8")
    options += ("--reference-set", "refB")
    wmt = ("--recipe", "wmt24"), ("--compat", "mtme"), ("--human-systems",)
    assert all("refA" in facts(*options, *asked)["data"]["en-de"]["systems"] for asked in wmt)
    assert "refA" not in facts(*options)["data"]["en-de"]["systems"]
    without = facts(*options, *wmt[0], "--no-human-systems")
    assert "refA" not in without["data"]["en-de"]["systems"]
    fewer = facts(*options, "--exclude", "stork")
    assert fewer["data"]["en-de"]["systems"] == ["finch", "heron", "raven"]


def test_own_scores_and_own_metrics_join_the_table(folder, tmp_path):
    mine = tmp_path / "en-de.Mine.seg.score"
    lines = [f"{name}\t{-place}\n" for place, name in enumerate(SYSTEMS) for _ in range(SEGMENTS)]
    mine.write_text("".join(lines), encoding="utf-8")
    options = ("--testset", folder, "--test", "none", "--scores", mine, "-m", "chrf", "-m", "ter")
    found = facts(*options, "--measure", "accuracy", "--language-pair", "en-de")
    values = {row["metric"]: row["en-de accuracy"] for row in found["rows"]}
    assert values["Mine"] == 1
    assert values["chrf (rankwise)"] == values["ter (rankwise)"] == 1  # TER is turned round
    assert values.keys() == {"Mine", "Good", "Noise-src", "chrf (rankwise)", "ter (rankwise)"}
    only = facts(*options, "--measure", "accuracy", "--only-given")
    assert {row["metric"] for row in only["rows"]} == values.keys() - {"Good", "Noise-src"}


def test_scores_without_a_language_pair_are_refused_where_there_are_two(folder, tmp_path):
    mine = tmp_path / "mine.seg.score"
    mine.write_text("finch\t1\nfinch\t1\n", encoding="utf-8")
    with pytest.raises(DataError, match="does not say for which of en-de, he-en"):
        run("--testset", folder, "--scores", mine)


@pytest.mark.parametrize("form", ["text", "tsv", "json", "markdown", "latex"])
def test_every_format(folder, form):
    result = run("--testset", folder, "--draws", 50, "--format", form)
    assert "Good" in result.stdout
    if form == "tsv":
        assert result.stdout.splitlines()[0].startswith(
            "metric\taverage\taverage rank\ten-de spa\t"
        )


def test_pairs_of_metrics(folder):
    result = run("--testset", folder, "--draws", 50, "--all-pairs", "--format", "tsv")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert rows[0] == ["task", "better", "worse", "difference", "p"]
    assert [row[:3] for row in rows[1:]] == [
        [task, "Good", "Noise-src"]
        for task in ("en-de spa", "he-en spa", "en-de acc-eq", "he-en acc-eq")
    ]


def test_intervals_lie_around_the_values(folder):
    options = ("--testset", folder, "--draws", 100, "--intervals", "--language-pair", "en-de")
    measures = ("--measure", "acc-eq", "--measure", "pearson:level=system", "--measure", "accuracy")
    for row in facts(*options, *measures)["rows"]:
        for label in ("en-de acc-eq", "en-de system pearson"):
            low, high = row[f"{label} low"], row[f"{label} high"]
            assert low is None or low <= row[label] <= high
        assert row["en-de accuracy low"] is None
        assert row["en-de acc-eq low"] < row["en-de acc-eq high"]
    people = run(*options, "--measure", "acc-eq").stdout
    assert "en-de acc-eq interval" in people.splitlines()[0]


def test_a_run_repeats_itself(folder):
    options = ("--testset", folder, "--draws", 50, "--format", "json")
    assert run(*options, "--seed", 3).stdout == run(*options, "--seed", 3).stdout


def test_recipes_and_compat(folder):
    found = facts("--testset", folder, "--recipe", "wmt23", "--draws", 20, "--compat", "mtme")
    assert list(found["weights"].values()) == [2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    found = facts("--testset", folder, "--draws", 20, "--compat", "mtme")
    assert "compat=mtme" in found["measures"]["en-de spa:compat=mtme:test=scores"]
    assert "en-de acc-eq:test=pairs" in found["measures"]


def test_recipes_name_the_tests_of_their_year(folder):
    """Unless one is asked for, metrics exchange whole segments."""
    usual = facts("--testset", folder, "--draws", 20, "--language-pair", "en-de")
    assert list(usual["measures"]) == ["en-de spa", "en-de acc-eq"]
    found = facts("--testset", folder, "--draws", 20, "--recipe", "wmt24", "-l", "en-de")
    assert list(found["measures"]) == ["en-de spa:test=scores", "en-de acc-eq:test=pairs"]
    named = [
        option
        for name in ("spa:test=scores", "acc-eq:test=pairs")
        for option in ("--measure", name)
    ]
    assert facts("--testset", folder, "--draws", 20, "-l", "en-de", *named) == found


def test_human_scores_of_a_file_for_any_test_set(tmp_path):
    texts = tmp_path / "set.jsonl"
    segments = (Segment("1", "s", ("a b c d",)), Segment("2", "t", ("e f g h",)))
    outputs = {"one": ("a b c d", "e f g h"), "two": ("x", "y")}
    write_testset(TestSet(segments, outputs), texts)
    human = tmp_path / "people.seg.score"
    human.write_text("one\t90\none\t80\ntwo\t10\ntwo\t20\n", encoding="utf-8")
    options = ("--testset", texts, "--human", human, "-m", "chrf", "--measure", "acc-eq")
    found = facts(*options, "--test", "none")
    assert found["rows"][0]["set acc-eq"] == 1
    assert "--human FILE" in run("--testset", texts, "-m", "chrf", code=2).stderr


def test_human_scores_of_a_file_stand_in_for_those_of_the_folder(folder, tmp_path):
    """The file says the opposite of the folder, so what agreed with it no longer does."""
    told = (folder / "human-scores" / "en-de.mqm.seg.score").read_text("utf-8").splitlines()
    cells = [line.split("\t") for line in told]
    turned = tmp_path / "en-de.mine.seg.score"
    lines = [f"{name}\t{'None' if score == 'None' else -float(score)}\n" for name, score in cells]
    turned.write_text("".join(lines), encoding="utf-8")
    options = ("-t", folder, "--language-pair", "en-de", "--test", "none", "--measure", "pearson")
    usual, other = (facts(*options, *more) for more in ((), ("--human", turned)))
    values = [{row["metric"]: row["en-de pearson"] for row in f["rows"]} for f in (usual, other)]
    assert values[1]["Good"] == pytest.approx(-values[0]["Good"])
    assert other["data"]["en-de"]["gold"] == "mine"


def test_a_name_of_the_folder_comes_before_a_file(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mqm").write_text("no scores\n", encoding="utf-8")
    options = ("-t", folder, "--language-pair", "en-de", "--test", "none")
    assert facts(*options, "--human", "mqm")["data"]["en-de"]["gold"] == "mqm"


def test_a_file_of_scores_is_given_once(folder):
    path = folder / "metric-scores" / "en-de" / "Noise-src.seg.score"
    with pytest.raises(DataError, match="is given twice; expected every file once"):
        run("-t", folder, "--language-pair", "en-de", "--scores", path, "--scores", path)


def test_who_has_no_human_scores_or_no_scores_is_named(tmp_path):
    def scores(name, systems):
        lines = [f"{s}\t{g}\t{ord(s) + g % 3 / 5}" for s in systems for g in range(12)]
        path = tmp_path / f"{name}.tsv"
        path.write_text("\n".join(["system\tsegment\tscore", *lines]) + "\n", "utf-8")
        return path

    human, more, less = scores("human", "ABC"), scores("more", "ABCDE"), scores("less", "AB")
    done = run("--human", human, "--scores", more, "--scores", less, "--test", "none")
    assert (
        "human: systems without human scores are left out (2): D (in more), E (in more)\n"
        in done.stdout
    )
    assert "human: less has no scores of C\n" in done.stdout
    alike = run("--human", human, "--scores", scores("same", "ABC"), "--test", "none")
    assert "left out" not in alike.output
    assert "no scores" not in alike.output


def test_people_who_tell_nothing_apart_are_told(tmp_path):
    def scores(name, of_segment):
        cells = [f"{s}\t{g}\t{of_segment(s, g)}" for s in "ABC" for g in range(12)]
        path = tmp_path / f"{name}.tsv"
        path.write_text("\n".join(["system\tsegment\tscore", *cells]) + "\n", "utf-8")
        return path

    metric = scores("metric", lambda system, segment: ord(system) + segment % 3 / 5)
    alike, apart = scores("h", lambda *_: 0.1), scores("h2", lambda _, segment: segment % 2)
    done = run("--human", alike, "--scores", metric, "--test", "none")
    assert (
        "h: people gave every output the same score, 0.1, so nothing can disagree\n" in done.stdout
    )
    assert "same score" not in run("--human", apart, "--scores", metric, "--test", "none").output


def test_texts_without_scores_and_scores_without_texts_are_named(tmp_path):
    lines = [f"The cat number {g} sat on mat {g % 4}." for g in range(12)]
    for name, change in (("A", "dog"), ("B", "cow"), ("C", "dog"), ("ref", "cat")):
        text = "".join(line.replace("cat", change) + "\n" for line in lines)
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    cells = [f"{s}\t{g + 1}\t{ord(s) + g % 3}" for s in "ABX" for g in range(12)]
    (tmp_path / "h.tsv").write_text("\n".join(["system\tsegment\tscore", *cells]), "utf-8")
    files = [tmp_path / f"{name}.txt" for name in "ABC"]
    done = run(*files, "-r", tmp_path / "ref.txt", "--human", tmp_path / "h.tsv", "-m", "f1")
    assert "h: people scored systems without texts, which are left out: X\n" in done.stdout
    assert "h: systems without human scores are left out (1): C (in the texts)\n" in done.stdout
    assert "systems whose outputs are the same in every line: A, C\n" in done.stderr


def test_a_system_to_leave_out_must_be_there(folder):
    with pytest.raises(DataError, match="there is no system 'strok' to leave out; there are finch"):
        run("-t", folder, "--exclude", "strok")


def test_scores_may_count_errors(folder, tmp_path):
    mine = tmp_path / "en-de.Errors.seg.score"
    lines = [f"{name}\t{place}\n" for place, name in enumerate(SYSTEMS) for _ in range(SEGMENTS)]
    mine.write_text("".join(lines), encoding="utf-8")
    options = ("-t", folder, "--test", "none", "--scores", mine, "--measure", "accuracy")
    options = (*options, "--language-pair", "en-de", "--only-given")
    assert facts(*options)["rows"][0]["en-de accuracy"] == 0
    assert facts(*options, "--lower-is-better")["rows"][0]["en-de accuracy"] == 1
    assert "needs --scores" in run("-t", folder, "--lower-is-better", code=2).stderr


def test_pictures(folder, tmp_path):
    pytest.importorskip("matplotlib")
    run("--testset", folder, "--draws", 20, "--plot", tmp_path / "plots")
    names = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert "measures.png" in names
    assert "significance-en-de-spa.png" in names
    assert "scatter-he-en-Good.png" in names


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--testset", "FOLDER", "a.txt"),
        ("--human", "people.tsv", "-m", "bleu"),
        ("--human", "people.tsv", "-r", "ref.txt"),
        ("--human", "people.tsv", "--only-given", "-r", "ref.txt", "a.txt"),
    ],
)
def test_wrong_usage(folder, arguments):
    given = [folder if argument == "FOLDER" else argument for argument in arguments]
    assert "Error: " in run(*given, code=2).stderr


def test_a_language_pair_must_be_there(folder):
    with pytest.raises(DataError, match="no language pair 'xx-yy'; choose from en-de, he-en"):
        run("--testset", folder, "--language-pair", "xx-yy")


def test_a_folder_without_human_scores(folder):
    for path in (folder / "human-scores").iterdir():
        path.unlink()
    with pytest.raises(DataError, match="no language pair has files in human-scores"):
        run("--testset", folder)


def test_scores_are_numbers(folder):
    found = facts("--testset", folder, "--test", "none", "--measure", "acc-eq")
    row = found["rows"][0]
    assert np.isfinite([value for value in row.values() if isinstance(value, float)]).all()


@pytest.fixture
def ranked(tmp_path):
    """Two systems, a reference, and rankings that prefer the first: the options of a command."""
    for name, lines in {
        "ref": "the cat sat on the mat\nit is raining\n",
        "good": "the cat sat on the mat\nit is raining\n",
        "bad": "cat the on mat\nrain it\n",
    }.items():
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,"
    rows = [f"cs,en,{s},{s},ann,good,1,bad,2,{s}" for s in (1, 2)]
    judged = "\n".join([header + "system2Id,system2rank,rankingID", *rows]) + "\n"
    (tmp_path / "ranks.csv").write_text(judged, encoding="utf-8")
    files = [tmp_path / name for name in ("good.txt", "bad.txt")]
    return ("-j", tmp_path / "ranks.csv", "-r", tmp_path / "ref.txt", *files)


def test_rankings_instead_of_scores(ranked):
    options = ranked
    heading, row = run(*options, "-m", "f1", "--format", "tsv").stdout.splitlines()
    assert heading == "metric\tPearson\tKendall\taccuracy\tsegment tau\tpairs"
    assert [float(cell) for cell in row.split("\t")[1:]] == pytest.approx([1, 1, 1, 1, 2])
    usual = run(*options, "--format", "tsv").stdout.splitlines()
    assert [line.split("\t")[0] for line in usual[1:]] == ["bleu", "chrf", "ter"]
    heading, row = run(*ranked, "-m", "f1", "--intervals", "--format", "tsv").stdout.splitlines()
    assert heading.split("\t")[-4:] == ["segment tau", "low", "high", "pairs"]
    assert [float(cell) for cell in row.split("\t")[-4:]] == [1, 1, 1, 2]


def test_human_scores_of_text_files(ranked, tmp_path):
    _, _, *texts = ranked
    cells = ["good\t1\t80", "good\t2\t90", "bad\t1\t10", "bad\t2\t20", "third\t1\t0"]
    human, mine = tmp_path / "people.tsv", tmp_path / "mine.tsv"
    human.write_text("system\tsegment\tscore\n" + "\n".join(cells) + "\n", encoding="utf-8")
    mine.write_text("system\tsegment\tscore\n" + "\n".join(cells) + "\n", encoding="utf-8")
    options = ("--human", human, "--measure", "acc-eq", "--test", "none")
    found = facts(*options, *texts, "-m", "f1")
    assert [row["people acc-eq"] for row in found["rows"]] == [1]
    assert found["data"]["people"]["systems"] == ["bad", "good"]
    usual = facts(*options, *texts)["rows"]
    assert {row["metric"] for row in usual} == {f"{m} (rankwise)" for m in ("bleu", "chrf", "ter")}
    assert [row["metric"] for row in facts(*options, "--scores", mine)["rows"]] == ["mine"]
    with pytest.raises(DataError, match="human scores 'people' are of none of the systems ref"):
        run(*options, "-r", tmp_path / "good.txt", tmp_path / "ref.txt")


def test_rankings_and_scores_of_another_tool(ranked, tmp_path):
    cells = ["good\t1\t0.1", "good\t2\t0.5", "bad\t1\t0.9", "bad\t2\t"]
    mine = tmp_path / "mine.tsv"
    mine.write_text("system\tsegment\tscore\n" + "\n".join(cells) + "\n", encoding="utf-8")
    joined = run(*ranked, "-m", "f1", "--scores", mine, "--format", "tsv").stdout.splitlines()
    assert [line.split("\t")[0] for line in joined] == ["metric", "f1", "mine"]
    alone = ("-j", tmp_path / "ranks.csv", "--scores", mine, "--format", "tsv")
    assert run(*alone).stdout.splitlines()[1].split("\t")[-2:] == ["-1.0", "1"]
    turned = run(*alone, "--lower-is-better").stdout.splitlines()[1]
    assert turned.split("\t")[-2:] == ["1.0", "1"]


def test_systems_of_rankings_or_of_scores_alone_are_named(ranked, tmp_path):
    (tmp_path / "oak.txt").write_text("a cat\nb\n", encoding="utf-8")
    found = run(*ranked[:4], tmp_path / "good.txt", tmp_path / "oak.txt", "-m", "f1").stderr
    assert "systems of the scores that the judgments lack are left out (1): oak\n" in found
    assert "systems of the judgments that the scores lack are left out (1): bad\n" in found
    assert "left out" not in run(*ranked, "-m", "f1").stderr


def test_rankings_refuse_what_they_have_no_use_for(ranked, tmp_path):
    for option in (("--human", "x"), ("--test", "none"), ("--measure", "acc-eq")):
        assert f"{option[0]} and -j do not go together" in run(*ranked, *option, code=2).stderr


def test_rankings_of_other_systems_are_an_error(ranked, tmp_path):
    (tmp_path / "oak.txt").write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(DataError, match="the judgments are of good, bad, the scores of oak"):
        run(*ranked[:4], tmp_path / "oak.txt")
    with pytest.raises(DataError, match="no system 'worse' to leave out; there are good, bad"):
        run(*ranked, "--exclude", "worse")
    assert run(*ranked, "--exclude", "bad", "--format", "tsv").stdout.endswith("\t0\n")
