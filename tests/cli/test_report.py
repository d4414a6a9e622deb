"""``rankwise report``: what it writes for which inputs, and what it says of bad ones."""

import json
import re
import shlex
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from evalset_folders import make_evalset

REFERENCES = ("-r", "ref.a.txt", "-r", "ref.b.txt")
SYSTEMS = tuple(f"systems/{name}.txt" for name in ("birch", "hazel", "rowan"))
LESS = ("--resamples", 20, "--runs", 20, "--draws", 20)
QUICK = (*LESS, "-m", "wer")
PEOPLE = ("-j", "judgments.jsonl", "--human", "assessments.tsv")
MODELS = Path(__file__).parents[1] / "neural" / "models"


@pytest.fixture
def example(tmp_path, monkeypatch) -> Path:
    """The files of the bundled example, in the current folder."""
    folder = tmp_path / "example"
    shutil.copytree(str(files("rankwise.bundled") / "example"), folder)
    monkeypatch.chdir(folder)
    return folder


def titles(path: Path) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", path.read_text(encoding="utf-8"))


def test_everything_is_on_one_page(example, run):
    more = ("--documents", "documents.tsv", "-s", "source.txt", "--title", "A & B")
    done = run("report", *QUICK, *REFERENCES, *PEOPLE, *more, "-o", "page.html", *SYSTEMS)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "report: page.html\n")
    assert titles(example / "page.html") == [
        "Automatic scores", "Human ranking", "Human scores: DA", "Metrics and people",
        "Pairwise significance", "Judgments", "Annotator agreement", "Score distributions",
        "By domain", "By document", "By length", "Segments that differ most", "A against B",
        "What was computed",
    ]  # fmt: skip
    page = (example / "page.html").read_text(encoding="utf-8")
    assert "<h1>A &amp; B</h1>" in page
    assert "Not on this page" not in page


def test_people_and_metrics_stand_in_one_table(example, run):
    pytest.importorskip("onnxruntime")
    comet = f"comet:model={MODELS / 'regression'}"
    metrics = ("-m", "chrf", "-m", "ter", "-m", comet, "-s", "source.txt")
    every = sorted(map(str, Path("systems").iterdir()))
    done = run("report", *REFERENCES, *metrics, *PEOPLE, *LESS, "-o", "page.md", *every)
    assert done.exit_code == 0
    paper = (example / "page.md").read_text(encoding="utf-8")
    lines = paper.partition("**Metrics and people: People and metrics side by side**\n\n")[2]
    head, _, *rows = ([c.strip(" *") for c in line.strip("|").split("|")]
                      for line in lines.partition("\n\n")[0].splitlines())  # fmt: skip
    assert head == ["system", "people: ranking", "people: DA", "chrf", "ter", comet]
    wanted = json.loads(run("rank", "judgments.jsonl", "--format", "json").stdout)["rows"]
    assert [row[:2] for row in rows] == [[r["system"], f"{r['score']:.3f}"] for r in wanted]
    people = json.loads(run("rank", "assessments.tsv", "--format", "json").stdout)["rows"]
    assert {row[0]: row[2] for row in rows} == {r["system"]: f"{r['score']:.3f}" for r in people}
    bold = next(line for line in lines.splitlines() if "rowan" in line)
    assert bold.count("**") == 8  # best by both kinds of people, chrF and TER, not by this model


def test_the_page_names_the_command_that_makes_it_again(example, run):
    options = (*QUICK, *REFERENCES, *PEOPLE, "--documents", "documents.tsv", "--exclude", "hazel")
    assert run("report", *options, "-o", "page.html", *SYSTEMS).exit_code == 0
    first = (example / "page.html").read_bytes()
    [command] = re.findall(r"<pre><code>(.*?)</code></pre>", first.decode())
    words = shlex.split(command)
    assert words[:2] == ["rankwise", "report"]
    (example / "page.html").unlink()
    assert run(*words[1:]).exit_code == 0
    assert (example / "page.html").read_bytes() == first


def test_its_numbers_are_those_of_the_other_commands(example, run):
    texts = (*REFERENCES, *SYSTEMS, "-m", "chrf", "-m", "ter")
    paper = run("report", *texts, "-j", "judgments.jsonl", "--format", "markdown", "-o", "-").stdout
    for command in (
        ("score", *texts, "--format", "markdown"),
        ("rank", "judgments.jsonl", "--format", "markdown"),
        ("meta", *texts, "-j", "judgments.jsonl", "--intervals", "--format", "markdown"),
    ):
        assert run(*command).stdout.strip() in paper


