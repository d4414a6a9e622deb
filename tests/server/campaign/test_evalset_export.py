"""A campaign as a test set of mt-metrics-eval: what is in it, and what reads it."""

import json
import tarfile
from dataclasses import replace

import pytest

from rankwise import DataError, read_assessments, read_study, read_testset
from rankwise.cli import main
from rankwise.io.packed.archives import unpacked_evalset
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.evalset_export import write_evalset
from rankwise.server.campaign.standings.counted import assessments_of
from rankwise.server.records import Slot
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset, simulated, stored

DA = make_plan(protocol="direct-assessment", k=2, slug="spring")


def exported(tmp_path, plan, testset, judgments):
    path = tmp_path / export.file_name(plan, "mt-metrics-eval")
    return export.write(plan, testset, judgments, path, format="mt-metrics-eval")


def test_the_texts_and_the_means_are_read_by_meta(tmp_path, capsys):
    testset = replace(make_testset(5, 9), name="spring")
    judgments = simulated(testset, 60, k=2, protocol="direct-assessment")
    made = exported(tmp_path, DA, testset, judgments)
    assert made.path.name == "spring.evalset.tar.gz"
    with unpacked_evalset(made.path, ".") as folder:
        assert read_testset(folder).outputs == testset.outputs
    study = read_study(testset=made.path, human="da")
    expected = assessments_of(judgments, DA).scores()
    for row, system in enumerate(expected.systems):
        for column, segment in enumerate(expected.segments):
            found = study.human.segments
            cell = found.values[found.systems.index(system), int(segment) - 1]
            assert str(cell) == str(expected.values[row, column])
    with pytest.raises(SystemExit) as ended:
        main(["meta", "-t", str(made.path), "--human", "da", "-m", "chrf"])
    assert not ended.value.code and "chrf" in capsys.readouterr().out


ESA = make_plan(protocol="esa", k=1, control_share=0.0, slug="esa")
TEXTS = TestSet(
    (Segment("1", "x", (), "d", "news"), Segment("2", "y", (), "d", "news")),
    {"a": ("one two", "three"), "b": ("four", "five")},
    "esa",
    "de",
    "en",
)


def said(number, judge, system, *scores, spans=()):
    cells = [[{"spans": list(spans), "score": score}] for score in scores]
    more = {"segments": ("1", "2"), "judge": judge}
    return stored(number, [Slot((system,))], {"segments": cells}, **more)


def test_levels_and_ratings_by_hand(tmp_path):
    spans = [
        {"start": 0, "end": 3, "severity": "minor"},
        {"mark": "[missing]", "severity": "major"},
    ]
    judgments = [said(1, "ann", "a", 40, 80, spans=spans), said(2, "bob", "a", 60, 90)]
    made = exported(tmp_path, ESA, TEXTS, judgments)
    with unpacked_evalset(made.path, ".") as folder:
        scores = folder / "human-scores"
        lines = {
            level: (scores / f"de-en.esa.{level}.score").read_text("utf-8").splitlines()
            for level in ("seg", "doc", "domain", "sys")
        }
        assert lines["seg"] == ["a\t50.0", "a\t85.0", "b\tNone", "b\tNone"]
        assert lines["sys"] == lines["doc"] == ["a\t67.5", "b\tNone"]
        assert lines["domain"] == ["news\ta\t67.5", "news\tb\tNone"]
        rated = read_assessments(scores / "de-en.esa.ann.seg.rating", keep_judges=True)
        assert list(rated.rows()) == [
            ("a", "1", "ann", "TGT", -6.0),
            ("a", "2", "ann", "TGT", -6.0),
        ]
        first, second = json.loads(rated.info["spans"][0])
        assert (first["start"], first["end"], second["start"]) == (0, 3, None)
    assert any("their mean is held" in loss for loss in made.losses)


def test_the_same_campaign_is_the_same_file_without_anybody_in_it(tmp_path):
    judgments = [said(1, "ann", "a", 40, 80)]
    files = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files.append(exported(tmp_path / name, ESA, TEXTS, judgments).path)
    assert files[0].read_bytes() == files[1].read_bytes()
    with tarfile.open(files[0]) as archive:
        assert {(one.uid, one.uname, one.mtime) for one in archive.getmembers()} == {(0, "", 0)}


def test_rankings_have_no_values(tmp_path):
    plan, testset = make_plan(k=2), make_testset(2, 2)
    assert "mt-metrics-eval" not in dict(export.formats(plan))
    with pytest.raises(DataError, match="holds values; ranking gives rankings"):
        write_evalset(plan, testset, assessments_of([], DA), tmp_path / "x.tar.gz")
