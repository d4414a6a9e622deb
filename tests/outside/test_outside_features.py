"""Metrics of programs and packages, and scores of other tools, as features of a learned metric."""

import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.evaluate.metric_learning.learning_data import learning_data
from rankwise.io.kept.score_cache import ScoreCache
from rankwise.learning.features.context import Context
from rankwise.metrics.features import features, needs_of, scores_alone
from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.batching import Batching
from rankwise.types import LevelScores, ScoreTable, Segment, Study, TestSet

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SYSTEMS = ("good", "fair", "bad")


def texts(name="toy", count=12, *, has_sources=True, has_references=True):
    """Outputs of several lengths; the longer, the better."""
    lines = [" ".join(WORDS[n % 10 :] + WORDS[: n % 10]) for n in range(count)]
    segments = tuple(
        Segment(
            f"s{n}",
            line.upper() if has_sources else "",
            (f"{line}.", line.title()) if has_references else (),
        )
        for n, line in enumerate(lines)
    )
    outputs = {
        system: tuple(line[: len(line) * share // 10 + n % 3] for n, line in enumerate(lines))
        for system, share in zip(SYSTEMS, (9, 6, 3), strict=True)
    }
    return TestSet(segments, outputs, name)


def people(count=12):
    noise = np.random.default_rng(1).normal(0, 4, (3, count))
    values = np.array([[85.0], [50.0], [15.0]]) + noise
    return ScoreTable(SYSTEMS, tuple(f"s{n}" for n in range(count)), values)


def tool_scores(count=12, *, seed=2, **others):
    values = people(count).values / 100 + np.random.default_rng(seed).normal(0, 0.1, (3, count))
    return ScoreTable(SYSTEMS, tuple(f"s{n}" for n in range(count)), values, **others)


def written(found, path="m.json"):
    rw.write_model(found.model, path)
    return f"learned:model={path}"


def rows_of(testset):
    """Outputs, references and sources, in the order of the rows of what is learned from."""
    places = [(place, system) for place in range(len(testset)) for system in testset.systems]
    return (
        [testset.outputs[system][place] for place, system in places],
        [testset.segments[place].references for place, _ in places],
        [testset.segments[place].source for place, _ in places],
    )


def scores_in_learning(found):
    """The scores of the examples by the rows that were learned from, rounded as metrics are."""
    margins = found.model.margins(found.train.rows)
    return np.round(found.model.stretched(margins - found.model.anchor) * 2**32) / 2**32


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKWISE_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def script(folder):
    """A program that gives the length of the output by that of the source, and counts its runs."""
    (folder / "score.py").write_text(
        "import json, sys\n"
        "open('runs', 'a').write('x')\n"
        "for line in sys.stdin:\n"
        "    item = json.loads(line)\n"
        "    print(len(item['output']) / max(1, len(item['source'])))\n"
    )
    return f"command:{sys.executable} score.py:requires=source"


# -- packages --------------------------------------------------------------------------------------


def test_a_metric_of_a_package_is_a_feature(toys):
    found = rw.learn(texts(), people(), features=["chrf", "ratio:power=2"])
    assert found.model.columns == ("chrf", "ratio:power=2.0")
    assert [len(batch) for batch in toys] == [2] * 18  # 36 outputs in batches of its own size
    metric = rw.metric(written(found))
    assert (metric.needs, metric.best) == (Needs(source=True, references=True), None)
    outputs, references, sources = rows_of(texts())
    scores = metric.segments(outputs, references, sources=sources)
    np.testing.assert_array_equal(scores, scores_in_learning(found))  # to the last bit
    assert len(set(scores.tolist())) > 10


def test_systems_are_scored_together_and_each_text_once(toys):
    found = rw.learn(texts(), people(), features="ratio")
    metric = rw.metric(written(found)).computed_by(Batching(size=100))
    toys.clear()
    [board] = rw.score(texts(), [metric]).scored.results
    assert [len(batch) for batch in toys] == [36]
    outputs, references, sources = rows_of(texts())
    one_by_one = metric.segments(outputs, references, sources=sources).reshape(12, 3)
    for place, system in enumerate(SYSTEMS):
        got = board.metric.segment_scores(board.rows[system])
        np.testing.assert_array_equal(got, one_by_one[:, place])


def test_what_was_kept_is_not_computed_again(toys, folder):
    kept = Batching(kept=ScoreCache(folder / "kept.sqlite"))
    first = rw.learn(texts(), people(), features=["chrf", "ratio"], batching=kept)
    assert toys
    toys.clear()
    second = rw.learn(texts(), people(), features=["chrf", "ratio"], batching=kept)
    rw.score(texts(), [rw.metric(written(second)).computed_by(kept)])
    assert toys == []
    assert first.model.to_json() == second.model.to_json()


def test_without_references_those_alone_are_learned_from(toys):
    bare = texts(has_references=False)
    found = rw.learn(bare, people(), features=["ratio", "fluency"])
    assert [row.metric for row in found.compared] == ["learned", "ratio", "fluency"]
    metric = rw.metric(written(found))
    assert metric.needs == Needs(source=True, references=False)
    assert rw.score(bare, [metric]).systems == SYSTEMS
    with pytest.raises(rw.DataError, match="segment 's0' has no reference; expected one"):
        rw.learn(bare, people(), features=["ratio", "chrf"])


def test_the_metrics_among_the_features_stand_beside_what_was_learned(toys):
    found = rw.learn(texts(), people(), features=["duh:subset=1-12", "ratio", "ter", "wer"])
    assert [row.metric for row in found.compared] == [
        "learned", "bleu", "chrf", "ter", "ratio", "wer",
    ]  # fmt: skip
    accuracy = {row.metric: row.accuracy for row in found.compared}
    assert accuracy["ratio"] == 1.0  # the longer, the better
    assert accuracy["wer"] > 0.9  # of which less is better
    assert all(row.lead_low <= row.lead <= row.lead_high for row in found.compared)


def test_sources_are_asked_for(toys):
    found = written(rw.learn(texts(), people(), features="ratio"))
    with pytest.raises(rw.DataError, match="ratio needs sources, and there are none; give --sou"):
        rw.learn(texts(has_sources=False), people(), features="ratio")
    with pytest.raises(rw.DataError, match="learned needs sources, and there are none"):
        rw.score(texts(has_sources=False), found)
    with pytest.raises(rw.DataError, match="learned needs sources"):
        rw.metric(found).segments(["a"], ["a"])


def test_a_package_that_is_gone_is_named(toys, monkeypatch):
    from rankwise.metrics.outside import plugins

    name = written(rw.learn(texts(), people(), features="ratio"))
    monkeypatch.setattr(plugins, "plugins", dict)
    with pytest.raises(rw.DataError, match=r"m.json: the metric 'ratio' is of the package toy_met"):
        rw.metric(name)


def test_what_scores_documents_is_no_feature(toys):
    with pytest.raises(rw.DataError, match="repeats scores whole documents; expected a metric"):
        features("repeats")


def test_candidates_are_chosen_with_their_source(toys):
    metric = rw.metric(written(rw.learn(texts(), people(), features="ratio")))
    assert rw.mbr(["abc", "abcdef", "a"], metric, source="xxxxxxxx").text == "abcdef"


def test_a_learned_metric_may_be_a_feature_of_another(toys):
    inner = written(rw.learn(texts(), people(), features=["chrf", "ratio"]), "inner.json")
    found = rw.learn(texts(), people(), features=["ter", inner])
    metric = rw.metric(written(found))
    outputs, references, sources = rows_of(texts())
    scores = metric.segments(outputs, references, sources=sources)
    np.testing.assert_array_equal(scores, scores_in_learning(found))
    with pytest.raises(rw.DataError, match="learned needs sources"):
        metric.segments(outputs, references)


def test_it_travels_to_other_processes(toys):
    metric = rw.metric(written(rw.learn(texts(), people(), features=["chrf", "all"])))
    outputs, references, sources = rows_of(texts())
    there = pickle.loads(pickle.dumps(metric.computed_by(Batching(size=3))))
    np.testing.assert_array_equal(
        there.segments(outputs, references, sources=sources),
        metric.segments(outputs, references, sources=sources),
    )


def test_features_on_disk_know_their_sources_and_programs(toys, folder, script):
    cache = rw.FeatureCache(folder / "features")

    def learned(*names, testset=None):
        rw.learn(testset or texts(), people(), features=list(names), cache=cache)
        return len(list((folder / "features").glob("*.parquet")))

    assert [learned("ratio"), learned("ratio")] == [1, 1]
    other = replace(
        texts(), segments=tuple(replace(s, source=s.source * 2) for s in texts().segments)
    )
    assert learned("ratio", testset=other) == 2
    assert [learned(script), learned(script)] == [3, 3]
    Path("score.py").write_text(Path("score.py").read_text() + "# changed\n")
    assert learned(script) == 4
    assert learned(f"{script}:keep=false") == 4  # its answers depend on more: nothing is kept
    assert learned("fluency") == 4  # it does not say what its scores depend on


# -- programs --------------------------------------------------------------------------------------


def test_a_program_is_a_feature_if_one_says_so(script):
    found = rw.learn(texts(), people(), features=["chrf", script])
    assert Path("runs").read_text() == "x"  # all outputs in one batch
    name = written(found)
    with pytest.raises(rw.DataError, match=r"m.json: its features start the program .*score.py'"):
        rw.metric(name)
    metric = rw.metric(f"{name}:programs=true")
    outputs, references, sources = rows_of(texts())
    scores = metric.segments(outputs, references, sources=sources)
    np.testing.assert_array_equal(scores, scores_in_learning(found))
    assert rw.metric(metric.signature) == metric


def test_no_model_starts_a_program_through_another(script):
    inner = written(rw.learn(texts(), people(), features=script), "inner.json")
    found = written(rw.learn(texts(), people(), features=f"{inner}:programs=true"))
    Path("runs").unlink()
    with pytest.raises(rw.DataError, match="its features start the program"):
        rw.metric(found)
    assert not Path("runs").exists()


def test_a_command_with_a_plus_sign_is_one_feature(script, folder):
    (folder / "a + b.py").write_text(Path("score.py").read_text())
    program = f"command:{sys.executable} 'a + b.py':requires=source"
    found = rw.learn(texts(), people(), features=["chrf", program, "ter"])
    assert len(found.model.columns) == 3
    assert features(found.model.features).names == found.model.columns
    assert rw.metric(f"{written(found)}:programs=true").needs.source
    alone = rw.learn(texts(), people(), features=[program])
    assert features(alone.model.features).names == alone.model.columns


def test_an_option_that_is_no_truth_value_is_refused(script):
    name = written(rw.learn(texts(), people(), features=script))
    with pytest.raises(rw.DataError, match="programs"):
        rw.metric(f"{name}:programs=yes")


# -- scores of other tools -------------------------------------------------------------------------


def study(tables, testset=None):
    given = {name: LevelScores.of(table) for name, table in tables.items()}
    return Study(texts=testset or texts(), scores=given)


def test_scores_of_another_tool_are_features():
    tables = {"comet": tool_scores(), "metricx": tool_scores(seed=5, counts_errors=True)}
    found = rw.learn(texts(), people(), scores=tables)
    assert found.model.columns == ("comet", "metricx")
    assert found.features.features[1].ideal == -np.inf
    assert [row.metric for row in found.compared] == [
        "learned", "bleu", "chrf", "ter", "comet", "metricx",
    ]  # fmt: skip
    assert "; scores comet " in found.model.training
    metric = rw.metric(written(found))
    assert metric.needs == Needs(references=False, scores=("comet", "metricx"))
    board = rw.score(study(tables), [metric])
    [result, *others] = board.scored.results
    assert [str(other.metric) for other in others] == ["comet", "metricx"]
    expected = scores_in_learning(found).reshape(12, 3)
    for place, system in enumerate(SYSTEMS):
        got = result.metric.segment_scores(result.rows[system])
        np.testing.assert_array_equal(got, expected[:, place])


def test_they_stand_beside_features_that_are_named():
    tables = {"comet": tool_scores(), "other": tool_scores(seed=9)}
    found = rw.learn(
        texts(), people(), features=["chrf", "scores:comet:relative=rank"], scores=tables
    )
    assert found.model.columns == ("chrf", "comet", "comet@rank", "other")
    assert features(found.model.features).names == found.model.columns
    assert scores_alone(found.features) == {"chrf": (0, 1), "comet": (1, 1), "other": (3, 1)}


def test_scores_by_place_are_those_of_the_segments():
    by_line = replace(tool_scores(), segments=tuple(str(n + 1) for n in range(12)), is_by_line=True)
    named, lines = (
        rw.learn(texts(), people(), scores={"comet": table}) for table in (tool_scores(), by_line)
    )
    assert named.model.to_json() == lines.model.to_json()
    metric = rw.metric(written(named))
    boards = [
        rw.score(study({"comet": table}), [metric]).scored.results[0]
        for table in (tool_scores(), by_line)
    ]
    for system in SYSTEMS:
        np.testing.assert_array_equal(boards[0].rows[system], boards[1].rows[system])
    short = replace(by_line, segments=by_line.segments[:5], values=by_line.values[:, :5])
    with pytest.raises(rw.DataError, match="'comet' are 5 lines without names of segments, but"):
        rw.learn(texts(), people(), scores={"comet": short})


def test_several_test_sets_have_scores_of_their_own():
    both = [texts("one"), texts("two")]
    tables = [{"comet": tool_scores(seed=seed)} for seed in (2, 3)]
    dev = [(texts("dev"), people(), {"comet": tool_scores(seed=4)})]
    found = rw.learn(both, [people(), people()], scores=tables, development=dev)
    data = learning_data([(both[0], people(), tables[0])], features("scores:comet"))
    np.testing.assert_array_equal(found.train.rows[:36], data.examples.rows)
    assert "accuracy on dev" in found.model.measured
    with pytest.raises(rw.DataError, match="2 test sets but scores of other tools for 1"):
        rw.learn(both, [people(), people()], scores=tables[:1])
    with pytest.raises(rw.DataError, match="'comet' are given for some test sets and not for"):
        rw.learn(both, [people(), people()], scores=[tables[0], {}])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (replace(tool_scores(), systems=("good", "fair", "odd")), "none of system 'bad' on segm"),
        (tool_scores(11), "toy: scores 'comet' have none of system 'bad' on segment 's11'"),
        (replace(tool_scores(), segments=tuple("abcdefghijkl")), "no segment in common"),
        (replace(tool_scores(), level="document"), "are of documents; expected scores of segments"),
    ],
)
def test_scores_that_do_not_fit_are_one_sentence(table, message):
    with pytest.raises(rw.DataError, match=message):
        rw.learn(texts(), people(), scores={"comet": table})