def test_the_name_of_the_file_says_what_is_written(example, run):
    for name, form in (("tables.md", "markdown"), ("tables.tex", "latex")):
        run("report", "-j", "judgments.jsonl", "-o", name)
        stated = run("report", "-j", "judgments.jsonl", "--format", form, "-o", "-").stdout
        assert Path(name).read_text(encoding="utf-8").strip() == stated.strip()


def test_its_agreement_is_that_of_agree(tmp_path, run, monkeypatch):
    make_evalset(tmp_path / "set", ("en-de",))
    monkeypatch.chdir(tmp_path)
    scores = [f"set/metric-scores/en-de/{name}.seg.score" for name in ("Good-refA", "Noise-src")]
    options = [word for path in scores for word in ("--scores", path)] + ["-t", "set", "-m", "chrf"]
    paper = run("report", *options, "--draws", 1000, "--format", "markdown", "-o", "-").stdout
    table = run("meta", *options, "--only-given", "--format", "tsv").stdout
    header, *rows = (line.split("\t") for line in table.splitlines())
    assert header[:2] == ["metric", "average"] and len(rows) == 3
    [_, part] = paper.split("Agreement with mqm")
    shown = {
        cells[1].strip(): cells[2].strip(" *").split()[-1]
        for cells in (line.split("|") for line in part.splitlines()[4:7])
    }
    assert shown == {
        name.removesuffix(" (rankwise)"): f"{float(average):.3f}" for name, average, *_ in rows
    }
    people = run("meta", *options, "--only-given", "--intervals", "--format", "markdown").stdout
    for line in people.splitlines()[2:5]:
        for interval in (line.split("|")[column].strip() for column in (4, 6)):
            assert interval.startswith("\\[") and interval in part
    without = run("report", *options, "--draws", 0, "--format", "markdown", "-o", "-").stdout
    assert "interval" in part.split("\n\n")[1] and "acc-eq interval" not in without


def test_its_agreement_with_human_scores_is_that_of_agree(example, run):
    texts = (*REFERENCES, *SYSTEMS, "--human", "assessments.tsv", "--draws", 50)
    paper = run("report", *texts, "--resamples", 20, "--format", "markdown", "-o", "-").stdout
    agreed = run("meta", *texts, "--intervals", "--format", "markdown").stdout
    table = agreed.replace("DA ", "").replace(" (rankwise)", "").split("\n\n")[0]
    shown = paper.partition("Agreement with DA")[2].split("\n\n")[1]
    rows = [[[cell.strip() for cell in line.split("|")] for line in text.splitlines() if "--" not in
             line] for text in (table, shown)]  # fmt: skip
    assert len(rows[0]) == 4  # a heading, and the usual three metrics
    assert rows[0] == rows[1]


def test_single_values_are_ranked_as_rank_does(example, run):
    """With the documents of the texts: scores and intervals, which nothing is drawn for."""
    more = ("--documents", "documents.tsv", "--format", "markdown", "-o", "-")
    options = (*REFERENCES, *sorted(str(p) for p in Path("systems").glob("*.txt")))
    paper = run("report", *options, "--human", "assessments.tsv", *more).stdout
    shown = paper.partition("Human scores: DA")[2]
    ranked = run("rank", "assessments.tsv", "--documents", "documents.tsv", "--format", "tsv")
    rows = [line.split("\t") for line in ranked.stdout.splitlines()[1:]]
    for row in rows:
        score, low, high, system = float(row[3]), float(row[4]), float(row[5]), row[-1]
        assert re.search(rf"{score:.3f} \| +{low:.3f} \| +{high:.3f} .*{system}", shown)


