"""Results are looked at in one way: table, plain data, data frame, notebook, one line."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rankwise as rw
from rankwise.evaluate.group_boards import group_boards
from rankwise.evaluate.list_agreement import compare_lists
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.evaluate.scoreboard import Resampling, scoreboard
from rankwise.evaluate.system_scores import score_blocks
from rankwise.judging.model_verdicts import ModelVerdicts
from rankwise.metrics import metrics_of
from rankwise.present.figures.result_pictures import PICTURES
from rankwise.present.result_tables import TABLES
from rankwise.types import LevelScores
from rankwise.types.shown import Shown
from rankwise.types.text_block import blocks_of


@pytest.fixture(scope="module")
def example():
    return rw.example()


@pytest.fixture(scope="module")
def results(example):
    """One of every result that can be looked at."""
    texts, said = example.testset, example.judgments
    scored = score_blocks(blocks_of(texts), metrics_of(["bleu", "chrf"]))
    grouped = score_blocks(blocks_of(texts), metrics_of(["chrf"]), groupings=["length"])
    human = LevelScores.of(example.assessments.scores()).called("people")
    study = rw.Study(texts=texts, judgments=said, human=human, name="de-en", notes=("Read.",))
    board = rw.rank(said, runs=50)
    metric = rw.agreement_with_people(scored.results[0], board, said)
    halves = [said.select(np.arange(len(said)) % 2 == half) for half in (0, 1)]
    return {
        "Agreement": metric,
        "GroupBoards": group_boards(grouped, "length", Resampling(samples=50)),
        "JudgeAgreement": judge_agreement(said, samples=20),
        "Leaderboard": board,
        "Learned": rw.learn(texts, said, features="duh"),
        "PredictionCurve": rw.prediction_curve(*halves, runs=2),
        "ListAgreement": compare_lists([[1, 2, 3]], [[1, 3, 2]], samples=0),
        "ModelVerdicts": ModelVerdicts(
            protocol="ranking",
            model="model",
            prompt="prompt",
            judgments=said,
            statuses={"answered": len(said)},
            questions=len(said),
        ),
        "OrderEffects": rw.order_effects(said),
        "MetaEvaluation": rw.meta(replace(study, judgments=None), ["chrf", "wer"]),
        "Prediction": rw.predict(*halves),
        "SpanAgreement": rw.span_agreement(example.assessments),
        "ProxyRanking": rw.rank_with_proxy(
            example.assessments, scored.results[1].segments, runs=50
        ),
        "Replay": rw.replay(said, ["uniform"], runs=1, points=3),
        "Scoreboard": scoreboard(scored, Resampling(samples=50)),
        "Study": study,
        "TwoSystems": rw.compare(study, "birch", "willow", "chrf"),
        "ValueRanking": rw.rank_assessments(example.assessments, runs=50),
    }


def test_every_result_is_here(results):
    found = {kind.__name__ for kind in Shown.__subclasses__()}
    assert found == set(TABLES) == set(results)


@pytest.mark.parametrize("name", TABLES)
def test_one_way_out(results, name):
    result = results[name]
    table = result.table()
    assert str(result) == str(table)
    assert str(result).splitlines()[0].split()[0] == table.columns[0].name.split()[0]
    assert "\n" not in repr(result)
    assert len(repr(result)) < 250
    assert result._repr_html_().count("<tr") == len(table.rows) + 1
    data, frame = result.to_dict(), result.to_pandas()
    assert len(data["rows"]) == len(frame) == len(result.table(for_programs=True).rows)
    assert list(data["rows"][0]) == list(frame.columns)


def test_a_data_frame_has_numbers(results):
    frame = results["Scoreboard"].to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["bleu"].dtype == np.float64
    assert frame.loc[frame["system"] == "rowan", "bleu"].round(2).tolist() == [92.55]
    assert frame.attrs["nrefs"] == "2"
    board = results["Leaderboard"]
    assert board.to_pandas()["score"].tolist() == board.scores.tolist()
    assert board.to_dict()["signature"] == board.signature


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_itself(results, name):
    picture = results[name].plot()
    svg = picture._repr_svg_()
    assert "<svg" in svg and svg == results[name].plot()._repr_svg_()
    assert picture.to_bytes("png").startswith(b"\x89PNG")
    labels = {text.get_text() for axes in picture.figure.axes for text in axes.get_yticklabels()}
    first = results[name].table().rows[0]
    assert labels & {str(cell) for cell in first}


def test_what_has_no_picture_says_so(results):
    with pytest.raises(rw.DataError, match="a Study has no picture; those have one: Leaderboard"):
        results["Study"].plot()


@pytest.mark.parametrize("name", TABLES)
def test_a_polars_frame_is_that_of_pandas(results, name):
    pytest.importorskip("polars")
    frame, other = results[name].to_polars(), results[name].to_pandas()
    assert frame.columns == list(other.columns)
    assert frame.height == len(other)
    for column in frame.columns:
        if other[column].dtype == np.float64:
            values = [np.nan if value is None else value for value in frame[column].to_list()]
            assert np.array_equal(values, other[column], equal_nan=True)


def test_a_study_tells_what_there_is_about_every_system(results, example):
    study = results["Study"]
    rows = {row["system"]: row for row in study.to_dict()["rows"]}
    table = study.human.segments
    for place, system in enumerate(table.systems):
        values = table.values[place]
        assert rows[system]["people"] == pytest.approx(values[~np.isnan(values)].mean())
        shown = sum(system in ranking.systems for ranking in example.judgments)
        assert (rows[system]["outputs"], rows[system]["rankings"]) == (60, shown)


def test_records_are_one_line(example):
    assert repr(example.testset) == (
        "<TestSet example de-en: 60 segments with up to 2 references, 8 systems>"
    )
    assert repr(example.judgments) == (
        "<Judgments: 600 rankings of 8 systems on 60 segments by 12 judges>"
    )
    scores = example.assessments.scores()
    assert repr(scores) == "<ScoreTable 'DA': 8 systems by 60 segments>"
    assert len(repr(example.assessments)) < 120
    [scored] = rw.score_systems(example.testset, ["chrf"])
    assert repr(scored) == "<SystemScores of chrf: 8 systems on 60 segments>"


def test_without_pandas_one_sentence_says_what_to_install(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(rw.MissingExtra, match=r"pip install 'rankwise\[pandas\]'"):
        results["Leaderboard"].to_pandas()
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(rw.MissingExtra, match=r"pip install 'rankwise\[polars\]'"):
        results["Leaderboard"].to_polars()
