"""What a shard is, where shards are found, and how one is read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from rankwise.errors import DataError
from rankwise.io.files import stem_of
from rankwise.io.parts.arrow import pyarrow
from rankwise.io.parts.parallel_lines import parallel_blocks
from rankwise.io.testset_files import read_testset
from rankwise.text.languages import Language, language_of, target_language_of
from rankwise.types.text_block import Block, blocks_of

StrPath = str | os.PathLike[str]
Paths = StrPath | Sequence[StrPath]

#: Columns of a Parquet shard that are not outputs of a system.
ID, REFERENCE, REFERENCES = "id", "reference", "references"
SOURCE, DOCUMENT = "source", "document"
IGNORED = ("domain",)


@dataclass(frozen=True, slots=True)
class Shard:
    """Files that belong together: a text file per reference and system, or one file with all.

    ``outputs`` holds (system, path) of text files; it is empty for one file with all: Parquet,
    whose columns are ``reference`` (a text) or ``references`` (a list of them), a column of texts
    per system, and maybe ``id``, ``source``, ``document`` and ``domain``; or a test set in any
    other format.
    """

    name: str
    references: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All its files."""
        return (*self.references, *(path for _, path in self.outputs))

    def absolute(self) -> "Shard":
        """The same with paths that hold in any working directory."""
        outputs = tuple((system, str(Path(path).absolute())) for system, path in self.outputs)
        return Shard(self.name, tuple(str(Path(p).absolute()) for p in self.references), outputs)

    def blocks(self) -> Iterator[Block]:
        """Its segments, a block at a time."""
        if self.outputs:
            return _text_blocks(self)
        path = self.references[0]
        return _parquet_blocks(path) if path.endswith(".parquet") else blocks_of(read_testset(path))

    def language(self, given: str = "") -> Language:
        """The target language: given, named by a test set, or told by the first references."""
        if self.outputs or self.references[0].endswith(".parquet"):
            first = next(iter(self.blocks()), None)
            return language_of(() if first is None else first.references, given)
        texts = read_testset(self.references[0])
        return target_language_of(replace(texts, target_language=given or texts.target_language))


Given = StrPath | Sequence[StrPath] | Sequence[Shard] | Mapping[str, Paths]


def shards_of(given: Given, references: Sequence[Paths] = ()) -> list[Shard]:
    """The shards that paths stand for; shards stay what they are.

    With *references*: :func:`text_shards`. Without: :func:`whole_shards`.
    """
    listed = [given] if isinstance(given, str | os.PathLike) else given
    if references:
        return text_shards(cast("Mapping[str, Paths] | Sequence[Paths]", listed), references)
    if isinstance(listed, Mapping):
        raise DataError("outputs are given by system, but no references; expected both")
    shards = [one for one in listed if isinstance(one, Shard)]
    if len(shards) < len(listed):
        return whole_shards([one for one in listed if not isinstance(one, Shard)])
    if not shards:
        raise DataError("nothing to score: expected at least one shard")
    return _differently_named(shards)


def text_shards(
    outputs: Sequence[Paths] | Mapping[str, Paths], references: Sequence[Paths]
) -> list[Shard]:
    """Shards of text files with a line per segment, side by side for each reference and system.

    Each is a folder, and files of one name belong together; a file that one of the folders lacks
    is an error. Or each is a file, or a list of files, and files at one place of the lists belong
    together. Systems have the names of their folders or files, or those of a mapping.
    """
    named = outputs if isinstance(outputs, Mapping) else {_system(one): one for one in outputs}
    if not named or not references:
        raise DataError("shards need references and outputs; expected at least one of each")
    if len(named) < len(outputs):
        raise DataError("two of the outputs have the same name; expected one per system")
    columns = [_files(one) for one in (*references, *named.values())]
    _check_parallel(columns, [*references, *named.values()])
    shards = []
    for files in zip(*columns, strict=True):
        paths = [os.fspath(file) for file in files]
        count = len(references)
        systems = zip(named, paths[count:], strict=True)
        shards.append(Shard(stem_of(paths[0]), tuple(paths[:count]), tuple(systems)))
    return _differently_named(shards)


