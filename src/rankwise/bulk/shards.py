"""What a shard is, where shards are found, and how one is read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.evaluate.blocks import Block
from rankwise.io.arrow import pyarrow
from rankwise.io.files import stem_of
from rankwise.io.parallel_lines import parallel_blocks

StrPath = str | os.PathLike[str]

#: Columns of a Parquet shard that are not outputs of a system.
ID, REFERENCE, REFERENCES = "id", "reference", "references"


@dataclass(frozen=True, slots=True)
class Shard:
    """Files that belong together: one Parquet file, or a text file per reference and system.

    ``outputs`` holds (system, path) of text files; it is empty for a Parquet file, whose columns
    are ``reference`` (a text) or ``references`` (a list of them), a column of texts per system,
    and maybe ``id``.
    """

    name: str
    references: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All its files."""
        return (*self.references, *(path for _, path in self.outputs))

    def blocks(self) -> Iterator[Block]:
        """Its segments, a block at a time."""
        return _text_blocks(self) if self.outputs else _parquet_blocks(self)


def text_shards(
    outputs: Sequence[StrPath] | Mapping[str, StrPath], references: Sequence[StrPath]
) -> list[Shard]:
    """Shards of folders with equally named text files: a folder per system and per reference.

    A file that one of the folders lacks is an error. Systems have the names of their folders.
    """
    named = outputs if isinstance(outputs, Mapping) else {Path(p).name: p for p in outputs}
    if not named or not references:
        raise DataError("shards need a folder of references and one for each system")
    if len(named) < len(outputs):
        raise DataError("two folders of outputs have the same name; expected one per system")
    files = _files(references[0])
    for folder in (*references[1:], *named.values()):
        other = _files(folder)
        missing = next((name for name in files if name not in other), None)
        surplus = next((name for name in other if name not in files), None)
        if missing or surplus:
            without, having = (folder, references[0]) if missing else (references[0], folder)
            raise DataError(f"{without} has no file {missing or surplus!r}, but {having} has")
    return [
        Shard(
            stem_of(name),
            tuple(os.fspath(Path(folder) / name) for folder in references),
            tuple((system, os.fspath(Path(folder) / name)) for system, folder in named.items()),
        )
        for name in files
    ]


def parquet_shards(paths: Sequence[StrPath]) -> list[Shard]:
    """Shards of Parquet files; a folder stands for its ``*.parquet`` files, by name."""
    files = [
        file
        for path in map(Path, paths)
        for file in (sorted(path.glob("*.parquet")) if path.is_dir() else [path])
    ]
    names = [file.name.removesuffix(".parquet") for file in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two shards are named {twice!r}; expected different file names")
    if not files:
        raise DataError(f"{', '.join(map(str, paths))}: no Parquet file is there")
    return [Shard(name, (os.fspath(file),)) for name, file in zip(names, files, strict=True)]


def _files(folder: StrPath) -> list[str]:
    path = Path(folder)
    if not path.is_dir():
        raise DataError(f"{path} is not a folder; expected one with a text file per shard")
    names = sorted(f.name for f in path.iterdir() if f.is_file() and not f.name.startswith("."))
    if not names:
        raise DataError(f"{path} holds no file; expected a text file per shard")
    return names


def _text_blocks(shard: Shard) -> Iterator[Block]:
    start, count = 1, len(shard.references)
    for lines in parallel_blocks(shard.paths):
        references = lines[0] if count == 1 else list(zip(*lines[:count], strict=True))
        systems = [system for system, _ in shard.outputs]
        outputs = dict(zip(systems, lines[count:], strict=True))
        yield Block(range(start, start + len(lines[0])), references, outputs)
        start += len(lines[0])


def _parquet_blocks(shard: Shard) -> Iterator[Block]:
    path, start = shard.references[0], 1
    for batch in _batches(path):
        columns = batch.to_pydict()
        ids = columns.pop(ID, None) or range(start, start + batch.num_rows)
        _check_columns(columns, path, start)
        references = columns.pop(REFERENCE, None) or columns.pop(REFERENCES)
        yield Block(ids, references, columns)
        start += batch.num_rows


def _batches(path: str) -> Iterator[Any]:
    arrow, parquet = pyarrow("Parquet needs pyarrow: pip install 'rankwise[cluster]'")
    try:
        with parquet.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=10_000)
    except (OSError, arrow.ArrowException) as error:
        raise DataError(f"{path}: not a readable Parquet file: {error}") from error


def _check_columns(columns: Mapping[str, list[Any]], path: str, start: int) -> None:
    found = [name for name in (REFERENCE, REFERENCES) if name in columns]
    if len(found) != 1:
        raise DataError(f"{path}: expected a column {REFERENCE!r} or {REFERENCES!r}, found {found}")
    if len(columns) < 2:
        raise DataError(f"{path}: expected a column of texts for each system, found none")
    for name, cells in columns.items():
        kind = list if name == REFERENCES else str
        for row, cell in enumerate(cells, start):
            if not isinstance(cell, kind) or not (kind is str or cell):
                text = "a list of texts" if kind is list else "a text"
                raise DataError(f"{path}: row {row}: {name!r} is {cell!r:.40}; expected {text}")
