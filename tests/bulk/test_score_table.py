"""Are scores of shards those of the whole, and does work that was done stay done?"""

import json
import os
import random
import signal
from itertools import pairwise

import numpy as np
import pytest

import rankwise as rw
from rankwise.bulk import score_table, text_shards, whole_shards
from rankwise.engine import Site
from rankwise.errors import DataError

ONE = Site(workers=1)
METRICS = ["bleu", "chrf", "ter", "meteor"]
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "hill", "quickly", "today"]


def sentence(rng):
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 12)))


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(5)
    return {name: [sentence(rng) for _ in range(60)] for name in ("ref", "A", "B")}


def written(folder, texts, cuts):
    bounds = [0, *cuts, 60]
    for name, lines in texts.items():
        (folder / name).mkdir(parents=True)
        for number, (low, high) in enumerate(pairwise(bounds)):
            text = "".join(line + "\n" for line in lines[low:high])
            (folder / name / f"part-{number:02}.txt").write_text(text, "utf-8")
    return text_shards([folder / "A", folder / "B"], [folder / "ref"])


def whole(texts):
    return [
        [rw.metric(name).corpus(texts[system], texts["ref"]) for name in METRICS]
        for system in ("A", "B")
    ]


@pytest.mark.parametrize("cuts", [[], [20, 40], [1, 2, 59]])
def test_the_cut_does_not_matter(tmp_path, texts, cuts):
    found = score_table(written(tmp_path, texts, cuts), METRICS, site=Site(workers=2))
    assert found.values.tolist() == whole(texts)  # to the last bit
    assert (found.systems, found.segments, found.nrefs) == (("A", "B"), 60, "1")


def test_sums_that_are_not_whole_are_exact_too(tmp_path, texts):
    """Some metrics add up fractions; the mean length of three references of TER is a third."""
    shards = written(tmp_path, texts, [7, 8, 31])
    other = [f"{line} again" for line in texts["ref"]]
    third = ["so" for _ in texts["ref"]]
    for name, lines in (("more", other), ("third", third)):
        written(tmp_path / name, {"ref": lines, "A": lines, "B": lines}, [7, 8, 31])
    folders = [tmp_path / "ref", tmp_path / "more" / "ref", tmp_path / "third" / "ref"]
    shards = text_shards([tmp_path / "A", tmp_path / "B"], folders)
    found = score_table(shards, ["softmatch", "ter"], site=ONE, folder=tmp_path / "out")
    again = score_table(shards, ["softmatch", "ter"], site=ONE, folder=tmp_path / "out")
    references = list(zip(texts["ref"], other, third, strict=True))
    expected = [
        [rw.metric(name).corpus(texts[system], references) for name in ("softmatch", "ter")]
        for system in ("A", "B")
    ]
    assert found.values.tolist() == again.values.tolist() == expected
    assert (again.shards, again.nrefs) == (found.shards, "3")


def test_segments_are_written_and_work_is_resumed(tmp_path, texts):
    parquet = pytest.importorskip("pyarrow.parquet")
    shards, out = written(tmp_path / "in", texts, [20, 40]), tmp_path / "out"
    first = score_table(shards, ["chrf"], folder=out, site=ONE)
    rows = [
        row for n in range(3) for row in parquet.read_table(out / f"part-0{n}.parquet").to_pylist()
    ]
    expected = rw.metric("chrf").segments(texts["B"], texts["ref"])
    assert [row["chrf"] for row in rows if row["system"] == "B"] == expected.tolist()

    (out / "part-01.json").unlink()  # as if interrupted here
    before = {name: (out / f"{name}.parquet").stat().st_mtime_ns for name in ("part-00", "part-01")}
    again = score_table(shards, ["chrf"], folder=out, site=ONE)
    after = {name: (out / f"{name}.parquet").stat().st_mtime_ns for name in before}
    assert again.values.tolist() == first.values.tolist()
    assert after["part-00"] == before["part-00"]
    assert after["part-01"] > before["part-01"]

    score_table(shards, ["bleu"], folder=out, site=ONE)  # other work is not taken for the same
    assert json.loads((out / "part-00.json").read_text())["sums"] != list(again.shards[0].sums)


def test_a_poisoned_shard_is_named_with_its_line(tmp_path, texts):
    shards = written(tmp_path, texts, [20, 40])
    path = tmp_path / "A" / "part-01.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\n\xff", 1))
    found = score_table(shards, ["bleu"], site=Site(workers=2))
    assert list(found.failed) == ["part-01"]
    assert f"{path}:2:" in found.failed["part-01"]
    assert found.segments == 40


