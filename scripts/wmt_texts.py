"""Outputs of WMT21 to 23 with human judgments, from the folder ``data/texts`` (see its README)."""

import csv
import gzip
import os
from collections.abc import Iterator
from pathlib import Path

from rankwise.types import ScoreTable, Segment, TestSet

#: Systems that are references under another name.
HUMAN_SYSTEMS = ("ref*", "HUMAN*", "Human*", "synthetic*")

#: The reference that outputs were judged against, or the official one; the first where none is.
REFERENCES = {"wmt21/en-de": "C", "wmt22/cs-en": "B", "wmt23/he-en": "refB"}

#: Tracks of direct assessment, all into English.
DA_TRACKS = (
    "wmt21/is-en",
    "wmt21/ja-en",
    "wmt21/ru-en",
    "wmt22/cs-en",
    "wmt22/de-en",
    "wmt22/ja-en",
    "wmt22/liv-en",
    "wmt22/ru-en",
    "wmt22/uk-en",
    "wmt22/zh-en",
)


def texts_folder() -> Path:
    """``RANKWISE_SHARED/data/texts``, or beside the repository."""
    beside = Path(__file__).parents[2] / "shared"
    return Path(os.environ.get("RANKWISE_SHARED", beside)) / "data" / "texts"


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a gzipped TSV without quoting."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def read_texts(track: str) -> TestSet:
    """The test set of a track such as ``wmt22/cs-en``, with the one reference to score against."""
    folder = texts_folder() / track
    source, target = track.partition("/")[2].split("-")
    segments, places = [], {}
    for row in read_rows(folder / "segments.tsv.gz"):
        names = [name for name in row if name.startswith("ref:")]
        reference = row[f"ref:{REFERENCES[track]}" if track in REFERENCES else names[0]]
        places[row["seg"]] = len(segments)
        segments.append(Segment(row["seg"], row["source"], (reference,), row["doc"]))
    outputs: dict[str, list[str | None]] = {}
    for row in read_rows(folder / "outputs.tsv.gz"):
        texts = outputs.setdefault(row["system"], [None] * len(segments))
        texts[places[row["seg"]]] = row["text"]
    return TestSet(
        tuple(segments),
        {name: tuple(texts) for name, texts in outputs.items()},
        track.replace("/", "-"),
        source,
        target,
    )


def read_human(track: str, kind: str = "DA", column: str = "score") -> ScoreTable:
    """The mean of every output by one kind of judgment: its ``score``, or ``z`` by judge."""
    rows = read_rows(texts_folder() / track / "segscores.tsv.gz")
    cells = [(row["system"], row["seg"], float(row[column])) for row in rows if row["kind"] == kind]
    return ScoreTable.from_cells(cells, name=f"{track} {kind}")


def read_pairs(track: str, kind: str) -> list[tuple[str, str, str]]:
    """Segment, better and worse system of every pair that people told apart."""
    rows = read_rows(texts_folder() / track / "pairs.tsv.gz")
    return [(row["seg"], row["better"], row["worse"]) for row in rows if row["kind"] == kind]
