"""``rankwise score``: exact output, messages and exit codes of every mode."""

import gzip
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
import scipy.stats

import rankwise
from rankwise.cli.common import progress

F1 = f"f1:lowercase=false:tokenize=13a:version={rankwise.__version__}"
DRAWN = "95% intervals: 1000 bootstrap resamples of segments, seed 12345"


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path, monkeypatch) -> Path:
    """A reference and two systems in the current folder.

    f1 of "bad", segment by segment: P 4/4 and R 4/6 (80), P 1/2 and R 1/3 (40); together 5 of 6
    and of 9 words: 2/3. "same" makes every segment alike, so that resampling changes nothing.
    """
    write(tmp_path / "ref.txt", "the cat sat on the mat", "it is raining")
    write(tmp_path / "good.txt", "the cat sat on the mat", "it is raining")
    write(tmp_path / "bad.txt", "cat the on mat", "rain it")
    for name, line in {"ref": "a b c d e f", "good": "a b c d e f", "bad": "c a e f"}.items():
        write(tmp_path / f"same.{name}.txt", *[line] * 3)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- the table -------------------------------------------------------------------------------------


def test_the_table_is_alone_on_stdout(texts, run):
    done = run("score", "-r", "ref.txt", "bad.txt", "good.txt", "-m", "f1", "--resamples", 0)
    assert done.stdout == "system      f1\ngood    100.00*\nbad      66.67\n"
    assert done.stderr == f"{F1}:nrefs=1\n"
    assert done.exit_code == 0


SURER = (
    "fewer than 6 segments: ranks and clusters look surer than they are, as it takes 6 that agree "
    "to tell two systems apart"
)


def test_the_table_has_clusters_ranks_and_intervals(texts, run):
    done = run("score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1")
    assert done.stdout == (
        "cluster  ranks  system                        f1\n"
        "      1  1      same.good  100.00 [100.0, 100.0]*\n"
        "      2  2      same.bad      80.00 [80.0, 80.0]\n"
    )
    few = "; widened by Student's t for 3 segments"
    assert done.stderr == f"{F1}:nrefs=1\n{DRAWN}{few}\n{SURER}\n"


def repeat(texts: Path, count: int = 60) -> None:
    """The segments that are alike, so often that they are not few."""
    for path in texts.glob("same.*.txt"):
        write(path, *path.read_text().splitlines()[:1] * count)


@pytest.mark.parametrize(("count", "is_said"), [(5, True), (6, False)])
def test_few_segments_are_said_to_look_sure(texts, run, count, is_said):
    repeat(texts, count)
    done = run("score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1")
    assert (SURER in done.stderr) == is_said


def test_systems_that_resampling_does_not_separate_share_a_cluster(texts, run):
    write(texts / "other.txt", "cat the on", "it is raining")
    done = run("score", "-r", "ref.txt", "bad.txt", "other.txt", "-m", "wer", "--format", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:5] == ["system", "cluster", "rank low", "rank high", "boundary"]
    assert [row[1] for row in rows[1:]] == ["1", "1"]
    assert [row[0] for row in rows[1:]] == ["other", "bad"]  # lower is better


def test_the_table_fits_into_100_columns(run):
    example = Path(rankwise.__file__).parent / "bundled" / "example"
    systems = sorted((example / "systems").glob("*.txt"))
    arguments = ("-r", example / "ref.a.txt", "-r", example / "ref.b.txt", *systems)
    for further in ((), ("--baseline", "alder")):
        done = run("score", *arguments, *further)
        assert done.exit_code == 0
        assert 80 < max(map(len, done.stdout.splitlines())) <= 100


def test_json_has_every_digit_and_what_decides_it(texts, run):
    done = run("score", "-r", "ref.txt", "bad.txt", "-m", "f1", "--format", "json", "--seed", 7)
    found = json.loads(done.stdout)
    (row,) = found["rows"]
    assert row["f1"] == pytest.approx(200 / 3, abs=1e-12)
    assert (row["f1 low"], row["f1 high"]) == (pytest.approx(40), pytest.approx(80))
    assert found["signatures"] == {"f1": f"{F1}:nrefs=1"}
    assert (found["nrefs"], found["segments"], found["version"]) == ("1", 2, rankwise.__version__)
    assert found["intervals"] == {
        "resamples": 1000,
        "seed": 7,
        "level": 0.95,
        "unit": "segment",
        "method": "bootstrap, percentiles",
    }
    assert done.stderr == ""
    assert rankwise.metric(found["signatures"]["f1"]) == rankwise.metric("f1")


