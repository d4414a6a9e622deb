"""``rankwise rank``: exact output, messages and exit codes."""

import json

import pytest

from rankwise.aggregate.ranker import Ranker
from rankwise.cli.common import progress
from rankwise.cli.rank.rank_options import PLOT_KINDS
from rankwise.present.rank_figures import KINDS

HEADER = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judgments of one language pair and of two, in the current folder."""
    good = [("fr", s, "ann", "good", 1, "bad", 2) for s in range(1, 13)]
    good += [("fr", 1, "bob", "bad", 2, "good", 1)]
    german = [("de", s, "ann", "good", 2, "bad", 1) for s in range(1, 13)]
    _write(tmp_path / "one.csv", good)
    _write(tmp_path / "two.csv", good + german)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(path, rows):
    lines = [
        f"{source},en,{s},{s},{judge},{one},{r1},{other},{r2},{number}"
        for number, (source, s, judge, one, r1, other, r2) in enumerate(rows, 1)
    ]
    path.write_text("\n".join([HEADER + ",rankingID", *lines]) + "\n", encoding="utf-8")


def test_the_table_of_the_papers(files, run):
    done = run("rank", "one.csv", "--model", "expected-wins")
    assert done.stdout == (
        "cluster  ranks  score   line  system\n"
        "      1  1      1.000  1.000  good\n"
        "------------------------------------\n"
        "      2  2      0.000         bad\n"
    )
    assert done.stderr == (
        "13 rankings (0 skipped), 13 pairs; expected-wins:variant=wmt13:version=0.1.0 "
        "bootstrap:runs=1000:seed=1:unit=screen:level=0.95\n"
    )


def test_a_system_that_was_hardly_compared_is_named(files, run):
    rows = [("fr", s, "ann", "A", 1, "B", 2) for s in range(40)]
    rows += [("fr", s, "ann", "C", 1, "B", 2) for s in range(40)]
    _write(files / "some.csv", [*rows, ("fr", 41, "ann", "new", 1, "B", 2)])
    said = "hardly known: new (1 comparisons, the median system has 40)"
    assert said in run("rank", "some.csv", "--runs", 10).stderr
    _write(files / "some.csv", rows)
    assert "hardly known" not in run("rank", "some.csv", "--runs", 10).stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--runs", 1), "1 run: ranges look surer than they are, as those of level 0.95 need 40"),
        (("--runs", 39), "39 runs: ranges look surer than they are"),
        (("--runs", 40), None),
        (("--runs", 20, "--level", 0.9), None),
    ],
)
def test_few_runs_are_said_to_look_sure(files, run, given, said):
    done = run("rank", "one.csv", "--model", "expected-wins", *given)
    assert done.exit_code == 0
    assert said in done.stderr if said else "surer than they are" not in done.stderr


def test_few_rankings_are_said_to_look_sure(files, run):
    said = "ranks and lines look surer there than they are"
    rows = [("fr", s, "ann", "A", 1, "B", 2) for s in range(6)]
    _write(files / "six.csv", rows)
    assert said not in run("rank", "six.csv").stderr
    _write(files / "five.csv", rows[:5])
    assert f"fewer than 6 rankings: {said}" in run("rank", "five.csv").stderr
    _write(files / "both.csv", [*rows, *(("de", *row[1:]) for row in rows[:5])])
    assert f"fewer than 6 rankings in 1 of 2 parts: {said}" in run("rank", "both.csv").stderr


def test_pairs_that_were_never_compared_are_said_where_they_lower_scores(files, run):
    """C beat A every time, but never met B: Expected Wins puts both at one half."""
    rows = [("fr", s, "ann", "A", 1, "B", 2) for s in range(5)]
    _write(files / "some.csv", rows + [("fr", s, "ann", "C", 1, "A", 2) for s in range(5)])
    done = run("rank", "some.csv", "--runs", 40, "--model", "expected-wins")
    assert [(line.split()[2], line.split()[-1]) for line in done.stdout.splitlines()[1:3]] == [
        ("0.500", "A"),
        ("0.500", "C"),
    ]
    assert done.stderr.splitlines()[1] == (
        "1 of 3 pairs of systems have no decided comparison, which counts as lost for both; "
        "--model trueskill or bradley-terry does not count it"
    )
    other = run("rank", "some.csv", "--runs", 10)
    assert other.stdout.splitlines()[1].split()[-1] == "C"
    assert "no decided" not in other.stderr


@pytest.mark.parametrize(
    "how",
    [
        ("--model", "expected-wins"),
        ("--model", "trueskill"),
        ("--model", "hopkins-may:iterations=60"),
        ("--model", "bradley-terry:prior=0.1"),
        ("--model", "fligner-verducci"),
        ("--recipe", "wmt16"),
    ],
    ids=lambda how: how[1].partition(":")[0],
)
def test_groups_that_were_never_compared_are_said(files, run, how):
    """A met B, and C met D and D met E: nothing says where A stands beside C."""
    met = (("A", "B"), ("C", "D"), ("D", "E"))
    rows = [("fr", s, "ann", one, 1, two, 2) for s in range(5) for one, two in met]
    rows += [("fr", 6, "ann", two, 1, one, 2) for one, two in met]
    _write(files / "apart.csv", rows)
    done = run("rank", "apart.csv", "--runs", 10, *how)
    assert done.exit_code == 0
    said = done.stderr.splitlines()[-1]
    assert said.startswith(
        "the systems fall into 2 groups that were never compared with each other ("
    )
    assert said.endswith("): only the order within a group rests on judgments")
    groups = said.partition("(")[2].partition(")")[0].split("; ")
    assert {frozenset(group.split(", ")) for group in groups} == {frozenset("AB"), frozenset("CDE")}
    _write(files / "joined.csv", [*rows, ("fr", 7, "ann", "B", 1, "C", 1)])  # a tie joins too
    assert "groups" not in run("rank", "joined.csv", "--runs", 10, *how).stderr


def test_groups_of_several_parts_are_said_in_one_line(files, run):
    rows = [(pair, 1, "ann", *who) for pair in ("fr", "de") for who in [("A", 1, "B", 2)]]
    _write(files / "parts.csv", [*rows, ("de", 2, "ann", "C", 1, "D", 2)])
    said = run("rank", "parts.csv", "--runs", 10, "--model", "trueskill").stderr.splitlines()
    assert said[-1] == (
        "in 1 of 2 parts the systems fall into groups that were never compared with each other: "
        "de-en"
    )


def test_every_language_pair_has_its_table(files, run):
    wins = ("--model", "expected-wins")
    done = run("rank", "two.csv", *wins)
    assert done.stdout == (
        "fr-en\n\n"
        "cluster  ranks  score   line  system\n"
        "      1  1      1.000  1.000  good\n"
        "------------------------------------\n"
        "      2  2      0.000         bad\n"
        "\n"
        "de-en\n\n"
        "cluster  ranks  score   line  system\n"
        "      1  1      1.000  1.000  bad\n"
        "------------------------------------\n"
        "      2  2      0.000         good\n"
    )
    assert done.stderr.startswith("2 parts, 25 rankings (0 skipped), 25 pairs; expected-wins:")
    one = run("rank", "two.csv", "--language-pair", "German-English", "--format", "tsv", *wins)
    assert one.stdout.splitlines()[1:] == [
        "1\t1\t1\t1.0\t0.0\t1.0\tbad",
        "2\t2\t2\t0.0\t0.0\t\tgood",
    ]


def test_tsv_holds_all_parts_in_one_table(files, run):
    done = run("rank", "two.csv", "--by", "judge", "--format", "tsv", "--model", "expected-wins")
    assert done.stdout.splitlines() == [
        "language pair\tby judge\tcluster\trank low\trank high\tscore\tdeviation\tboundary\tsystem",
        "fr-en\tann\t1\t1\t1\t1.0\t0.0\t1.0\tgood",
        "fr-en\tann\t2\t2\t2\t0.0\t0.0\t\tbad",
        "fr-en\tbob\t1\t1\t1\t1.0\t0.0\t1.0\tgood",
        "fr-en\tbob\t2\t2\t2\t0.0\t0.0\t\tbad",
        "de-en\tann\t1\t1\t1\t1.0\t0.0\t1.0\tbad",
        "de-en\tann\t2\t2\t2\t0.0\t0.0\t\tgood",
    ]


def test_pairwise_and_agreement_follow_the_ranking(files, run):
    done = run("rank", "one.csv", "--pairwise", "--agreement", "--per-judge")
    assert done.stdout.split("\n\n", 1)[1] == (
        "wins of column over row\n\n"
        "#  system      1     2\n"
        "1  good        -  .00‡\n"
        "2  bad     1.00‡     -\n\n"
        "share of the decided comparisons won by the system of the column; "
        "* † ‡: p < .10, .05, .01 (sign test, ties set aside)\n\n"
        "comparisons\n\n"
        "#  system   1   2\n"
        "1  good     -  13\n"
        "2  bad     13   -\n\n"
        "ties count here\n\n"
        "agreement of judges\n\n"
        "agreement  observed  chance  kappa  low  high  cohen  alpha  ordinal alpha  identical"
        "  comparable  labels\n"
        "inter         1.000   0.500  1.000    -     -  1.000  1.000          1.000          1"
        "           1      13\n"
        "intra             -       -      -    -     -      -      -              -          0"
        "           0       0\n\n"
        "intra: no judge compared the same two texts twice\n\n"
        "agreement by judge\n\n"
        "judge  rankings  inter observed  inter kappa  inter comparable  intra observed  "
        "intra kappa  intra comparable\n"
        "ann          12           1.000        1.000                 1               -  "
        "          -                 0\n"
        "bob           1           1.000        1.000                 1               -  "
        "          -                 0\n"
    )


@pytest.mark.parametrize(
    ("option", "first"),
    [
        ("--pairwise", "system\tother\twins\tlosses\tties\tshare\tp\tp holm"),
        ("--agreement", "agreement\tobserved\tchance\tkappa\tlow\thigh\tcohen\talpha"),
        ("--per-judge", "judge\trankings\tinter observed\tinter kappa"),
    ],
)
def test_tsv_of_what_was_asked_for(files, run, option, first):
    assert run("rank", "one.csv", option, "--format", "tsv").stdout.startswith(first)


def test_the_historic_agreement_forgets_mirrored_pairs(files, run):
    done = run("rank", "one.csv", "--agreement", "--compat", "wmt", "--format", "tsv")
    row = dict(zip(*(line.split("\t") for line in done.stdout.splitlines()[:2]), strict=True))
    assert (row["comparable"], row["kappa"], row["labels"]) == ("0", "", "13")


def test_json_holds_everything(files, run):
    found = json.loads(run("rank", "two.csv", "--format", "json").stdout)
    assert [row["language pair"] for row in found["rows"]] == ["fr-en"] * 2 + ["de-en"] * 2
    assert [part["wins"] for part in found["parts"]] == [[[0, 13], [0, 0]], [[0, 12], [0, 0]]]
    assert found["parts"][0]["pairwise"][0]["p"] == 2 / 2**13
    assert found["parts"][0]["agreement"]["inter"]["kappa"] == 1.0
    by_judge = json.loads(run("rank", "one.csv", "--by", "judge", "--format", "json").stdout)
    assert [part["labels"] for part in by_judge["parts"]] == [{"judge": "ann"}, {"judge": "bob"}]


@pytest.mark.parametrize("model", ["trueskill", "bradley-terry", "fligner-verducci"])
def test_other_models(files, run, model):
    done = run("rank", "one.csv", "--model", model, "--runs", 20, "--format", "tsv")
    if done.exit_code == 1:  # good never lost: Bradley-Terry says so instead of guessing
        assert (model, "good" in done.stderr) == ("bradley-terry", True)
    else:
        assert [line.split("\t")[-1] for line in done.stdout.splitlines()[1:]] == ["good", "bad"]
        assert f"{model}:" in done.stderr


@pytest.mark.parametrize("recipe", ["wmt13", "wmt15", "wmt16"])
def test_recipes(files, run, recipe):
    done = run("rank", "one.csv", "--recipe", recipe, "--runs", 20, "--format", "tsv")
    assert [line.split("\t")[-1] for line in done.stdout.splitlines()[1:]] == ["good", "bad"]
    assert done.stderr.endswith(f"recipe={recipe}:runs=20:seed=1:level=0.95\n")
    unknown = run("rank", "one.csv", "--recipe", "wmt99")
    assert unknown.exit_code == 1
    assert "unknown recipe 'wmt99'; choose from wmt13, wmt15, wmt16" in unknown.stderr


def test_a_signature_that_differs_is_said_for_each_part(files, run):
    done = run("rank", "two.csv", "--recipe", "wmt15", "--runs", 40, "--format", "tsv")
    first, second = done.stderr.splitlines()
    assert first.startswith("fr-en: 13 rankings") and ":matches=14:" in first
    assert second.startswith("de-en: 12 rankings") and ":matches=13:" in second


@pytest.mark.parametrize("kind", ["ranges", "ratings", "early-late", "clusters"])
def test_recipes_are_drawn(files, run, kind, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("rankwise.present.rank_figures.REPEATS", 1)
    done = run("rank", "one.csv", "--recipe", "wmt15", "--runs", 5, "--plot", "x.svg",
               "--plot-kind", kind)  # fmt: skip
    assert done.exit_code == 0
    assert (files / "x.svg").stat().st_size > 1000


def test_parts_that_cannot_be_ranked_are_named(files, run):
    text = (files / "one.csv").read_text() + "fr,en,2,2,cem,good,-1,bad,-1,99\n"
    (files / "more.csv").write_text(text)
    done = run("rank", "more.csv", "--by", "judge", "--format", "tsv")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[0] == (
        "judge cem: left out, the judgments hold no comparison of two ranked systems"
    )
    alone = run("rank", "more.csv", "--judges", "cem")
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert alone.stderr == "rankwise: the judgments hold no comparison of two ranked systems\n"


# -- figures ---------------------------------------------------------------------------------------


def test_every_kind_of_figure_can_be_asked_for():
    assert tuple(KINDS) == PLOT_KINDS


def test_figures_are_written_and_the_same_again(files, run):
    pytest.importorskip("matplotlib")
    done = run("rank", "one.csv", "--plot", "a.svg", "--plot", "b.png",
               "--plot-kind", "ranges", "--plot-kind", "heatmap")  # fmt: skip
    assert done.stderr.startswith("figure: a.svg\nfigure: b.png\n13 rankings")
    first = (files / "a.svg").read_bytes()
    assert run("rank", "one.csv", "--plot", "a.svg").exit_code == 0
    assert (files / "a.svg").read_bytes() == first
    assert (files / "b.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("how", [(), ("--recipe", "wmt15")])
def test_figures_do_not_compute_the_runs_again(files, run, monkeypatch, how):
    pytest.importorskip("matplotlib")
    ranked, calls = Ranker.board_and_runs, []

    def counted(ranker, *given, **options):
        calls.append(ranker.runs)
        return ranked(ranker, *given, **options)

    monkeypatch.setattr(Ranker, "board_and_runs", counted)
    options = ("--runs", 20, "--plot", "a.svg", "--plot", "b.svg", "--plot-kind", "ranges")
    done = run("rank", "two.csv", *how, *options, "--plot-kind", "ratings")
    assert done.exit_code == 0
    assert calls == [20, 20]  # one for each language pair


@pytest.mark.parametrize("name", ["one.csv", "two.csv"])
def test_runs_are_counted_on_terminals_alone(files, run, monkeypatch, name):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    arguments = ("rank", name, "--model", "hopkins-may:iterations=20000", "--runs", 60)
    silent = run(*arguments)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    shown = run(*arguments)
    assert shown.stdout == silent.stdout
    assert shown.stderr.endswith(silent.stderr) and "runs" not in silent.stderr.split(";")[0]
    assert "runs" in shown.stderr and f"/{60 * (1 + (name == 'two.csv'))}" in shown.stderr


def test_every_ranking_gets_its_own_figure(files, run):
    pytest.importorskip("matplotlib")
    assert run("rank", "two.csv", "--plot", "x.svg", "--plot-kind", "ratings").exit_code == 0
    assert sorted(path.name for path in files.glob("x*")) == ["x.de-en.svg", "x.fr-en.svg"]


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv"], "none.csv: cannot be read: No such file or directory"),
        (["one.csv", "one.csv"], "one.csv is given twice; expected every file once"),
        (["one.csv", "./one.csv"], "one.csv and ./one.csv are the same file; expected every"),
        (["one.csv", "--judges", "zoe*"], "no judge matches 'zoe*'"),
        (["one.csv", "--language-pair", "en-fr"],
         "no judgments of language pair 'en-fr'; found fr-en"),
        (["one.csv", "--by", "colour"],
         "the judgments have no column 'colour'; choose from judge, segment"),
        (["one.csv", "--level", "2"], "level 2.0 is no share between 0 and 1; 0.95 means 95 %"),
        (["one.csv", "--seed", "-1"], "seed is -1; expected a whole number from 0"),
        (["one.csv", "--plot", "no/x.svg"], "no/x.svg: cannot be written"),
        (["one.csv", "--plot", "x.svg", "--plot-kind", "early-late", "--judges", "bob"],
         "1 comparisons are too few for early and late ones"),
    ],
)  # fmt: skip
def test_bad_data_are_one_sentence_and_nothing_else(files, run, arguments, message):
    done = run("rank", *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"rankwise: {message}")
    assert done.stderr.count("\n") == 1
    assert not list(files.glob("*.svg"))


def test_an_unknown_model_lists_the_known(files, run):
    done = run("rank", "one.csv", "--model", "elo")
    assert done.exit_code == 1
    assert done.stderr.startswith("rankwise: unknown model 'elo'; choose from ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "wmt15", "--model", "trueskill"], "a --recipe brings its own --model"),
        (["--recipe", "wmt15", "--unit", "pair"], "a --recipe brings its own --unit"),
        (["--pairwise", "--agreement", "--format", "tsv"], "TSV holds one table"),
        (["--compat", "wmt"], "--compat needs --agreement, --per-judge or --format json"),
        (["--plot-kind", "ranges"], "--plot-kind needs --plot"),
        (["--plot", "a.svg", "--plot", "b.svg"], "2 --plot but 0 --plot-kind"),
        (["--plot", "a.gif"], "the suffix must be one of .png, .svg, .pdf"),
        (["--plot", "a.svg", "--plot-kind", "pie"], "'pie' is not one of"),
        (["--runs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage(files, run, arguments, message):
    done = run("rank", "one.csv", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_file_without_rankings(files, run):
    (files / "empty.csv").write_text(HEADER + ",rankingID\n")
    done = run("rank", "empty.csv")
    assert (done.exit_code, done.stderr) == (1, "rankwise: empty.csv: no rankings\n")


def test_runs_in_other_processes_are_the_same_runs(files, run):
    options = ("rank", "two.csv", "--model", "bradley-terry:prior=0.1", "--runs", "50")
    here = run(*options)
    there = run(*options, "--engine", "local", "--workers", "1")
    assert here.exit_code == 0
    assert there == here


def test_workers_need_an_engine(files, run):
    done = run("rank", "one.csv", "--workers", "2")
    assert done.exit_code == 2
    assert "--address and --workers need --engine" in done.stderr


# -- held-out judgments ------------------------------------------------------------------------


@pytest.fixture
def held_out(files):
    """Nine in ten say that good is better; so do three of the four held out."""
    learned = [("fr", s, "ann", "good", 1, "bad", 2) for s in range(90)]
    learned += [("fr", s, "ann", "good", 2, "bad", 1) for s in range(90, 100)]
    test = [("fr", s, "bob", "bad", 1 + (s > 200), "good", 1 + (s == 200)) for s in range(200, 204)]
    _write(files / "learned.csv", learned)
    _write(files / "test.csv", test)
    _write(files / "both.csv", learned + [("de", *row[1:]) for row in learned])
    _write(files / "tests.csv", test + [("de", *row[1:]) for row in test])


def test_held_out_judgments_are_foretold(held_out, run):
    done = run("rank", "learned.csv", "--predict", "test.csv", "--format", "tsv")
    header, row = (line.split("\t") for line in done.stdout.splitlines())
    cells = dict(zip(header, row, strict=True))
    assert (cells["model"], cells["accuracy"], cells["upper bound"]) == (
        "trueskill", "0.75", "0.75",
    )  # fmt: skip
    assert (cells["comparisons"], cells["unknown"]) == ("4", "0")
    assert done.stderr == "100 rankings, 4 held out; trueskill seed=1\n"


def test_every_language_pair_foretells_its_own(held_out, run):
    done = run("rank", "both.csv", "--predict", "tests.csv", "--model", "trueskill")
    assert [line.split()[:3] for line in done.stdout.splitlines()[1:]] == [
        ["fr-en", "trueskill", "0.7500"],
        ["de-en", "trueskill", "0.7500"],
    ]


def test_a_curve_over_more_and_more_judgments(held_out, run, files):
    pytest.importorskip("matplotlib")
    done = run("rank", "both.csv", "--curve", "--runs", 3, "--plot", "c.svg", "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert [(row["language pair"], row["pairs"]) for row in rows] == [("fr-en", 72), ("de-en", 72)]
    assert done.stderr.splitlines() == [
        "figure: c.fr-en.svg",
        "figure: c.de-en.svg",
        "fr-en: 80 rankings, 20 held out; trueskill seed=1",
        "de-en: 80 rankings, 20 held out; trueskill seed=1",
    ]
    assert (files / "c.de-en.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agreement"], "--agreement has no use with --predict and --curve"),
        (["--recipe", "wmt15"], "--recipe has no use with --predict and --curve"),
        (["--plot", "x.svg"], "--predict draws one --plot, and with --curve only"),
        (["--runs", "5"], "--runs has no use with --predict unless --curve is given"),
    ],
)
def test_what_predictions_have_no_use_for(held_out, run, arguments, message):
    done = run("rank", "learned.csv", "--predict", "test.csv", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
