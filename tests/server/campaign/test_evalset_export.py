"""A campaign as a test set of mt-metrics-eval: what is in it, and what reads it."""

import json
import re
import tarfile
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rankwise import DataError, read_assessments, read_study, read_testset
from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.value_models import Mixed
from rankwise.cli import main
from rankwise.io.packed.archives import unpacked_evalset
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.evalset_export import write_evalset
from rankwise.server.campaign.shares import LEVEL
from rankwise.server.campaign.standings.boards import value_board
from rankwise.server.campaign.standings.counted import assessments_of
from rankwise.server.records import Slot
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset, simulated, stored
from shared_data import shared

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
        assert (first["start"], first["end"]) == (0, 3)
        assert (second["start"], second["category"]) == (len("one two"), "[missing]")
    assert "Errors without a place stand behind the text (2)." in made.losses


def board(values, model):
    board = model.ranked(JudgedValues.of(values), runs=50, seed=1, level=0.95).board
    ranks = zip(board.clusters, board.rank_low, board.rank_high, strict=True)
    return board.systems, board.scores.tolist(), [tuple(map(int, row)) for row in ranks]


def once_each(judgments):
    """Those in which no judge meets an output again."""
    met = set()
    for one in judgments:
        seen = {(one.judge, one.segment, slot.systems) for slot in one.slots}
        if not seen & met:
            met |= seen
            yield one


def test_the_board_of_the_campaign_comes_back(tmp_path):
    judgments = list(once_each(simulated(make_testset(5, 40), 400, k=2, protocol=DA.protocol)))
    made = exported(tmp_path, DA, make_testset(5, 40), judgments)
    live = assessments_of(judgments, DA)
    with unpacked_evalset(made.path, ".") as folder:
        back = read_assessments(folder)
    assert sorted(row for row in back.rows()) == sorted(row for row in live.rows())
    # its screens are single segments, so the live board counts segments as independent
    model = Mixed(unit="judge+segment")
    (systems, scores, *rest), (own, own_scores, *own_rest) = (
        board(values, model) for values in (back, live)
    )
    assert (systems, rest) == (own, own_rest)
    assert scores == pytest.approx(own_scores, rel=1e-9)


def test_the_board_of_documents_comes_back(tmp_path):
    testset, judgments = judged_documents("abc", ("ann", "bob", "eve"), ESA)
    made = exported(tmp_path, ESA, testset, judgments)
    live = assessments_of(judgments, ESA)
    with unpacked_evalset(made.path, ".") as folder:
        back = read_assessments(folder)
    (systems, scores, *rest), (own, own_scores, *own_rest) = (
        board(values, Mixed()) for values in (back, live)
    )
    assert (systems, rest) == (own, own_rest)
    assert scores == pytest.approx(own_scores, rel=1e-9)


def judged_documents(names, judges, plan):
    """A test set of twelve segments in six documents, and what every judge said to all of it."""
    random = np.random.default_rng(5)
    segments = [Segment(str(n), "x", ("r",), f"d {n // 2}", "news") for n in range(12)]
    languages = (plan.source_language, plan.target_language)
    testset = TestSet(
        tuple(segments), dict.fromkeys(names, ("text", "words") * 6), "esa", *languages
    )
    judgments = []
    for document in range(6):
        for judge in judges:
            for level, system in enumerate(names):
                spans = [{"start": 0, "end": 2, "severity": "minor"}]
                scores = (90 - 15 * level + random.normal(0, 5, 2)).round().tolist()
                cells = [[{"spans": spans, "score": score}] for score in scores]
                pair = (str(2 * document), str(2 * document + 1))
                more = {"segment": pair[0], "segments": pair, "judge": judge}
                number = len(judgments) + 1
                judgments.append(stored(number, [Slot((system,))], {"segments": cells}, **more))
    return testset, judgments


def printed(capsys, *line):
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in line])
    said = capsys.readouterr()
    assert not ended.value.code, said.err
    return said.out


def test_the_command_line_gives_the_numbers_of_the_leaderboard(tmp_path, capsys):
    """Odd names of systems, judges, documents and languages on the way."""
    names, judges = ("sys.a-1", "b c", "übung_2"), ("ann.b", "bob x", "eve-3")
    plan = replace(ESA, target_language="zh-Hant", slug="odd")
    testset, judgments = judged_documents(names, judges, plan)
    made = exported(tmp_path, plan, testset, judgments)
    live = value_board(assessments_of(judgments, plan), "mixed", seed=1)
    given = ("--runs", live["runs"], "--level", LEVEL, "--seed", 1, "--format", "json")
    rows = json.loads(printed(capsys, "rank", made.path, *given))["rows"]
    assert len(rows) == len(live["rows"]) == 3
    for row, own in zip(rows, live["rows"], strict=True):
        assert row["system"] == own["system"].replace(" ", "_")
        for key in ("cluster", "rank low", "rank high"):
            assert row[key] == own[key.replace(" ", "_")]
        for key in ("score", "low", "high"):
            assert row[key] == pytest.approx(own[key], rel=1e-9)
    found = printed(capsys, "meta", "-t", made.path, "-m", "chrf", "--human", "esa")
    assert "chrf" in found
    study = read_study(testset=made.path)
    means = assessments_of(judgments, plan).scores()
    for name, values in zip(means.systems, means.values, strict=True):
        row = study.human.systems.systems.index(name.replace(" ", "_"))
        assert study.human.systems.values[row, 0] == pytest.approx(values.mean(), rel=1e-12)