def test_the_seed_decides(texts, run):
    arguments = ("score", "-r", "ref.txt", "bad.txt", "-m", "f1", "--format", "tsv")
    assert run(*arguments, "--seed", 7) == run(*arguments, "--seed", 7)


def test_a_metric_given_twice_is_shown_once(texts, run):
    arguments = ("-m", "f1", "-m", "f1:tokenize=13a", "--resamples", 0, "--format", "tsv")
    done = run("score", "-r", "ref.txt", "bad.txt", *arguments)
    assert done.stdout.splitlines()[0] == "system\tf1"


def test_the_result_can_go_to_a_file(texts, run):
    arguments = ("score", "-r", "ref.txt", "bad.txt", "-m", "f1", "--resamples", 0)
    done = run(*arguments, "-o", "out.txt")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (texts / "out.txt").read_text() == run(*arguments).stdout


def test_a_system_can_be_left_out(texts, run):
    arguments = ("-r", "ref.txt", "bad.txt", "good.txt", "-m", "f1", "--resamples", 0)
    done = run("score", *arguments, "--exclude", "good", "--format", "tsv")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["system", "bad"]
    wrong = run("score", *arguments, "--exclude", "best")
    assert wrong.exit_code == 1
    assert wrong.stderr == (
        "rankwise: there is no system 'best' to leave out; there are bad, good\n"
    )
    none = run("score", *arguments, "--exclude", "good", "--exclude", "bad")
    assert none.stderr == "rankwise: every system is left out; expected at least one to stay\n"


# -- tests between systems -------------------------------------------------------------------------


def test_three_segments_prove_nothing(texts, run):
    """A difference that is the same in all three: by Student's t, p = .115 and not .001."""
    compared = ("score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1")
    done = run(*compared, "--baseline", "same.bad", "--format", "json")
    normal = -scipy.stats.norm.ppf(0.5 / 1001) / math.sqrt(3 / 2)
    [row] = [row for row in json.loads(done.stdout)["rows"] if row["system"] == "same.good"]
    assert row["f1 p"] == pytest.approx(2 * scipy.stats.t.sf(normal, 2))
    theirs = run(*compared, "--baseline", "same.bad", "--compat", "sacrebleu", "--format", "json")
    [row] = [row for row in json.loads(theirs.stdout)["rows"] if row["system"] == "same.good"]
    assert row["f1 p"] == pytest.approx(1 / 1001)
    said = "p as sacreBLEU computes it, which calls equal systems different too often\n"
    assert said in run(*compared, "--baseline", "same.bad", "--compat", "sacrebleu").stderr
    assert said not in run(*compared, "--baseline", "same.bad").stderr


def test_one_segment_says_nothing_about_others(texts, run):
    repeat(texts, 1)
    scored = ("score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1")
    done = run(*scored)
    assert done.stdout == "system         f1\nsame.good  100.00*\nsame.bad    80.00\n"
    assert "no intervals, no clusters: 1 segment says nothing about others" in done.stderr
    tested = run(*scored, "--all-pairs")
    assert tested.exit_code == 1
    assert tested.stderr == "rankwise: a test needs at least 2 segments; found 1\n"


def test_a_baseline_by_its_file_name(texts, run):
    repeat(texts)
    done = run(
        "score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1",
        "--baseline", "same.bad.txt",
    )  # fmt: skip
    # No resample exceeds a difference that is the same in all: p = 1 / (1 + 1000).
    assert done.stdout == (
        "cluster  system                              f1\n"
        "      1  same.good  100.00 [100.0, 100.0] .001†*\n"
        "      2  same.bad      80.00 [80.0, 80.0]\n"
        "\n"
        "p against same.bad; † below 0.05\n"
    )


def test_randomisation_counts_its_own_shuffles(texts, run):
    command = (
        "score", "-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1",
        "--baseline", "same.bad", "--test", "randomisation", "--format", "json",
    )  # fmt: skip
    found = json.loads(run(*command).stdout)
    good, bad = found["rows"]
    # Of 2 ** 3 shuffles of three segments two make a difference as large as the observed one.
    assert good["f1 p"] == pytest.approx(0.25, abs=0.02)
    assert bad["f1 p"] is None
    assert found["test"]["method"] == "paired randomisation"
    assert found["test"]["baseline"] == "same.bad"
    assert "samples=10000" in found["test"]["signatures"]["f1"]
    theirs = json.loads(run(*command, "--compat", "sacrebleu").stdout)
    assert theirs["rows"][0]["f1 p"] == 1 / 10_001  # none is larger