def test_the_report_counts_what_judges_marked(tmp_path, run, monkeypatch):
    lines = [
        f'{{"langs": "de-en", "line_id": {g}, "tgt": "yes", "doc_id": "d{g % 3}", "esa_spans": '
        f'[{{"start_i": 0, "end_i": 1, "severity": "minor", "error_type": null}}], '
        f'"esa_score": "{70 + 9 * (s == "A") + g % 4}", "system": "{s}", "annotator": "j{g % 2}"}}'
        for g in range(1, 13)
        for s in "AB"
    ]
    (tmp_path / "esa.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    paper = run("report", "--human", "esa.jsonl", "--format", "markdown", "-o", "-").stdout
    assert re.search(r"\| A +\| +12 \| +12 \| +1.000 \| +12 \|", paper)


def test_the_report_says_where_errors_lie_and_how_far_judges_agree(tmp_path, run, monkeypatch):
    span = '{"start_i": 0, "end_i": 1, "severity": "minor", "error_type": null}'
    lines = [
        f'{{"langs": "de-en", "line_id": {g}, "tgt": "yes, it is", "doc_id": "d", "esa_spans": '
        f'[{span if s == "A" or judge == "ann" else ""}], "esa_score": "{70 + g % 4}", '
        f'"system": "{s}", "annotator": "{judge}"}}'
        for g in range(1, 5)
        for s in "AB"
        for judge in ("ann", "bob")
    ]
    (tmp_path / "esa.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("A.txt", "B.txt", "ref.txt", "source.txt"):
        (tmp_path / name).write_text("yes, it is\n" * 4, encoding="utf-8")
    (tmp_path / "docs.tsv").write_text("news\td\n" * 4, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    texts = ("A.txt", "B.txt", "-r", "ref.txt", "-s", "source.txt", "--documents", "docs.tsv")
    options = (*QUICK, "--human", "esa.jsonl", "-o")
    assert run("report", *texts, *options, "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    # Of 8 pairs 4 share all 2 + 2 characters, and 4 have 2 against none; 2 of 10 by chance.
    assert re.search(r"F1 of characters</td>.*?0\.667.*?0\.133", page, re.DOTALL)
    assert "Where minor errors lie in a segment" in page
    assert "B, 0 to 10 % of the text: 50.00 % marked" in page
    assert "Where minor errors lie in a document" in page
    assert "B, 90 to 100 % of the text: 0.00 % marked" in page


@pytest.mark.parametrize(
    ("arguments", "first", "absent"),
    [
        (("-j", "judgments.jsonl"), "Human ranking", "automatic scores (give references"),
        (("--human", "assessments.tsv"), "Human scores: DA", "judgments per pair (give"),
        (("--scores", "numbers.txt"), "Automatic scores", "human ranking and agreement"),
        ((*REFERENCES, *SYSTEMS), "Automatic scores", "scores by domain (give --documents"),
        (("-s", "source.txt", *SYSTEMS, "-j", "judgments.jsonl"), "Human ranking", "automatic"),
    ],
    ids=["judgments", "human scores", "scores", "texts", "texts without references"],
)
def test_any_input_is_enough(example, run, arguments, first, absent):
    (example / "numbers.txt").write_text("1\n2\n3\n", encoding="utf-8")
    done = run("report", "--resamples", 20, "--runs", 20, *arguments, "-o", "page.html")
    assert (done.exit_code, done.stderr) == (0, "report: page.html\n")
    assert titles(example / "page.html")[0] == first
    page = (example / "page.html").read_text(encoding="utf-8")
    assert absent in re.search(r"Not on this page: (.*)</p>", page)[1]


def test_an_evalset_brings_its_human_scores(tmp_path, run, monkeypatch):
    make_evalset(tmp_path / "set")
    monkeypatch.chdir(tmp_path)
    stored = "set/metric-scores/en-de/Good-refA.seg.score"
    options = (*QUICK, "-t", "set", "--language-pair", "en-de", "--scores", stored)
    assert run("report", *options, "-o", "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>Evaluation of set en-de</h1>" in page
    assert "Human scores: mqm" in titles(tmp_path / "page.html")
    assert "Good-refA against mqm: Pearson" in page
    assert ">refA<" not in page  # the reference is no system


def test_tables_and_figures_for_a_paper(example, run):
    pytest.importorskip("matplotlib")
    options = (*QUICK, *REFERENCES, "-j", "judgments.jsonl")
    done = run("report", *options, "--format", "latex", "-o", "-", *SYSTEMS)
    assert done.stdout.startswith("% needs \\usepackage{booktabs}\n\\begin{table}\n")
    assert done.stdout.count("\\toprule") == 7
    assert "wer:lowercase=false" in done.stdout.replace("\\_", "_")
    done = run("report", *options, "--format", "markdown", "--figures", "figures", "-o", "paper.md",
               *SYSTEMS)  # fmt: skip
    assert done.stderr == "tables: paper.md\nfigures: 8 in figures\n"
    assert (example / "paper.md").read_text(encoding="utf-8").startswith("**Automatic scores**\n")
    names = {path.name for path in (example / "figures").iterdir()}
    assert len(names) == 24
    for suffix in ("png", "svg", "pdf"):
        assert f"agreement-human-ranking-wer.{suffix}" in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give some input"),
        (REFERENCES, "give the output files of the systems too"),
        (("-t", "x", *REFERENCES, *SYSTEMS), "give either --testset"),
        (("-j", "judgments.jsonl", "--model", "a", "--recipe", "wmt13"), "brings its own --model"),
        (("-j", "judgments.jsonl", "-m", "bleu"), "-m needs texts"),
        (("-j", "judgments.jsonl", "--exclude", "oak"), "--exclude is for texts and scores"),
        (
            ("-t", "x", "--documents", "documents.tsv"),
            "are for text files; a --testset has its own",
        ),
        (
            ("-j", "judgments.jsonl", "--documents", "documents.tsv"),
            "--documents is for text files; give the output files too",
        ),
        (
            (*REFERENCES, *SYSTEMS, "--resample-by", "document"),
            "--resample-by document needs --documents or --testset",
        ),
    ],
)
def test_wrong_usage(example, run, arguments, message):
    done = run("report", *arguments, "-o", "page.html")
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (example / "page.html").exists()


def test_a_suffix_that_is_not_written_names_those_that_are(example, run):
    done = run("report", *REFERENCES, *SYSTEMS, "-o", "page.pdf")
    assert done.exit_code == 2
    assert "the suffix must be one of .md, .tex, .html, or say --format" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (*REFERENCES, *SYSTEMS, "--exclude", "oak"),
            "there is no system 'oak' to leave out; there are birch, hazel, rowan",
        ),
        (
            ("--scores", "oak.tsv", "--exclude", "elm"),
            "there is no system 'elm' to leave out; there are oak",
        ),
        (
            ("--human", "oak.tsv", "--exclude", "oak"),
            "every system is left out; expected at least one to stay",
        ),
        (
            (*REFERENCES, *SYSTEMS, "--documents", "short.tsv"),
            "short.tsv has 1 line for 60 segments; expected one for each",
        ),
        (
            (*REFERENCES, *SYSTEMS, "--scores", "oak.tsv"),
            "scores 'oak' have no system 'birch'; they have oak",
        ),
        (
            (*REFERENCES, *SYSTEMS, "--human", "oak.tsv"),
            "human scores 'oak' are of none of the systems birch, hazel, rowan; they are of oak",
        ),
        (
            (*REFERENCES, *SYSTEMS, "-j", "other.csv"),
            "the judgments are of oak, elm, the scores of birch, hazel, rowan; expected some "
            "systems of the same name",
        ),
        (("-j", "oak.tsv", "-j", "oak.tsv"), "oak.tsv is given twice; expected every file once"),
        (("--scores", "oak.tsv", "--scores", "oak.tsv"), "oak.tsv is given twice; expected"),
        (("-j", "missing.csv"), "missing.csv: cannot be read: No such file or directory"),
        (("-j", "judgments.jsonl", "--language-pair", "fr-en"),
         "no judgments of language pair 'fr-en'; found de-en"),
        (
            ("-s", "source.txt", *SYSTEMS, "-m", "bleu"),
            "segment 1 has no reference; expected at least one",
        ),
    ],
    ids=["exclude", "exclude score", "exclude all", "documents", "scores", "human", "judgments",
         "judgments twice", "scores twice", "missing", "pair", "no reference"],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_leaves_nothing(example, run, arguments, message):
    (example / "short.tsv").write_text("news\tone\n", encoding="utf-8")
    (example / "oak.tsv").write_text("system\tsegment\tscore\noak\t1\t0.5\n", encoding="utf-8")
    (example / "other.csv").write_text(
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
        "rankingID\ncs,en,1,1,ann,oak,1,elm,2,1\n",
        encoding="utf-8",
    )
    done = run("report", "--resamples", 20, "--runs", 20, *arguments, "-o", "page.html")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert not (example / "page.html").exists()


def test_a_page_that_cannot_be_written_is_one_sentence(example, run):
    done = run("report", "-j", "judgments.jsonl", "--runs", 20, "-o", "none/page.html")
    assert done.exit_code == 1
    assert done.stderr.startswith("rankwise: none/page.html: cannot be written")
