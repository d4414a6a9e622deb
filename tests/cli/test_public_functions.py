"""Everything a command does has a public function, which gives the same."""

import json
from importlib.resources import as_file, files

import pytest
from click.testing import CliRunner

import rankwise as rw
from rankwise.cli import cli
from rankwise.evaluate.ranking.prediction_curves import part


@pytest.fixture(scope="module")
def folder():
    with as_file(files("rankwise.bundled").joinpath("example")) as place:
        yield place


@pytest.fixture(scope="module")
def study(folder):
    return rw.read_study(
        references=[folder / "ref.a.txt"],
        outputs=sorted((folder / "systems").glob("*.txt")),
        documents=folder / "documents.tsv",
        judgments=[folder / "judgments.jsonl"],
        human=folder / "assessments.tsv",
    )


@pytest.fixture(scope="module")
def texts(folder):
    systems = sorted(str(path) for path in (folder / "systems").glob("*.txt"))
    return ["-r", str(folder / "ref.a.txt"), *systems]


def printed(*arguments: object) -> dict:
    done = CliRunner().invoke(cli, [str(argument) for argument in (*arguments, "--format", "json")])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_score(study, texts):
    board = rw.score(study, resampling=rw.Resampling(samples=100), baseline="rowan")
    command = ("score", *texts, "--resamples", 100, "--baseline", "rowan")
    assert board.to_dict() == printed(*command)


def test_meta(study, texts, folder):
    found = rw.meta(study, ["bleu", "chrf", "ter"]).to_dict()
    assert found["rows"] == printed("meta", "--human", folder / "assessments.tsv", *texts)["rows"]


def test_rank_and_judge_agreement(study, folder):
    found = printed("rank", folder / "judgments.jsonl", "--runs", 50)
    assert rw.rank(study.judgments, runs=50).to_dict()["rows"] == found["rows"]
    judges = rw.judge_agreement(study.judgments).to_dict()["rows"]
    told = found["parts"][0]["agreement"]
    assert [row["kappa"] for row in judges] == [kind["kappa"] for kind in told.values()]


def test_predict_curve_and_replay(study, folder):
    judgments = folder / "judgments.jsonl"
    said = study.judgments
    rest, test = part(said, len(said) // 5, seed=1)
    curve = printed("rank", judgments, "--curve", "--runs", 3)
    assert rw.prediction_curve(rest, test, runs=3).to_dict()["rows"] == curve["rows"]
    with pytest.raises(rw.DataError, match="0 rankings are not held out"):
        rw.predict(said, said)
    replayed = printed("next", "--replay", judgments, "--runs", 1)
    assert rw.replay(said, runs=1).to_dict()["rows"] == replayed["rows"]


def test_report(study, texts, folder, tmp_path):
    page = rw.report(study, ["chrf"])
    page.save(tmp_path / "ours.html")
    files = ["--human", folder / "assessments.tsv", "-j", folder / "judgments.jsonl"]
    places = ["--documents", folder / "documents.tsv", "-o", tmp_path / "theirs.html"]
    arguments = [str(word) for word in ("report", "-m", "chrf", *files, *places, *texts)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    ours, theirs = ((tmp_path / name).read_text("utf-8") for name in ("ours.html", "theirs.html"))
    assert page.html() == ours
    assert "Metrics and people" in repr(page)
    # all but the section that names the files and the command
    start, end = '<section id="automatic-scores"', '<section id="what-was-computed"'
    assert (
        ours[ours.index(start) : ours.index(end)] == theirs[theirs.index(start) : theirs.index(end)]
    )


def test_mbr(tmp_path):
    path = tmp_path / "candidates.txt"
    path.write_text("a cat sat\na cat sits\ndogs bark\n", encoding="utf-8")
    found = printed("mbr", path, "-m", "chrf")["segments"][0]
    best = rw.mbr(["a cat sat", "a cat sits", "dogs bark"])
    assert (found["text"], found["candidate"]) == (best.text, best.place + 1)
    assert found["expected"] == best.expected.tolist()


def test_sample_and_convert(study, folder, tmp_path):
    done = CliRunner().invoke(
        cli, ["sample", str(folder / "ref.a.txt"), "--size", "5", "-o", str(tmp_path / "part")]
    )
    assert done.exit_code == 0
    drawn = (tmp_path / "part" / "lines.txt").read_text("utf-8").split()
    assert [int(line) - 1 for line in drawn] == rw.sample(study.texts, 5, seed=1).tolist()
    parts = rw.split(study.texts, {"train": None, "test": 10}, seed=1)
    assert len(study.texts.subset(parts["train"])) == 50
    report = rw.convert(folder / "judgments.jsonl", tmp_path / "judgments.csv")
    assert report.counts["rankings"] == 600


def test_nothing_to_score():
    with pytest.raises(rw.DataError, match="nothing to score"):
        rw.score(rw.Study(judgments=rw.example().judgments))