@pytest.mark.parametrize(
    ("systems", "segments", "draws"), [(26, 60, 40 * 325), (8, 30, 4275), (26, 20, 100_000)]
)
def test_draws_are_enough_for_the_correction(systems, segments, draws, texts, run):
    """With 1,000 draws and 325 pairs no corrected p-value could be below .32."""
    names = [f"system{number:02}.txt" for number in range(systems)]
    for number, name in enumerate(names):
        share = number / systems * segments
        write(texts / name, *[f"word{i} " * (i < share) or "x" for i in range(segments)])
    write(texts / "words.txt", *[f"word{i} " for i in range(segments)])
    command = ("score", "-r", "words.txt", *names, "-m", "f1", "--all-pairs", "--correct", "holm")
    done = run(*command, "--format", "json")
    found = json.loads(done.stdout)
    assert found["intervals"]["resamples"] == draws
    significant = min(row["p holm"] for row in found["rows"]) < 0.05
    assert significant == (draws < 100_000)  # more are not drawn, and a line says so


@pytest.mark.parametrize("how", [("--all-pairs", "--correct", "holm"), ("--letters",)])
def test_draws_too_few_for_any_finding_are_refused(how, texts, run):
    """A table in which nothing could have been significant is not printed."""
    write(texts / "same.worst.txt", *["x"] * 3)
    repeat(texts)
    systems = ("same.worst.txt", "same.good.txt", "same.bad.txt")
    command = ("score", "-r", "same.ref.txt", *systems, "-m", "f1", *how, "--resamples")
    done = run(*command, 59)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "rankwise: with 59 draws the corrected p-value of 3 tests is never below 0.05; "
        "expected 60 or more"
    )
    assert run(*command, 60).exit_code == 0
    against = ("score", "-r", "same.ref.txt", *systems[1:], "-m", "f1", "--baseline", "same.bad")
    assert "a p-value is never below 0.05; expected 20" in run(*against, "--resamples", 19).stderr
    assert run(*against, "--resamples", 20).exit_code == 0
    old = run(*against, "--resamples", 19, "--compat", "sacrebleu")
    assert old.exit_code == 0  # sacreBLEU gives them
    assert run(*against[:-2], "--resamples", 10).exit_code == 0  # intervals are no test


def test_segments_too_few_for_any_finding_are_named(texts, run):
    command = ("score", "-r", "same.ref.txt", "same.good.txt", "same.bad.txt", "-m", "f1")
    done = run(*command, "--baseline", "same.bad", "--test", "randomisation")
    assert "\nof 3 segments no p-value can be below 0.25\n" in done.stdout


def test_a_line_that_another_seed_may_draw_is_marked(texts, run):
    """Of two systems one is better in about 97.5 % of the resamples; each seed has its own."""
    write(texts / "line.ref.txt", *["a"] * 100)
    write(texts / "line.one.txt", *["x"] * 3, *["a"] * 97)
    write(texts / "line.two.txt", *["a"] * 3, *["x"] * 10, *["a"] * 87)
    command = ("score", "-r", "line.ref.txt", "line.one.txt", "line.two.txt", "-m", "f1")
    found = [json.loads(run(*command, "--format", "json", "--seed", n).stdout) for n in range(4)]
    supports = [board["rows"][0]["boundary"] for board in found]
    assert all(0.94 < share < 1 for share in supports)
    assert [board["rows"][1]["boundary"] for board in found] == [None] * 4
    nearest = min(range(4), key=lambda n: abs(supports[n] - 0.975))
    said = run(*command, "--seed", nearest).stdout
    assert f"unsure: the line below line.one held in {100 * supports[nearest]:.1f} %" in said or (
        f"unsure: a line below line.one would hold in {100 * supports[nearest]:.1f} %" in said
    )


