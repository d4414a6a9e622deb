"""Scores of segments written as they are computed: a row per segment and system, block by block.

TSV and JSON lines go anywhere, Parquet goes to a file. What decides the numbers is known when the
last segment was read, so it comes last: as a final JSON object under ``"signatures"``, or as the
metadata ``rankwise`` of the Parquet file; a TSV has no place for it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_bytes, write_text
from rankwise.io.parts.arrow import pyarrow
from rankwise.io.parts.line_text import CELL_BREAKS, OneLine

_MISSING = "Parquet needs pyarrow: install rankwise[cluster], or write .tsv or .jsonl"

T = TypeVar("T")
Facts = Callable[[], dict[str, object]]
Numbers = Callable[[NDArray[np.float64]], list[str]]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentRows:
    """``values[i, s, m]`` is what metric m says about segment i of system s.

    ``places`` says where segments stand: under "document" and "domain", one for each or None.
    """

    ids: Sequence[str | int]
    systems: Sequence[str]
    values: NDArray[np.float64]
    places: Mapping[str, Sequence[str | None]] = field(default_factory=dict)


def write_segment_rows(
    blocks: Iterable[SegmentRows],
    path: StrPath,
    *,
    format: str,
    metrics: Sequence[str],
    facts: Facts,
    places: Sequence[str] = (),
) -> None:
    """Write rows of *blocks* as they come; *facts* is called after the last.

    Segments follow each other, and within a segment the systems. *places* names what is written of
    the places of segments, in columns after the system. A file appears when it is whole.
    """
    if format not in WRITERS:
        raise DataError(f"unknown format {format!r} of rows; choose from {', '.join(WRITERS)}")
    WRITERS[format](blocks, path, metrics, places, facts)


def _write_tsv(
    blocks: Iterable[SegmentRows],
    path: StrPath,
    metrics: Sequence[str],
    places: Sequence[str],
    _: Facts,
) -> None:
    fit = OneLine(CELL_BREAKS)
    with write_text(path) as stream:
        stream.write("\t".join(["segment", "system", *places, *map(fit, metrics)]) + "\n")
        for block in blocks:
            columns = _columns(block, places, lambda text: fit(text or ""), _exact)
            stream.write("\n".join(map("\t".join, zip(*columns, strict=True))) + "\n")


def _write_jsonl(
    blocks: Iterable[SegmentRows],
    path: StrPath,
    metrics: Sequence[str],
    places: Sequence[str],
    facts: Facts,
) -> None:
    keys = ["segment", "system", *places, *metrics]
    members = ", ".join(_json_text(key).replace("%", "%%") + ": %s" for key in keys)
    row = f"{{{members}}}\n"
    with write_text(path) as stream:
        for block in blocks:
            columns = _columns(block, places, _json_text, _json_numbers)
            stream.writelines(row % cells for cells in zip(*columns, strict=True))
        stream.write(json.dumps(facts(), ensure_ascii=False, allow_nan=False) + "\n")


def _write_parquet(
    blocks: Iterable[SegmentRows],
    path: StrPath,
    metrics: Sequence[str],
    places: Sequence[str],
    facts: Facts,
) -> None:
    arrow, parquet = pyarrow(_MISSING)
    names = arrow.dictionary(arrow.int32(), arrow.string())
    fields = [("segment", arrow.string()), ("system", names)]
    fields += [(name, arrow.string()) for name in places]
    schema = arrow.schema(fields + [(name, arrow.float64()) for name in metrics])
    with write_bytes(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for block in blocks:
            count, size = len(block.ids), len(block.systems)
            named = [[str(segment) for segment in block.ids], *_places(block, places)]
            ids, *where = (arrow.array(_repeated(column, size)) for column in named)
            codes = np.tile(np.arange(size, dtype=np.int32), count)
            system = arrow.DictionaryArray.from_arrays(codes, arrow.array(block.systems))
            columns = [block.values[..., m].ravel() for m in range(len(metrics))]
            where = [column.cast(arrow.string()) for column in where]
            writer.write_batch(arrow.record_batch([ids, system, *where, *columns], schema=schema))
        writer.add_key_value_metadata({"rankwise": json.dumps(facts(), ensure_ascii=False)})


def _places(block: SegmentRows, names: Sequence[str]) -> list[Sequence[str | None]]:
    """Where the segments stand; nothing where a block does not know."""
    return [block.places.get(name) or [None] * len(block.ids) for name in names]


def _repeated(cells: Sequence[T], times: int) -> Sequence[T]:
    """Every cell so many times: once for every system."""
    return [cell for cell in cells for _ in range(times)] if times > 1 else cells


def _columns(
    block: SegmentRows,
    places: Sequence[str],
    write_name: Callable[[str | None], str],
    write_numbers: Numbers,
) -> list[Sequence[str]]:
    """Columns of written cells, row by row: whole columns at a time, for millions of rows."""
    count, size = len(block.ids), len(block.systems)
    if isinstance(block.ids, range):  # digits need no escapes, at most quotes
        before, _, after = write_name("0").partition("0")
        ids = [f"{before}{number}{after}" for number in block.ids]
    else:
        ids = [write_name(str(segment)) for segment in block.ids]
    values = [block.values[..., m].ravel() for m in range(block.values.shape[-1])]
    systems = [write_name(system) for system in block.systems]
    where = [list(map(write_name, column)) for column in _places(block, places)]
    first, *others = (_repeated(column, size) for column in (ids, *where))
    return [first, systems * count, *others, *map(write_numbers, values)]


def _exact(values: NDArray[np.float64]) -> list[str]:
    return list(map(repr, values.tolist()))


def _json_numbers(values: NDArray[np.float64]) -> list[str]:
    """Every digit; JSON has no nan and no infinity."""
    cells = _exact(values)
    for place in np.flatnonzero(~np.isfinite(values)).tolist():
        cells[place] = "null"
    return cells


def _json_text(text: str | None) -> str:
    return json.dumps(text, ensure_ascii=False)


WRITERS: dict[
    str, Callable[[Iterable[SegmentRows], StrPath, Sequence[str], Sequence[str], Facts], None]
] = {
    "tsv": _write_tsv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}