def whole_shards(paths: Sequence[StrPath]) -> list[Shard]:
    """Shards of files that hold references and outputs: Parquet, or test sets of any format.

    A folder stands for its ``*.parquet`` files by name, or, if it has none, for all its files.
    """
    files = []
    for path in map(Path, paths):
        inside = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        files += inside or _files(path)
    if not files:
        raise DataError("nothing to score: expected at least one shard")
    return _differently_named([Shard(stem_of(file), (os.fspath(file),)) for file in files])


def _system(given: Paths) -> str:
    """A folder is called by its whole name, a file without its suffix, a list by its folder."""
    if not isinstance(given, str | os.PathLike):
        return Path(given[0]).absolute().parent.name
    return Path(given).absolute().name if Path(given).is_dir() else stem_of(given)


def _files(given: Paths) -> list[Path]:
    """The files of a folder by name, those of a list as they come, or the one file."""
    if not isinstance(given, str | os.PathLike):
        return [Path(path) for path in given]
    path = Path(given)
    if not path.is_dir():
        return [path]
    files = sorted(f for f in path.iterdir() if f.is_file() and not f.name.startswith("."))
    if not files:
        raise DataError(f"{path} holds no file; expected one per shard")
    return files


def _check_parallel(columns: Sequence[Sequence[Path]], given: Sequence[Paths]) -> None:
    """Raise unless folders hold files of the same names, and lists as many files."""
    is_folder = [isinstance(one, str | os.PathLike) and Path(one).is_dir() for one in given]
    if len(set(is_folder)) > 1:
        odd = given[is_folder.index(not is_folder[0])]
        kinds = ("a folder", "no folder") if is_folder[0] else ("no folder", "a folder")
        raise DataError(
            f"{given[0]} is {kinds[0]}, but {odd} is {kinds[1]}; expected all or none to be"
        )
    first = [file.name for file in columns[0]]
    for files, folder in zip(columns, given, strict=True):
        names = [file.name for file in files]
        if is_folder[0] and names != first:
            missing = next((name for name in first if name not in names), None)
            surplus = next((name for name in names if name not in first), None)
            without, having = (folder, given[0]) if missing else (given[0], folder)
            raise DataError(f"{without} has no file {missing or surplus!r}, but {having} has")
        if len(names) != len(first):
            raise DataError(
                f"a list of {len(names)} files goes with one of {len(first)}; expected as many"
            )


def _differently_named(shards: list[Shard]) -> list[Shard]:
    seen: set[str] = set()
    for shard in shards:
        if shard.name in seen:
            raise DataError(f"two shards are named {shard.name!r}; expected different file names")
        seen.add(shard.name)
    return shards


def _text_blocks(shard: Shard) -> Iterator[Block]:
    start, count = 1, len(shard.references)
    files, reference_files = dict(shard.outputs), tuple(shard.references)
    for lines in parallel_blocks(shard.paths):
        references = lines[0] if count == 1 else list(zip(*lines[:count], strict=True))
        systems = [system for system, _ in shard.outputs]
        outputs = dict(zip(systems, lines[count:], strict=True))
        yield Block(
            range(start, start + len(lines[0])),
            references,
            outputs,
            files=files,
            reference_files=reference_files,
        )
        start += len(lines[0])


def _parquet_blocks(path: str) -> Iterator[Block]:
    start = 1
    for batch in _batches(path):
        columns = batch.to_pydict()
        sources = [cell or "" for cell in columns.pop(SOURCE, ())]
        documents = columns.pop(DOCUMENT, ())
        columns = {name: cells for name, cells in columns.items() if name not in IGNORED}
        ids = columns.pop(ID, None) or range(start, start + batch.num_rows)
        _check_columns(columns, path, start)
        bare = [()] * batch.num_rows
        references = columns.pop(REFERENCE, None) or columns.pop(REFERENCES, bare)
        yield Block(ids, references, columns, documents, sources=sources)
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
    if len(found) > 1:
        raise DataError(f"{path}: expected a column {REFERENCE!r} or {REFERENCES!r}, found {found}")
    if len(columns) <= len(found):
        raise DataError(f"{path}: expected a column of texts for each system, found none")
    for name, cells in columns.items():
        kind = list if name == REFERENCES else str
        for row, cell in enumerate(cells, start):
            if not isinstance(cell, kind) or not (kind is str or cell):
                text = "a list of texts" if kind is list else "a text"
                raise DataError(f"{path}: row {row}: {name!r} is {cell!r:.40}; expected {text}")