def test_all_pairs_with_correction(texts, run):
    write(texts / "same.worst.txt", *["x"] * 3)
    repeat(texts)
    systems = ("same.worst.txt", "same.good.txt", "same.bad.txt")
    arguments = ("-m", "f1", "--all-pairs", "--correct", "holm", "--resamples", 99)
    done = run("score", "-r", "same.ref.txt", *systems, *arguments)
    # Three tests with p = 1 / 100 each: Holm multiplies the smallest by three, and the rest follow.
    assert done.stdout == (
        "metric  better     worse       difference       p  p holm\n"
        "f1      same.good  same.bad       20.0000  0.0100  0.0300*\n"
        "f1      same.good  same.worst    100.0000  0.0100  0.0300*\n"
        "f1      same.bad   same.worst     80.0000  0.0100  0.0300*\n"
        "\n"
        "* below 0.05\n"
    )


def test_documents_are_drawn_whole(texts, run):
    """Two documents whose segments cancel out: drawn whole, every resample is alike."""
    write(texts / "docs.tsv", "news\td1", "news\td2", "news\td1", "news\td2")
    write(texts / "r.txt", "a b", "a b", "a b", "a b")
    write(texts / "h.txt", "a b", "x y", "x y", "a b")
    arguments = ("score", "-r", "r.txt", "h.txt", "-m", "f1", "--format", "tsv")
    by_segment = run(*arguments).stdout.splitlines()[1].split("\t")
    assert [float(cell) for cell in by_segment[4:]] == [50, 0, 100]
    whole = run(*arguments, "--resample-by", "document", "--documents", "docs.tsv")
    assert whole.stdout.splitlines()[1].split("\t")[4:] == ["50.0", "50.0", "50.0"]
    assert "1000 bootstrap resamples of documents, seed 12345; widened" in whole.stderr


