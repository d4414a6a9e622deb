"""``rankwise rank`` of values: exact output, messages and exit codes."""

import json

import pytest

from rankwise.cli.rank.rank_options import rank_options
from rankwise.io.formats.assessments.error_spans import WEIGHTS

ESA = {
    "langs": "cs-en", "src": "Dům.", "tgt": "The house.", "esa_spans": [],
}  # fmt: skip
MQM_HEADER = (
    "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The same four segments as a table, as ESA and as MQM, in the current folder."""
    lines = ["annotator\tsystem\tseg\tkind\tscore\tqc"]
    esa, mqm = [], [MQM_HEADER]
    for g in range(1, 9):
        for judge, strict in (("ann", 0), ("bob", -10)):
            for system, ability in (("good", 90), ("bad", 60)):
                score = ability + strict + g % 4
                lines.append(f"{judge}\t{system}\t{g}\tDA\t{score}\tTGT")
                span = {"start_i": 0, "end_i": 2, "severity": "minor", "error_type": None}
                major = {**span, "severity": "major"}
                spans = [span] if system == "good" else [major, span]
                place = {
                    "line_id": g,
                    "doc_id": f"d{g // 3}",
                    "domain": "news" if g < 5 else "talk",
                }
                said = {"esa_score": str(score), "system": system, "annotator": judge}
                esa.append(json.dumps({**ESA, **place, **said, "esa_spans": spans}))
                marks = ["Fluency/Grammar\tMinor"] * (g % 2)
                marks += ["Accuracy/Omission\tMajor"] * (system == "bad")
                for mark in marks or ["no-error\tno-error"]:
                    text = "Dům.\t<v>The</v> big <v>house</v>."
                    mqm.append(f"{system}\td{g // 3}\t{g}\t{g}\t{judge}\t{text}\t{mark}\t{{}}")
    (tmp_path / "da.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "esa.jsonl").write_text("\n".join(esa) + "\n", "utf-8")
    (tmp_path / "mqm.tsv").write_text("\n".join(mqm) + "\n", "utf-8")
    (tmp_path / "docs.tsv").write_text("".join(f"news\td{g // 3}\n" for g in range(1, 9)), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_system_that_was_judged_little_is_named(files, run):
    table = files / "da.tsv"
    lines = table.read_text("utf-8") + "ann\tnew\t1\tDA\t99\tTGT\n"
    table.write_text(lines, "utf-8")
    said = (
        "judged little, so that its rank is hardly known: new (1 judgments, the median system "
        "has 16)\n"
    )
    done = run("rank", "da.tsv")
    assert said in done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines() if line.endswith("new")] == ["1-3"]
    assert said in run("rank", "da.tsv", "--recipe", "wmt17").stderr


def test_the_table_of_values(files, run):
    done = run("rank", "da.tsv")
    assert done.exit_code == 0
    assert done.stdout == (
        "cluster  ranks   score     low     high   line     raw       z  judgments  system\n"
        "      1  1      86.500  24.998  148.002  1.000  86.500   0.966         16  good\n"
        "---------------------------------------------------------------------------------\n"
        "      2  2      56.500  -5.002  118.002         56.500  -0.966         16  bad\n"
    )
    assert done.stderr == (
        "32 judgments, 2 judges, 8 segments; mixed:average=segment:unit=judge+document:"
        "version=0.1.0 draws:runs=1000:seed=1:level=0.95\n"
        "the judgments name no documents: segments stand for them\n"
    )


def test_a_recipe_says_how_often_it_is_wrong(files, run):
    # Four segments of each domain: p = 1/8 in both, which Stouffer's method joins to .0519.
    done = run("rank", "esa.jsonl", "--recipe", "wmt24")
    assert done.stdout == (
        "cluster  ranks   score     raw       z  judgments  system\n"
        "      1  1-2    86.500  86.500   0.966         16  good\n"
        "      1  1-2    56.500  56.500  -0.966         16  bad\n"
    )
    assert "32 judgments, 2 judges, 8 segments, 3 documents; mean:normalise=none" in done.stderr
    assert "the test of wmt24 takes segments for independent" in done.stderr


@pytest.mark.parametrize("form", ["da.tsv", "esa.jsonl", "mqm.tsv"])
@pytest.mark.parametrize("options", [(), ("--model", "mean"), ("--recipe", "wmt26")])
def test_every_form_of_values_ranks_the_better_system_first(files, run, form, options):
    done = run("rank", form, *options, "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert [row["system"] for row in found["rows"]] == ["good", "bad"]
    part = found["parts"][0]
    assert (part["judgments"], part["judges"], part["segments"]) == (32, 2, 8)


def test_errors_by_severity_and_category(files, run):
    """An error that is marked in two places is one."""
    done = run("rank", "mqm.tsv", "--errors")
    assert done.stdout.partition("errors\n\n")[2] == (
        "system  judgments  errors  per judgment  major  minor  accuracy  fluency\n"
        "good           16       8         0.500      0      8         0        8\n"
        "bad            16      24         1.500     16      8        16        8\n"
    )
    rows = run("rank", "mqm.tsv", "--errors", "--format", "tsv").stdout.splitlines()
    assert rows == [
        "system\tseverity\tcategory\terrors\tjudgments",
        "good\tminor\tfluency/grammar\t8\t16",
        "bad\tmajor\taccuracy/omission\t16\t16",
        "bad\tminor\tfluency/grammar\t8\t16",
    ]


def test_agreement_of_judges_on_values_and_errors(files, run):
    """Both judges marked the same, so that all measures of errors are 1 and have no scatter."""
    done = run("rank", "esa.jsonl", "--agreement", "--per-judge")
    assert done.exit_code == 0
    assert done.stdout.partition("agreement of judges\n\n")[2] == (
        "agreement                       value    low   high  chance   n\n"
        "alpha of values                 1.000  1.000  1.000   0.000  32\n"
        "F1 of characters                1.000  1.000  1.000       -  16\n"
        "F1 of characters, any severity  1.000  1.000  1.000       -  16\n"
        "F1 of errors                    1.000  1.000  1.000       -  16\n"
        "F1 of errors, any severity      1.000  1.000  1.000       -  16\n"
        "some errors or none             1.000  1.000  1.000   1.000  16\n\n"
        "48 errors in 8 segments; n: judges of one text, in pairs\n\n"
        "agreement by judge, on errors\n\n"
        "judge   pairs  characters  characters-any  errors  errors-any  some-or-none\n"
        "judge1     16       1.000           1.000   1.000       1.000         1.000\n"
        "judge2     16       1.000           1.000   1.000       1.000         1.000\n"
    )
    rows = run("rank", "esa.jsonl", "--agreement", "--format", "tsv").stdout.splitlines()
    assert rows[0] == "agreement\tvalue\tlow\thigh\tchance\tn" and len(rows) == 7
    found = json.loads(run("rank", "esa.jsonl", "--agreement", "--format", "json").stdout)
    assert found["agreement"][1]["agreement"] == "characters"
    assert found["judges"][1]["judge"] == "judge2"
    assert "nobody marked errors" in run("rank", "da.tsv", "--agreement").stdout


def test_errors_where_no_category_is_named(files, run):
    done = run("rank", "esa.jsonl", "--errors")
    assert done.stdout.partition("errors\n\n")[2] == (
        "system  judgments  errors  per judgment  major  minor\n"
        "good           16      16         1.000      0     16\n"
        "bad            16      32         2.000     16     16\n"
    )
    assert "errors: none were marked" in run("rank", "da.tsv", "--errors").stdout


def test_scores_of_mqm_are_the_published_weights(files, run):
    done = run("rank", "mqm.tsv", "--model", "mean:normalise=none", "--format", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    scores = {row[-1]: float(row[3]) for row in rows[1:]}
    assert scores == {"good": -0.5, "bad": -5.5}


def test_differences_and_their_p_values(files, run):
    done = run("rank", "da.tsv", "--pairwise", "--model", "mixed:unit=segment")
    assert "1  good    -  30.00‡" in done.stdout
    rows = run("rank", "da.tsv", "--pairwise", "--format", "csv").stdout.splitlines()
    assert rows[0] == "system,other,difference,p"
    assert rows[1].startswith("good,bad,30.0")


def test_documents_come_from_a_file(files, run):
    done = run("rank", "da.tsv", "--documents", "docs.tsv")
    assert "8 segments, 3 documents" in done.stderr
    assert "name no documents" not in done.stderr
    (files / "short.tsv").write_text("news\td\n", "utf-8")
    done = run("rank", "da.tsv", "--documents", "short.tsv")
    assert done.exit_code == 1
    assert (
        "short.tsv has 1 lines, and a segment is '2'; expected the number of a line" in done.stderr
    )


def test_parts_of_values(files, run):
    done = run("rank", "esa.jsonl", "--by", "domain", "--format", "csv")
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == [
        "by domain", "news", "news", "talk", "talk",
    ]  # fmt: skip
    assert "domain news: 16 judgments" in done.stderr
    done = run("rank", "esa.jsonl", "--by", "colour")
    assert "no column 'colour'; choose from judge, segment, document, domain" in done.stderr
    done = run("rank", "da.tsv", "--judges", "a*")
    assert "16 judgments, 1 judges" in done.stderr
    assert "one judge: nothing is known about how others would have judged" in done.stderr


def test_language_pairs_are_ranked_one_by_one(files, run):
    lines = (files / "esa.jsonl").read_text("utf-8")
    (files / "two.jsonl").write_text(lines + lines.replace("cs-en", "cs-uk"), "utf-8")
    done = run("rank", "two.jsonl")
    assert done.exit_code == 0
    assert done.stdout.startswith("cs-en\n\ncluster") and "\ncs-uk\n\ncluster" in done.stdout
    assert "cs-en: 32 judgments" in done.stderr and "cs-uk: 32 judgments" in done.stderr
    (files / "uk.jsonl").write_text(lines.replace("cs-en", "cs-uk"), "utf-8")
    assert run("rank", "esa.jsonl", "uk.jsonl").stdout == done.stdout
    done = run("rank", "two.jsonl", "--language-pair", "cs-uk", "--format", "csv")
    assert len(done.stdout.splitlines()) == 3 and "language pair" not in done.stdout
    rows = run("rank", "two.jsonl", "--by", "domain", "--format", "csv").stdout.splitlines()
    assert rows[0].startswith("language pair,by domain,cluster") and len(rows) == 9
    csv = "".join(
        f"{user},{system},{item},TGT,{pair},{90 - 20 * (system == 'bad') + item},1.0,2.0\n"
        for pair in ("ces,eng", "eng,ces")
        for user in ("ann", "bob")
        for item in (1, 2, 3)
        for system in ("good", "bad")
    )
    (files / "appraise.csv").write_text(csv, "utf-8")
    done = run("rank", "appraise.csv")
    assert "ces-eng: 12 judgments" in done.stderr and "eng-ces: 12 judgments" in done.stderr


def test_judges_of_two_files_are_not_the_same(files, run):
    """Readers call judges judge1, judge2; those of another file are others."""
    lines = (files / "esa.jsonl").read_text("utf-8")
    (files / "more.jsonl").write_text(
        lines.replace('"ann"', '"eve"').replace('"bob"', '"kim"'), "utf-8"
    )
    done = run("rank", "esa.jsonl", "more.jsonl")
    assert "64 judgments, 4 judges, 8 segments, 3 documents" in done.stderr
    assert "kim" not in run("rank", "esa.jsonl", "more.jsonl", "--by", "judge").stderr


def test_a_kind_is_chosen_among_several(files, run):
    lines = (files / "da.tsv").read_text("utf-8")
    (files / "both.tsv").write_text(lines + "ann\tgood\t1\tESA\t50\tTGT\n", "utf-8")
    done = run("rank", "both.tsv")
    assert done.exit_code == 1 and "there are several" in done.stderr and "kind" in done.stderr
    assert run("rank", "both.tsv", "--kind", "DA").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("da.tsv", "--curve"), "--curve is for rankings; the files hold values"),
        (("da.tsv", "--unit", "pair"), "--model mixed:unit=judge"),
        (("da.tsv", "--plot", "x.png", "--plot-kind", "heatmap"), "of values choose from ranges"),
        (("da.tsv", "--recipe", "wmt17", "--plot", "x.png"), "draws no runs"),
    ],
)
def test_what_is_for_rankings_alone(files, run, arguments, message):
    done = run("rank", *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_what_is_for_values_alone(files, run):
    (files / "rankings.csv").write_text(
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
        "rankingID\nfr,en,1,1,ann,A,1,B,2,1\n",
        "utf-8",
    )
    done = run("rank", "rankings.csv", "--errors")
    assert done.exit_code == 2 and "--errors is for values" in done.stderr
    done = run("rank", "da.tsv", "rankings.csv")
    assert done.exit_code == 1
    assert "da.tsv holds values and rankings.csv does not; rank them one by one" in done.stderr
    done = run("rank", "esa.jsonl", "--kind", "DA")
    assert done.exit_code == 1 and "files of this format have no 'kind'" in done.stderr


@pytest.mark.parametrize("kind", ["ranges", "ratings"])
def test_figures_of_values(files, run, kind):
    pytest.importorskip("matplotlib")
    done = run("rank", "esa.jsonl", "--by", "domain", "--plot", "x.svg", "--plot-kind", kind)
    assert done.exit_code == 0
    assert (files / "x.news.svg").read_text("utf-8").startswith("<?xml")
    assert (files / "x.talk.svg").exists()


def test_tables_in_other_forms(files, run):
    assert "<table" in run("rank", "da.tsv", "--format", "html").stdout
    assert run("rank", "da.tsv", "--format", "markdown").stdout.startswith("|")


def test_all_weights_can_be_chosen():
    options = {option.name: option for option in rank_options(lambda: None).__click_params__}
    assert tuple(options["weights"].type.choices) == tuple(WEIGHTS)
