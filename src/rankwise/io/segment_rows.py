"""Scores of segments written as they are computed: a row per segment and system, block by block.

TSV and JSON lines go anywhere, Parquet goes to a file. What decides the numbers is known when the
last segment was read, so it comes last: as a final JSON object under ``"signatures"``, or as the
metadata ``rankwise`` of the Parquet file; a TSV has no place for it.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.io.files import StrPath, write_bytes, write_text
from rankwise.io.lines import CELL_BREAKS, OneLine

Facts = Callable[[], dict[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentRows:
    """``values[i, s, m]`` is what metric m says about segment i of system s."""

    ids: Sequence[str | int]
    systems: Sequence[str]
    values: NDArray[np.float64]


def write_segment_rows(
    blocks: Iterable[SegmentRows],
    path: StrPath,
    *,
    format: str,
    metrics: Sequence[str],
    facts: Facts,
) -> None:
    """Write rows of *blocks* as they come; *facts* is called after the last.

    Segments follow each other, and within a segment the systems. A file appears when it is whole.
    """
    if format not in WRITERS:
        raise DataError(f"unknown format {format!r} of rows; choose from {', '.join(WRITERS)}")
    WRITERS[format](blocks, path, metrics, facts)


def _write_tsv(
    blocks: Iterable[SegmentRows], path: StrPath, metrics: Sequence[str], _: Facts
) -> None:
    fit = OneLine(CELL_BREAKS)
    with write_text(path) as stream:
        stream.write("\t".join(["segment", "system", *map(fit, metrics)]) + "\n")
        for block in blocks:
            systems = [fit(system) for system in block.systems]
            stream.writelines(
                "\t".join((segment, system, *map(repr, cells))) + "\n"
                for segment, system, cells in _rows(block, systems, fit)
            )


def _write_jsonl(
    blocks: Iterable[SegmentRows], path: StrPath, metrics: Sequence[str], facts: Facts
) -> None:
    keys = [json.dumps(name, ensure_ascii=False) for name in metrics]
    with write_text(path) as stream:
        for block in blocks:
            systems = [json.dumps(system, ensure_ascii=False) for system in block.systems]
            stream.writelines(
                f'{{"segment": {segment}, "system": {system}, {_members(keys, cells)}}}\n'
                for segment, system, cells in _rows(block, systems, _json_text)
            )
        stream.write(json.dumps(facts(), ensure_ascii=False, allow_nan=False) + "\n")


def _write_parquet(
    blocks: Iterable[SegmentRows], path: StrPath, metrics: Sequence[str], facts: Facts
) -> None:
    arrow, parquet = _pyarrow()
    names = arrow.dictionary(arrow.int32(), arrow.string())
    fields = [("segment", arrow.string()), ("system", names)]
    schema = arrow.schema(fields + [(name, arrow.float64()) for name in metrics])
    with write_bytes(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for block in blocks:
            count, places = len(block.ids), len(block.systems)
            ids = np.repeat(np.array([str(segment) for segment in block.ids], object), places)
            codes = np.tile(np.arange(places, dtype=np.int32), count)
            system = arrow.DictionaryArray.from_arrays(codes, arrow.array(block.systems))
            columns = [block.values[..., m].ravel() for m in range(len(metrics))]
            writer.write_batch(
                arrow.record_batch([arrow.array(ids), system, *columns], schema=schema)
            )
        writer.add_key_value_metadata({"rankwise": json.dumps(facts(), ensure_ascii=False)})


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra(
            "Parquet needs pyarrow: install rankwise[cluster], or write .tsv or .jsonl"
        ) from error


def _rows(
    block: SegmentRows, systems: Sequence[str], write_id: Callable[[str], str]
) -> Iterator[tuple[str, str, list[float]]]:
    for segment, by_system in zip(block.ids, block.values.tolist(), strict=True):
        written = write_id(str(segment))
        for system, cells in zip(systems, by_system, strict=True):
            yield written, system, cells


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _members(keys: Sequence[str], cells: Sequence[float]) -> str:
    return ", ".join(
        f"{key}: {cell!r}" if math.isfinite(cell) else f"{key}: null"
        for key, cell in zip(keys, cells, strict=True)
    )


WRITERS: dict[str, Callable[[Iterable[SegmentRows], StrPath, Sequence[str], Facts], None]] = {
    "tsv": _write_tsv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}