def test_scores_of_mqm_are_minus_the_penalty(tmp_path):
    plan = make_plan(protocol="mqm", k=1, control_share=0.0, slug="mqm")
    category = plan.spans.category_names[0]
    span = {"start": 0, "end": 3, "severity": "major", "category": category}
    cells = [[{"spans": [span]}], [{"spans": []}]]
    judged = stored(1, [Slot(("a",))], {"segments": cells}, segments=("1", "2"))
    made = exported(tmp_path, plan, TEXTS, [judged])
    with unpacked_evalset(made.path, ".") as folder:
        place = folder / "human-scores"
        [weight] = {-float(plan.spans.penalty([span]))}
        seg = (place / "de-en.mqm.seg.score").read_text("utf-8").splitlines()
        assert seg == [f"a\t{weight}", "a\t0.0", "b\tNone", "b\tNone"]
        rated = read_assessments(place / "de-en.mqm.ann.seg.rating")
        assert [row[-1] for row in rated.rows()] == [weight, 0.0]


def words(path):
    return [line.split() for line in path.read_text("utf-8").splitlines()]


def test_mt_metrics_eval_could_read_it(tmp_path):
    """What its reader asks of a folder, on odd names, by its published rules."""
    plan = make_plan(
        protocol="direct-assessment", k=2, slug="odd", target_language="zh-Hant", seed=1
    )
    segments = [
        Segment("x", "1", ("r",), "one doc", None, ("ref.a",)),
        Segment("y", "2", ("r",), None, "a b", ("ref.a",)),
        Segment("z", "3", ("r",), None, None, ("ref.a",)),
    ]
    outputs = {"s 1": ("a", "b", "c"), "s2": ("d", None, "f")}
    testset = TestSet(tuple(segments), outputs, "odd", "de", "zh-Hant")
    judged = stored(1, ["s 1", "s2"], {"scores": [80, 60]}, segment="x")
    made = exported(tmp_path, plan, testset, [judged])
    with unpacked_evalset(made.path, ".") as folder:
        pair = "de-zh_Hant"
        places = words(folder / "documents" / f"{pair}.docs")
        documents = [document for _, document in places]
        assert len(set(documents)) == len(places) == 3
        systems = {path.stem for path in (folder / "system-outputs" / pair).iterdir()}
        for path in folder.rglob("*.txt"):
            assert len(path.read_text("utf-8").splitlines()) == 3
        for path in (folder / "references").iterdir():
            name = path.name.split(".")[-2]
            assert "-" not in name and name not in ("all", "src")
        sizes = {"seg": 3, "doc": 3, "domain": len({domain for domain, _ in places}), "sys": 1}
        for path in (folder / "human-scores").glob(f"{pair}.*.score"):
            rows = words(path)
            is_domain = path.name.endswith(".domain.score")
            assert {len(row) for row in rows} == {3 if is_domain else 2}
            counted = Counter(row[-2] for row in rows)
            assert set(counted) == systems
            assert set(counted.values()) == {sizes[path.name.split(".")[-2]]}


def test_it_is_laid_out_as_published_sets_are(tmp_path):
    with unpacked_evalset(shared("data/evalset/wmt23.tar.xz"), ".") as real:
        known = {_kind(path.relative_to(real), "en-de", "da-sqm") for path in real.rglob("*.*")}
        known |= {_kind(path.relative_to(real), "en-de", "mqm") for path in real.rglob("*.*")}
    testset = make_testset(5, 9)
    made = exported(tmp_path, DA, testset, simulated(testset, 30, k=2, protocol=DA.protocol))
    with unpacked_evalset(made.path, ".") as folder:
        kinds = {_kind(path.relative_to(folder), "de-en", "da") for path in folder.rglob("*.*")}
    # of documents the published sets of this archive have no scores; others do
    assert {kind for kind in kinds if "JUDGE" not in kind} - known == {
        "human-scores/PAIR.NAME.doc.score"
    }


def _kind(path, pair, name):
    """The path with what is particular in it taken away."""
    text = str(path).replace(pair, "PAIR").replace(f".{name}.", ".NAME.")
    if text.startswith("system-outputs"):
        return "system-outputs/PAIR/SYSTEM.txt"
    if text.startswith("references"):
        return "references/PAIR.REF.txt"
    return re.sub(r"NAME\.[^.]+\.seg", "NAME.JUDGE.seg", text)


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
