"""The real WMT23 EvalSet and the WMT21-23 texts, when they are here, against plain Python."""

import gzip
import json
import math
from collections import defaultdict

import numpy as np
import pytest

from archives import unpack
from rankwise.io import read_assessments, read_scores, read_testset, write_testset
from rankwise.types import Assessments
from shared_data import SHARED, needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def wmt23(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evalset")
    unpack(shared("data/evalset/wmt23.tar.xz"), folder)
    return next(path for path in [folder / "wmt23", folder] if (path / "sources").is_dir())


def plain_lines(path):
    """A file as the fewest lines of Python read it."""
    return path.read_bytes().decode("utf-8").removeprefix("\ufeff").split("\n")[:-1]


@pytest.mark.parametrize(("pair", "count"), [("en-de", 557), ("he-en", 1910)])
def test_the_evalset_in_full(wmt23, pair, count):
    testset = read_testset(wmt23, language_pair=pair)
    assert len(testset) == count
    assert len(testset.systems) == 14
    assert [s.source for s in testset.segments] == plain_lines(wmt23 / "sources" / f"{pair}.txt")
    for number, name in enumerate(testset.reference_names):
        texts = [segment.references[number] for segment in testset.segments]
        assert texts == plain_lines(wmt23 / "references" / f"{pair}.{name}.txt")
    for system, texts in testset.outputs.items():
        assert list(texts) == plain_lines(wmt23 / "system-outputs" / pair / f"{system}.txt")
    places = [f"{segment.domain}\t{segment.document}" for segment in testset.segments]
    assert places == plain_lines(wmt23 / "documents" / f"{pair}.docs")


@pytest.mark.parametrize("name", ["evalset", "wmt-xml", "testset-jsonl", "sgml"])
def test_the_evalset_survives_other_formats(wmt23, name, tmp_path):
    testset = read_testset(wmt23, language_pair="en-de")
    losses = write_testset(testset, tmp_path / testset.name, format=name)
    back = read_testset(tmp_path / testset.name, format=name)
    if name == "sgml":  # runs of spaces in real texts
        assert len(losses) == 1
        assert "lost white space" in losses[0]
        assert [s.id for s in back.segments] == [s.id for s in testset.segments]
    else:
        assert (losses, back) == ([], testset)


def test_every_score_file(wmt23):
    files = sorted(wmt23.rglob("*.score"))
    assert len(files) == 429
    for path in files:
        cells = [line.split("\t") for line in plain_lines(path)]
        values = [float(row[-1]) for row in cells if row[-1] != "None"]
        table = read_scores(path)
        level = {"seg": "segment", "sys": "system", "domain": "domain"}[path.name.split(".")[-2]]
        assert table.level == level
        assert table.values.size == len(cells)
        assert int(np.isnan(table.values).sum()) == len(cells) - len(values)
        assert math.fsum(table.values[~np.isnan(table.values)]) == math.fsum(values)
        last = cells[-1]
        column = {"domain": last[0], "system": "all"}.get(level, table.segments[-1])
        found = table.row(last[-2])[table.segments.index(column)]
        assert found == (
            float(last[-1]) if last[-1] != "None" else pytest.approx(math.nan, nan_ok=True)
        )


def test_the_ratings_give_the_published_scores(wmt23):
    ratings = read_scores(wmt23 / "human-scores" / "en-de.mqm.merged.seg.rating")
    scores = read_scores(wmt23 / "human-scores" / "en-de.mqm.seg.score")
    assert set(scores.systems) == set(ratings.systems)
    for system in scores.systems:
        row = dict(zip(ratings.segments, ratings.row(system), strict=True))
        for segment, score in zip(scores.segments, scores.row(system), strict=True):
            if math.isnan(score):
                assert segment not in row
            else:
                assert row[segment] == pytest.approx(score, abs=1e-9)


def test_the_weights_of_wmt23_are_those_of_the_ratings(wmt23):
    from rankwise.io.formats.assessments.error_spans import WMT23, weight

    found = defaultdict(set)
    for line in plain_lines(wmt23 / "human-scores" / "en-de.mqm.merged.seg.rating"):
        rating = line.split("\t")[1]
        for error in json.loads(rating)["errors"] if rating != "None" else ():
            found[error["severity"], error["category"]].add(error["score"])
    assert len(found) == 39
    for (severity, category), scores in found.items():
        assert scores == {weight(severity, category, WMT23)}, (severity, category)


JUDGMENTS = sorted(SHARED.glob("data/texts/*/*/judgments.tsv.gz")) if SHARED else []


@pytest.mark.parametrize("path", JUDGMENTS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_judgments_average_to_the_published_segment_scores(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream][1:]
    expected = defaultdict(dict)
    with gzip.open(
        path.with_name("segscores.tsv.gz"), "rt", encoding="utf-8", newline="\n"
    ) as stream:
        for kind, system, segment, score, *_ in (line.split("\t") for line in list(stream)[1:]):
            expected[kind][system, segment] = float(score)
    kinds = list(dict.fromkeys(row[3] for row in rows))
    for kind in kinds:
        mine = [row for row in rows if row[3] == kind]
        found = read_assessments(path, kind=kind)
        assert len(found) == len(mine)
        assert math.fsum(found.value) == math.fsum(float(row[4]) for row in mine)
        assert set(found.judges) == {row[0] for row in mine}
        table = found.scores()
        cells = {
            (system, segment): score
            for system, row in zip(table.systems, table.values.tolist(), strict=True)
            for segment, score in zip(table.segments, row, strict=True)
            if score == score
        }
        # what single raters gave has the kind "MQM-rater", its published average "MQM"
        published = expected.get(kind) or expected[kind.removesuffix("-rater")]
        assert cells.keys() == published.keys()
        for key, score in cells.items():
            assert score == pytest.approx(published[key], abs=1e-4), key


@pytest.mark.parametrize("file", ["wmt21/is-en", "wmt22/cs-en", "wmt22/en-de"])
def test_standardised_values_are_the_published_ones(file):
    found = read_assessments(shared(f"data/texts/{file}/judgments.tsv.gz"))
    cells = found.scores(by_judge=True)
    z = Assessments.from_rows(
        (*row[:4], value) for row, value in zip(found.rows(), found.info["z"], strict=True)
    ).scores()
    np.testing.assert_allclose(cells.values, z.values, atol=5e-5)


TEXTS = sorted(SHARED.glob("data/texts/*/*/segments.tsv.gz")) if SHARED else []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_segments_and_outputs(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        header, *rows = (line.rstrip("\n").split("\t") for line in stream)
    ignore = [name for name in header if name == "da_sid"]
    outputs = path.with_name("outputs.tsv.gz")
    testset = read_testset(path, outputs=outputs, ignore=ignore)
    assert [segment.id for segment in testset.segments] == [row[0] for row in rows]
    assert [segment.source for segment in testset.segments] == [row[3] for row in rows]
    names = [name.removeprefix("ref:") for name in header if name.startswith("ref:")]
    assert list(testset.reference_names) == names
    with gzip.open(outputs, "rt", encoding="utf-8", newline="\n") as stream:
        lines = [line.rstrip("\n").split("\t") for line in stream][1:]
    assert sum(len(texts) for texts in testset.outputs.values()) == len(lines)
    assert sum(len(text) for texts in testset.outputs.values() for text in texts) == sum(
        len(line[2]) for line in lines
    )
    places = {segment.id: position for position, segment in enumerate(testset.segments)}
    for system, segment, text in lines[:: max(1, len(lines) // 50)]:
        assert testset.outputs[system][places[segment]] == text
