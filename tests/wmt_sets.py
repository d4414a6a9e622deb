"""Test sets of the shared data, with the outputs of every system."""

import gzip

from rankwise.types import Segment, TestSet
from shared_data import shared


def wmt_texts(pair: str) -> TestSet:
    """A pair like ``wmt24/en-cs``; segments that every system translated."""
    folder = shared(f"data/texts/{pair}")
    header, *rows = _rows(folder / "segments.tsv.gz")
    reference = next(place for place, name in enumerate(header) if name.startswith("ref:"))
    source = header.index("source")
    outputs: dict[str, dict[str, str]] = {}
    for system, segment, text in list(_rows(folder / "outputs.tsv.gz"))[1:]:
        outputs.setdefault(system, {})[segment] = text
    whole = [row for row in rows if all(row[0] in texts for texts in outputs.values())]
    return TestSet(
        tuple(Segment(row[0], row[source], (row[reference],)) for row in whole),
        {name: tuple(texts[row[0]] for row in whole) for name, texts in outputs.items()},
        target_language=pair.rpartition("-")[2],
    )


def _rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        return [line.rstrip("\n").split("\t") for line in stream]
