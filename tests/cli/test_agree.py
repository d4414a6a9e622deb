"""``rankwise agree PREDICTED GOLD``: exact output, messages."""

import json

import pytest

JCML = """<?xml version="1.0" encoding="utf-8"?>
<jcml>
<judgedsentence id="1" langsrc="fr" langtgt="en"><src>a</src>
<tgt system="A" rank="1" predicted_rank="2"/><tgt system="B" rank="2" predicted_rank="1"/>
<tgt system="C" rank="3" predicted_rank="3"/></judgedsentence>
<judgedsentence id="2" langsrc="fr" langtgt="en"><src>b</src>
<tgt system="A" rank="1" predicted_rank="1"/><tgt system="B" rank="1" predicted_rank="1"/>
<tgt system="C" rank="2" predicted_rank="2"/></judgedsentence>
<judgedsentence id="3" langsrc="fr" langtgt="en"><src>c</src>
<tgt system="A" rank="1" predicted_rank="1"/><tgt system="B" rank="1" predicted_rank="2"/>
</judgedsentence>
</jcml>
"""
CSV = """srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,\
system2rank,rankingID
fr,en,1,1,metric,A,2,B,1,1
fr,en,2,2,metric,A,1,C,2,2
"""
BOTH = ("x.jcml", "x.jcml", "--predicted-rank", "predicted_rank")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    (tmp_path / "x.jcml").write_text(JCML, encoding="utf-8")
    (tmp_path / "metric.csv").write_text(CSV, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_measures_with_intervals(run):
    done = run("agree", *BOTH, "--measure", "kendall", "--measure", "ndcg@1", "--samples", 200)
    assert done.stdout == (
        "measure   value     low    high  lists  undefined  because\n"
        "kendall  0.6000     nan     nan      3          1  no pair of items counts\n"
        "ndcg@1   0.8095  0.4286  1.0000      3          0\n"
    )
    assert done.stderr == "3 lists, 0.95 bootstrap:samples=200:seed=12345:unit=item:version=0.1.0\n"


def test_every_list(run):
    done = run("agree", *BOTH, "--segments", "--measure", "kendall", "--measure", "mrr")
    assert done.stdout == (
        "segment  kendall     mrr\n"
        "1         0.3333  0.5000\n"
        "2         1.0000  0.5000\n"
        "3            nan  1.0000\n"
    )
    assert done.stderr == ""


def test_all_measures_for_programs(run):
    done = run("agree", *BOTH, "--format", "json", "--samples", 0, "--permutations", 9)
    found = json.loads(done.stdout)
    names = [row["measure"] for row in found["rows"]]
    assert names[:2] == ["kendall", "kendall:average=macro"] and names[-2:] == ["bph@1", "bph@2"]
    assert set(names) == set(found["signatures"])
    assert found["rows"][0]["value"] == pytest.approx(0.6)
    assert 0 < found["rows"][0]["p"] <= 1
    assert "low" not in found["rows"][0]


def test_ties(run):
    options = ("--samples", 0, "--ties", "floor", "--format", "tsv")
    done = run("agree", *BOTH, "--measure", "mrr", "--measure", "err", *options)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["measure", "mrr", "err"]
    assert float(rows[1][1]) == pytest.approx((1 / 2 + 1 + 1) / 3)


def test_as_the_original_prints(run):
    done = run("agree", *BOTH, "--compat", "rankeval", "--format", "tsv")
    rows = dict(line.split("\t") for line in done.stdout.splitlines()[1:])
    assert list(rows) == sorted(rows)
    assert float(rows["tau_avg_seg"]) == pytest.approx(2 / 3)
    assert float(rows["bph_1.0"]) == 66.67
    some = run("agree", *BOTH, "--compat", "rankeval", "--measure", "mrr", "--format", "tsv")
    assert some.stdout.splitlines()[1:] == [f"mrr\t{rows['mrr']}"]
    wrong = run("agree", *BOTH, "--compat", "rankeval", "--measure", "dcg")
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("rankwise: RankEval has no 'dcg'; choose from")


def test_files_of_different_formats_say_what_was_left_out(run):
    done = run("agree", "metric.csv", "x.jcml", "--measure", "kendall", "--samples", 0)
    assert done.stdout.splitlines()[1].split()[:4] == ["kendall", "0.0000", "2", "0"]
    assert done.stderr == (
        "1 of 3 gold rankings have no predicted one\n"
        "2 outputs ranked in gold are not in their predicted ranking\n"
    )


def test_scores_rank_too(run, tmp_path):
    cells = ["A\t1\t1", "B\t1\t2", "C\t1\t0", "A\t2\t5", "B\t2\t5", "C\t2\t4", "A\t3\t1"]
    (tmp_path / "metric.tsv").write_text("system\tsegment\tscore\n" + "\n".join(cells) + "\n")
    arguments = ("metric.tsv", "x.jcml", "--measure", "kendall", "--samples", 0)
    done = run("agree", *arguments, "--format", "tsv")
    assert done.stdout.splitlines()[1].split("\t")[:4] == ["kendall", "0.6", "3", "1"]
    assert done.stderr == "1 outputs ranked in gold have no score\n"
    errors = run("agree", *arguments, "--lower-is-better", "--format", "tsv")
    assert errors.stdout.splitlines()[1].split("\t")[1] == "-0.6"
    assert run("agree", *BOTH, "--lower-is-better").exit_code == 2


def test_options_of_metrics_belong_to_meta(run):
    done = run("agree", *BOTH, "-m", "bleu")
    assert done.exit_code == 2
    assert "No such option" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x.jcml", "none.csv"), "none.csv: cannot be read"),
        (("x.jcml", "x.jcml", "--gold-rank", "grade"), "x.jcml:4: found a tgt with"),
        (("metric.csv", "x.jcml", "--predicted-rank", "p"), "has no option 'rank'"),
        (("other.tsv", "x.jcml"), "other.tsv ranks no output that x.jcml ranks too; expected"),
        (("late.tsv", "x.jcml"), "late.tsv ranks no output that x.jcml ranks too; expected"),
        ((*BOTH, "--measure", "spam"), "unknown measure of ranked lists 'spam'"),
        ((*BOTH, "--level", 2), "level"),
    ],
)
def test_wrong_input_is_one_line(run, tmp_path, arguments, message):
    for name, cell in {"other": "Z\t1\t1", "late": "A\t99\t1"}.items():
        (tmp_path / f"{name}.tsv").write_text(f"system\tsegment\tscore\n{cell}\n")
    done = run("agree", *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr and done.stderr.count("\n") == 1