def test_documents_must_be_known(texts, run):
    write(texts / "set.tsv", "id\tref\tA", "1\ta b\ta b")
    done = run("score", "-t", "set.tsv", "--resample-by", "document")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: segment '1' has no document; expected one for each\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--resample-by", "document"], "--resample-by document needs --documents"),
        (["--by", "document"], "--by document needs --documents"),
        (["--by", "domain"], "--by domain needs --documents"),
        (["--lower-is-better"], "--lower-is-better needs --scores"),
        (["--test", "randomisation"], "--test needs --baseline, --all-pairs or --letters"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(texts, run, given, message):
    done = run("score", "-r", "ref.txt", "bad.txt", *given)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: {message}\n")


def test_what_segments_writes_is_read_as_scores(texts, run):
    written = run("score", "-r", "ref.txt", "bad.txt", "good.txt", "-m", "f1", "--segments").stdout
    (texts / "f1.tsv").write_text(written, encoding="utf-8")
    done = run("score", "--scores", "f1.tsv", "--resamples", 0)
    assert done.stdout == "system      f1\ngood    100.00*\nbad      60.00\n"


def test_a_system_to_leave_out_of_scores_must_be_there(texts, run):
    write(texts / "a.tsv", "system\tsegment\tscore", "A\t1\t0.5", "B\t1\t0.7")
    done = run("score", "--scores", "a.tsv", "--exclude", "C")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: there is no system 'C' to leave out; there are A, B\n"


def test_scores_of_other_tools_are_drawn_by_document_only_with_documents(texts, run):
    write(texts / "a.scores", "0.5", "0.7")
    arguments = ("score", "--scores", "a.scores", "--resample-by", "document")
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "Error: --resample-by document needs --documents, or scores of" in refused.stderr
    write(texts / "a.scores", "0.5", "0.7", "0.5", "0.7")
    write(texts / "docs.tsv", "d", "d", "e", "e")  # both documents have the same mean
    assert "0.6000 [0.600, 0.600]" in run(*arguments, "--documents", "docs.tsv").stdout


# -- groups ----------------------------------------------------------------------------------------


def test_scores_by_document_and_domain(texts, run):
    write(texts / "docs.tsv", "news\td1", "talk\td2")
    arguments = ("-r", "ref.txt", "bad.txt", "-m", "f1", "--documents", "docs.tsv", "--by")
    assert run("score", *arguments, "document").stdout == (
        "document  segments  system     f1\n"
        "d1               1  bad     80.00*\n"
        "d2               1  bad     40.00*\n\n"
        "groups of fewer than 6 segments (2) are too small for intervals\n"
    )
    assert run("score", *arguments, "domain").stdout.splitlines()[1].startswith("news ")


def test_scores_by_length(texts, run):
    write(texts / "r.txt", "word " * 30, "word", "word " * 99)
    done = run("score", "-r", "r.txt", "r.txt", "-m", "f1", "--by", "length", "--format", "tsv")
    assert done.stdout == (
        "length\tsegments\tsystem\tf1\n"
        "1-10\t1\tr\t100.0\n21-30\t1\tr\t100.0\n51+\t1\tr\t100.0\n"
    )  # fmt: skip


# -- references ------------------------------------------------------------------------------------


def test_an_empty_line_may_be_a_missing_reference(texts, run):
    write(texts / "more.txt", "", "rain it")
    arguments = ("-r", "ref.txt", "-r", "more.txt", "bad.txt", "-m", "f1", "--format", "json")
    # As texts, the empty reference counts; it is not the better one, so the score is the same.
    assert json.loads(run("score", *arguments).stdout)["nrefs"] == "2"
    found = json.loads(run("score", *arguments, "--skip-empty-references").stdout)
    assert found["nrefs"] == "var"
    assert found["signatures"]["f1"] == f"{F1}:nrefs=var"
    assert found["rows"][0]["f1"] == pytest.approx(100 * 2 * 6 / (6 + 8))  # 4+2 of 6 and of 6+2


def test_a_segment_without_any_reference_is_an_error(texts, run):
    write(texts / "gap.txt", "text", "")
    done = run("score", "-r", "gap.txt", "bad.txt", "--skip-empty-references")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: gap.txt:2: the line is empty in every reference file\n"


def test_a_test_set_with_a_varying_number_of_references(texts, run):
    write(texts / "set.tsv", "seg\tref:a\tref:b\tsys:X", "1\tone two\tone\tone", "2\tone\t\tone")
    done = run("score", "-t", "set.tsv", "-m", "f1", "--format", "json", "--resamples", 0)
    assert done.exit_code == 0, done.stderr


# -- segments --------------------------------------------------------------------------------------

ROWS = [("1", "bad", 80.0), ("1", "good", 100.0), ("2", "bad", 40.0), ("2", "good", 100.0)]


def segments(run, *arguments):
    return run(
        "score", "--segments", "-r", "ref.txt", "bad.txt", "good.txt", "-m", "f1", *arguments
    )


def test_segments_as_tsv(texts, run):
    done = segments(run)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines[0] == ["segment", "system", "f1"]
    assert [(a, b, pytest.approx(float(c))) for a, b, c in lines[1:]] == ROWS
    assert done.stderr == f"{F1}:nrefs=1\n"


def test_segments_with_the_lead_of_their_system(texts, run):
    """The means of the two are 60 and 100: half of a lead of 20 either way."""
    done = segments(run, "--lead")
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    assert [float(row[2]) for row in rows] == pytest.approx([70.0, 110.0, 30.0, 110.0])
    assert done.stderr == f"{F1}:nrefs=1:lead=0.5\n"


def test_a_lead_is_of_segments(texts, run):
    done = run("score", "--lead", "-r", "ref.txt", "bad.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--lead needs --segments" in done.stderr


def test_segments_as_json_lines_end_with_the_signatures(texts, run):
    done = segments(run, "--format", "json")
    *rows, last = map(json.loads, done.stdout.splitlines())
    assert [(row["segment"], row["system"], pytest.approx(row["f1"])) for row in rows] == ROWS
    assert last == {"signatures": {"f1": f"{F1}:nrefs=1"}, "segments": 2}
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.gz", "out.jsonl"])
def test_segments_into_a_file_by_its_name(texts, run, name):
    assert segments(run, "-o", name).stdout == ""
    raw = (texts / name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()
    assert text == segments(run, "--format", "json" if "json" in name else "tsv").stdout


@pytest.mark.parametrize(
    ("suffix", "form"), [("tsv", "tsv"), ("json", "json"), ("md", "markdown"), ("TEX", "latex")]
)
def test_a_table_into_a_file_by_its_name(texts, run, suffix, form):
    arguments = ("score", "bad.txt", "-r", "ref.txt", "-m", "chrf")
    run(*arguments, "-o", f"out.{suffix}")
    wanted = run(*arguments, "--format", form).stdout
    assert (texts / f"out.{suffix}").read_text(encoding="utf-8") == wanted
    run(*arguments, "-o", "out.json", "--format", "tsv")
    assert (texts / "out.json").read_text(encoding="utf-8").startswith("system\t")


def test_segments_as_parquet(texts, run):
    parquet = pytest.importorskip("pyarrow.parquet")
    segments(run, "-o", "out.parquet")
    table = parquet.read_table(texts / "out.parquet")
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    assert [(a, str(b), pytest.approx(c)) for a, b, c in rows] == ROWS
    facts = json.loads(parquet.read_metadata(texts / "out.parquet").metadata[b"rankwise"])
    assert facts["signatures"] == {"f1": f"{F1}:nrefs=1"}


def test_parquet_without_pyarrow_says_what_to_install(texts, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = segments(run, "-o", "out.parquet")
    assert done.exit_code == 1
    assert done.stderr == (
        "rankwise: Parquet needs pyarrow: install rankwise[cluster], or write .tsv or .jsonl\n"
    )
    assert not (texts / "out.parquet").exists()


def test_segments_of_a_test_set(texts, run):
    example = Path(rankwise.__file__).parents[2] / "tests" / "io" / "examples" / "texts"
    whole = run("score", "-t", example / "evalset", "--language-pair", "de-en", "--segments")
    assert whole.exit_code == 0
    assert [line.split("\t")[0] for line in whole.stdout.splitlines()[1:4]] == ["1", "1", "2"]


def test_segments_equal_the_metric_and_do_not_depend_on_blocks(texts, run, monkeypatch):
    hypotheses = [f"a b c {number}" for number in range(300)]
    references = [f"a b {number} c" for number in range(300)]
    write(texts / "h.txt", *hypotheses)
    write(texts / "r.txt", *references)
    arguments = ("score", "--segments", "-r", "r.txt", "h.txt", "-m", "bleu", "-m", "chrf")
    whole = run(*arguments).stdout
    monkeypatch.setattr("rankwise.io.files._BLOCK_BYTES", 50)
    assert run(*arguments).stdout == whole
    scores = rankwise.metric("chrf").segments(hypotheses, references).tolist()
    assert [float(line.split("\t")[3]) for line in whole.splitlines()[1:]] == scores


def test_files_of_different_length_leave_nothing_behind(texts, run, monkeypatch):
    monkeypatch.setattr("rankwise.io.files._BLOCK_BYTES", 10)
    write(texts / "long.txt", *["text"] * 50)
    for arguments in (["--segments", "-o", "out.tsv"], ["--segments", "-o", "out.tsv.gz"], []):
        done = run("score", "-r", "ref.txt", "long.txt", "good.txt", *arguments)
        assert done.exit_code == 1
        assert done.stderr == (
            "rankwise: long.txt has 50 lines, but ref.txt has 2; expected parallel files\n"
        )
    assert not list(texts.glob("*out*"))


def test_standard_input_and_gzip(texts, run):
    with gzip.open(texts / "ref.gz", "wb") as stream:
        stream.write((texts / "ref.txt").read_bytes())
    command = [sys.executable, "-m", "rankwise", "score", "-r", "ref.gz", "-", "--segments"]
    done = subprocess.run(
        [*command, "-m", "f1"],
        input=(texts / "bad.txt").read_bytes(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines()[1].startswith("1\t<stdin>\t80.0")


MEMORY = """
import re
from pathlib import Path
from rankwise.cli import main
def peak():  # not of getrusage, which counts the parent's memory before the exec
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
try: main(["score", "--segments", "-r", "few", "few", "-m", "bleu", "-o", "few.tsv"])
except SystemExit: pass
before = peak()
try: main(["score", "--segments", "-r", "many", "many", "-m", "bleu", "-o", "many.tsv"])
except SystemExit: pass
print(before, peak())
"""


def test_memory_does_not_grow_with_the_files(texts):
    line = (
        "a sentence of about twenty words that are all the same in every line of this long file\n"
    )
    for name, count in (("few", 20_000), ("many", 200_000)):
        (texts / name).write_text(line * count, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    before, after = map(float, done.stdout.split())
    # The larger pair of files holds 35 MB of text, and 200,000 segments as objects take 100 MB.
    assert after < before + 15
    assert after < 200
    with (texts / "many.tsv").open() as stream:
        assert sum(1 for _ in stream) == 200_001


# -- scores of other tools -------------------------------------------------------------------------


def test_plain_numbers_of_one_system_each(texts, run):
    write(texts / "a.comet", *["0.5"] * 60)
    write(texts / "b.comet", *["0.75"] * 60)
    done = run("score", "--scores", "a.comet", "--scores", "b.comet", "--baseline", "a.comet")
    assert done.stdout == (
        "cluster  system                        score\n"
        "      1  b       0.7500 [0.750, 0.750] .001†*\n"
        "      2  a       0.5000 [0.500, 0.500]\n"
        "\n"
        "p against a; † below 0.05\n"
    )
    assert done.stderr.startswith(f"mean:scores=score:better=higher:version={rankwise.__version__}")


def test_a_table_of_human_scores_with_gaps(texts, run):
    rows = ["A\t1\t80", "A\t2\t60", "B\t1\t90", "B\t2\t90", "A\t3\t100"]
    write(texts / "human.tsv", "system\tsegment\tscore", *rows)
    arguments = ("score", "--scores", "human.tsv", "--resamples", 0)
    done = run(*arguments, "--format", "tsv")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == "system\thuman\nB\t90.0\nA\t80.0\n"
    errors = run(*arguments, "--lower-is-better", "--format", "tsv")
    assert errors.stdout == "system\thuman\nA\t80.0\nB\t90.0\n"


def test_scores_of_other_systems_are_refused(texts, run):
    write(texts / "one.tsv", "system\tsegment\tscore", "A\t1\t1", "B\t1\t2")
    write(texts / "two.tsv", "system\tsegment\tscore", "A\t1\t1")
    done = run("score", "--scores", "one.tsv", "--scores", "two.tsv")
    assert done.exit_code == 1
    assert done.stderr == (
        "rankwise: scores 'one' have system 'B', but 'two' do not; expected the same systems "
        "in all\n"
    )
    arguments = ("--exclude", "B", "--resamples", 0, "--format", "tsv")
    fits = run("score", "--scores", "one.tsv", "--scores", "two.tsv", *arguments)
    assert fits.stdout == "system\tone\ttwo\nA\t1.0\t1.0\n"


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bad.txt"], "give --reference and output files, or --testset"),
        (["-r", "ref.txt", "-t", "set.tsv"], "give either --testset, or --reference"),
        (["-r", "ref.txt", "bad.txt", "--by", "length", "--all-pairs"], "--all-pairs and --by do"),
        (["-r", "ref.txt", "bad.txt", "--correct", "holm"], "--correct needs --baseline or"),
        (["-r", "ref.txt", "bad.txt", "--all-pairs", "--resamples", 0], "--resamples of at least"),
        (["-r", "ref.txt", "bad.txt", "--segments", "--format", "latex"], "cannot be latex"),
        (["bad.txt", "--scores", "x"], "give --reference and output files, or --testset"),
        (["-r", "ref.txt", "bad.txt", "--seed", -1], "-1 is not in the range x>=0"),
        (["-r", "ref.txt", "bad.txt", "-m", "bleu", "chrf"], "no file chrf; of a metric, say -m"),
    ],
)
def test_wrong_usage(texts, run, arguments, message):
    done = run("score", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bad.txt", "-m", "blue"], "unknown metric 'blue'; choose from "),
        (["bad.txt", "-m", "bleu:tokenise=13a"], "metric 'bleu' has no option 'tokenise'"),
        (["bad.txt", "-m", "bleu:tokenize=14a"], "unknown tokenize"),
        (["bad.txt", "good.txt", "--baseline", "best"], "unknown baseline 'best'; choose from bad"),
        (["bad.txt", "--baseline", "bad"], "1 system; a paired test needs two or more"),
        (["bad.txt", "./bad.txt"], "bad.txt and ./bad.txt are the same file; expected"),
        (["bad.txt", "other/bad.txt"], "would both be output 'bad'; give one of them as"),
        (["-", "-r", "-"], "two files are read from standard input"),
        (["absent.txt"], "absent.txt: cannot be read: No such file or directory"),
        (["short.txt"], "short.txt has 1 line, but ref.txt has 2; expected parallel files"),
        (["empty.txt", "-r", "empty2.txt"], "expected parallel files"),
        (["bad.txt", "-o", "missing/out.txt"], "missing/out.txt: cannot be written"),
    ],
)
def test_bad_data_is_one_line(texts, run, arguments, message):
    write(texts / "short.txt", "one line")
    write(texts / "empty.txt")
    write(texts / "empty2.txt")
    done = run("score", "-r", "ref.txt", *arguments)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_files_without_segments(texts, run):
    write(texts / "empty.txt")
    done = run("score", "-r", "empty.txt", "empty.txt")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: there is no segment to score; expected at least one\n"


# -- manners ---------------------------------------------------------------------------------------


def test_progress_is_shown_on_terminals_alone(texts, run, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    arguments = ("score", "-r", "ref.txt", "bad.txt", "-m", "f1", "--resamples", 0)
    silent = run(*arguments)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = run(*arguments)
    assert shown.stdout == silent.stdout
    assert silent.stderr == f"{F1}:nrefs=1\n"
    assert "segments" in shown.stderr


def test_the_length_of_a_file_is_judged_by_its_beginning(texts, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    write(texts / "long.txt", *["about fourteen"] * 20_000)
    assert progress.lines_about("long.txt") == 20_000
    assert progress.lines_about("ref.txt") == 2
    write(texts / "empty.txt")
    (texts / "ref.gz").write_bytes(gzip.compress((texts / "ref.txt").read_bytes()))
    assert [progress.lines_about(name) for name in ("empty.txt", "ref.gz", "-", None)] == [None] * 4


def test_scoring_imports_neither_scipy_nor_rich(texts):
    repeat(texts)
    code = (
        "import sys\n"
        "from rankwise.cli import main\n"
        "try: main(['score', '-r', 'same.ref.txt', 'same.bad.txt', '-m', 'bleu'])\n"
        "except SystemExit: pass\n"
        "heavy = {'scipy', 'rich', 'numpy.random', 'rankwise.agreement', 'rankwise.metrics.ter'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("name", "begins"), [("x.csv", "system,"), ("x.html", "<!DOCTYPE html>")])
def test_a_suffix_says_how_to_write(texts, run, name, begins):
    run("score", "-r", "same.ref.txt", "same.bad.txt", "-m", "f1", "-o", name)
    assert (texts / name).read_text("utf-8").startswith(begins)


@pytest.mark.parametrize("name", ["x.docx", "x.pdf", "x.parquet.gz", "x.jsn"])
def test_a_suffix_that_promises_something_else_is_refused(texts, run, name):
    done = run("score", "-r", "same.ref.txt", "same.bad.txt", "-m", "f1", "-o", name)
    assert done.exit_code == 2
    assert not (texts / name).exists()


@pytest.mark.parametrize("name", ["rows.tsv", "rows.jsonl", "rows.parquet"])
def test_what_segments_writes_is_read_again(texts, run, name):
    """With the means of segments as scores; of TER less is better without a word."""
    command = ("-r", "same.ref.txt", "same.bad.txt", "same.good.txt", "-m", "f1", "-m", "ter")
    run("score", *command, "--segments", "-o", name)
    done = run("score", "--scores", name, "--format", "json")
    rows = {row["system"]: row for row in json.loads(done.stdout)["rows"]}
    assert list(rows) == ["same.good", "same.bad"]
    assert (rows["same.good"]["f1"], rows["same.good"]["ter"]) == (100.0, 0.0)
    assert rows["same.bad"]["ter"] > 0
    text = run("score", "--scores", name)
    assert "of ter less is better" in text.stderr
    assert "0.00 [0.0, 0.0]*" in text.stdout


def test_letters_say_who_does_not_differ(texts, run):
    for name, right in (("one", 30), ("two", 29), ("three", 4)):
        write(texts / f"{name}.txt", *[f"word{i}" if i < right else "x" for i in range(30)])
    write(texts / "words.txt", *[f"word{i}" for i in range(30)])
    done = run(
        "score", "-r", "words.txt", "one.txt", "two.txt", "three.txt", "-m", "f1", "--letters"
    )
    assert [line.split()[2:4] for line in done.stdout.splitlines()[1:4]] == [
        ["a", "one"],
        ["a", "two"],
        ["b", "three"],
    ]
    assert (
        "systems that share a letter do not differ by f1 (paired bootstrap, Holm's" in done.stdout
    )


# -- long lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--segments", "-o", "scores.tsv"]])
def test_a_line_that_is_too_long_is_named(texts, run, options):
    write(texts / "long.txt", "the cat sat on the mat", "word " * 70_000)
    done = run("score", "-r", "ref.txt", "bad.txt", "X=long.txt", "-m", "beer", *options)
    assert done.stdout == ""
    assert done.stderr == (
        "rankwise: long.txt:2: the line has 350,000 characters; beer takes up to 300,000 "
        "(beer:longest=N takes more)\n"
    )
    assert done.exit_code == 1