def test_a_system_without_scores_may_be_left_out():
    lacking = replace(tool_scores(), systems=("good", "fair", "odd"))
    found = rw.learn(texts(), people(), scores={"comet": lacking}, exclude=["bad"])
    assert len(found.train) == 24


def test_scores_that_nobody_gave_are_asked_for():
    with pytest.raises(rw.DataError, match="'comet' of another tool are needed, and nobody gave"):
        rw.learn(texts(), people(), features=["chrf", "scores:comet"])
    name = written(rw.learn(texts(), people(), scores={"comet": tool_scores()}))
    for use in (
        lambda: rw.score(texts(), name),
        lambda: rw.score(study({"other": tool_scores()}), name),
        lambda: rw.metric(name).segments(["a"], ["a"]),
        lambda: rw.mbr(["a", "b"], name),
        lambda: features("scores:comet").values(["a"], ["a"]),
    ):
        with pytest.raises(rw.DataError, match=r"'comet' of another tool are needed.* --scores"):
            use()


def test_what_is_learned_from_scores_is_no_feature_of_another():
    name = written(rw.learn(texts(), people(), scores={"comet": tool_scores()}))
    with pytest.raises(rw.DataError, match="is learned from scores of another tool; expected"):
        features(name)


def test_a_name_of_scores_is_needed():
    with pytest.raises(rw.DataError, match="no name is given; expected scores:NAME"):
        features("scores")
    with pytest.raises(rw.DataError, match=r"have shape \(1,\) for 2 outputs"):
        given = Context(scores={"comet": np.array([1.0])})
        features("scores:comet").values(["a", "b"], ["", ""], None, given)
    assert needs_of(features("scores:comet")).scores == ("comet",)


def test_an_anchor_that_does_not_fit_the_features_is_refused(toys):
    found = rw.learn(texts(), people(), features="ratio")
    content = json.loads(found.model.to_json())
    del content["anchor"]
    Path("m.json").write_text(json.dumps(content))
    with pytest.raises(rw.DataError, match="the 'anchor' of the model is None; expected one with"):
        rw.metric("learned:model=m.json")