def test_whole_shards(tmp_path, texts):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for number in range(2):
        part = slice(30 * number, 30 * number + 30)
        columns = {"references": [[line] for line in texts["ref"][part]]}
        columns |= {name: texts[name][part] for name in ("A", "B")}
        parquet.write_table(arrow.table(columns), tmp_path / f"{number}.parquet")
    found = score_table(whole_shards([tmp_path]), METRICS, site=ONE)
    assert found.values.tolist() == whole(texts)


def test_a_list_of_test_sets(tmp_path, texts):
    """TSV and JSON lines, read by the readers of test sets; the public name takes paths."""
    files = []
    for number, suffix in enumerate((".tsv", ".jsonl")):
        part = slice(30 * number, 30 * number + 30)
        segments = [rw.Segment(str(n), "", (text,)) for n, text in enumerate(texts["ref"][part])]
        outputs = {name: tuple(texts[name][part]) for name in ("A", "B")}
        files.append(tmp_path / f"part-{number}{suffix}")
        rw.write_testset(rw.TestSet(tuple(segments), outputs), files[-1])
    for given in (files, tmp_path, str(tmp_path)):
        found = rw.score_table(given, METRICS, site=ONE)
        assert found.values.tolist() == whole(texts)


def test_lists_of_text_files(tmp_path, texts):
    written(tmp_path, texts, [20, 40])
    lists = {name: sorted((tmp_path / name).iterdir()) for name in texts}
    outputs = {"A": lists["A"], "B": lists["B"]}
    found = score_table(outputs, METRICS, references=[lists["ref"]], site=ONE)
    assert found.values.tolist() == whole(texts)
    assert text_shards([lists["A"]], [lists["ref"]])[0].outputs[0][0] == "A"
    with pytest.raises(DataError, match="a list of 2 files goes with one of 3"):
        text_shards({"A": lists["A"][:2]}, [lists["ref"]])
    with pytest.raises(DataError, match=r"ref is a folder, but .* is no folder"):
        text_shards({"A": lists["A"][0]}, [tmp_path / "ref"])


def test_a_line_of_a_bad_test_set_is_named(tmp_path):
    (tmp_path / "x.tsv").write_text("id\tref\tA\n1\ta\tb\n2\ta\n", "utf-8")
    (tmp_path / "y.tsv").write_text("id\tref\tA\n1\ta\tb\n", "utf-8")
    heard = []
    found = score_table(tmp_path, "bleu", site=ONE, on_done=lambda *counts: heard.append(counts))
    assert list(found.failed) == ["x"]
    assert "x.tsv:3:" in found.failed["x"]
    assert sorted(heard) == [(1, 0), (1, 1)]


@pytest.mark.parametrize("given", [[], {"A": "x"}])
def test_nothing_to_score(given):
    with pytest.raises(DataError, match="expected"):
        score_table(given, ["bleu"])


def test_columns_that_are_no_system_are_passed_over(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"reference": ["a"], "A": ["a"], "source": [None], "document": ["d"]}
    parquet.write_table(arrow.table(columns), tmp_path / "x.parquet")
    assert score_table(tmp_path, ["wer"], site=ONE).systems == ("A",)


def test_a_missing_cell_of_a_parquet_shard_is_named(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"reference": ["a", "b"], "A": ["a", None]})
    parquet.write_table(table, tmp_path / "x.parquet")
    found = score_table(whole_shards([tmp_path]), ["bleu"], site=ONE)
    assert "x.parquet: row 2: 'A' is None; expected a text" in found.failed["x"]


def test_a_shard_that_a_system_lacks_is_an_error(tmp_path, texts):
    written(tmp_path, texts, [20])
    (tmp_path / "B" / "part-01.txt").unlink()
    with pytest.raises(DataError, match=r"B has no file 'part-01.txt', but .*ref has"):
        text_shards([tmp_path / "A", tmp_path / "B"], [tmp_path / "ref"])


def test_shards_must_have_the_same_systems(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in "AB":
        parquet.write_table(
            arrow.table({"reference": ["a"], name: ["a"]}), tmp_path / f"{name}.parquet"
        )
    with pytest.raises(DataError, match="shard 'B' has the systems B, but 'A' has A"):
        score_table(whole_shards([tmp_path]), ["bleu"], site=ONE)


def test_scores_of_a_cluster_with_a_dying_worker(tmp_path, texts, cluster):
    """A worker is killed while it works; the result is that of the whole, to the last bit."""
    shards = written(tmp_path, texts, list(range(2, 60, 2)))
    pids = [worker.pid for worker in cluster.workers.values()]
    killed = []

    def kill(*_):
        if not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    address = cluster.scheduler_address
    found = score_table(shards, METRICS, site=Site("dask", address), on_done=kill)
    assert killed
    assert found.failed == {}
    assert np.array_equal(found.values, np.array(whole(texts)))
