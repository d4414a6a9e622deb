"""Reading and writing test sets, scores and assessments in any format, sniffed unless named."""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.formats import Format, Kind, find_format, format_for_writing, formats_of, names_of
from rankwise.io.sniff import read_head
from rankwise.types import Assessments, ScoreTable, TestSet


def read_testset(path: StrPath, *, format: str | None = None, **options: Any) -> TestSet:
    """The test set in a file or folder, in any supported format.

    *options* are those of the format's ``read``, such as ``language_pair`` of an EvalSet, or
    ``references`` and ``outputs`` of parallel files.
    """
    chosen = _testset_format(path, options) if format is None else find_format(format, "testset")
    testset: TestSet = _read(chosen, path, options)
    return testset


def read_scores(path: StrPath, *, format: str | None = None, **options: Any) -> ScoreTable:
    """The scores in a file; assessments are averaged per system and segment."""
    chosen = _sniff(path, "scores", "assessments") if format is None else _either(format)
    if chosen.kind == "assessments":
        return _read_assessments(chosen, path, options).scores()
    table: ScoreTable = _read(chosen, path, options)
    return table


def read_assessments(path: StrPath, *, format: str | None = None, **options: Any) -> Assessments:
    """The scalar human judgments in a file."""
    chosen = _sniff(path, "assessments") if format is None else find_format(format, "assessments")
    return _read_assessments(chosen, path, options)


def write_testset(
    testset: TestSet, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write a test set; one sentence for everything that the format could not hold."""
    return _write(testset, path, format_for_writing(path, "testset", format), options)


def write_scores(
    table: ScoreTable, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write scores; one sentence for everything that the format could not hold."""
    return _write(table, path, format_for_writing(path, "scores", format), options)


def write_assessments(
    assessments: Assessments, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write assessments; one sentence for everything that the format could not hold."""
    return _write(assessments, path, format_for_writing(path, "assessments", format), options)


def _testset_format(path: StrPath, options: dict[str, Any]) -> Format:
    if Path(path).is_dir():
        return find_format(_folder_format(Path(path)), "testset")
    if options.keys() & {"references", "outputs"}:
        # Any text could be a source, so plain text is never sniffed: the other files say so.
        head = read_head(path)
        fitting = [name for name in ("sgml", "tsv") if find_format(name).load().sniff(head)]
        return find_format(fitting[0] if fitting else "text", "testset")
    return _sniff(path, "testset")


def _folder_format(folder: Path) -> str:
    marks = {"sources": "evalset", "source.txt": "text", "source.sgm": "sgml"}
    for mark, name in marks.items():
        if (folder / mark).exists():
            return name
    raise DataError(
        f"{name_of(folder)}: the folder has none of {', '.join(marks)}; expected the folder of an "
        "EvalSet, of text files or of SGML files"
    )


def _sniff(path: StrPath, *kinds: Kind) -> Format:
    head = read_head(path)
    candidates = [candidate for kind in kinds for candidate in formats_of(kind)]
    for candidate in candidates:
        if candidate.load().sniff(head):
            return candidate
    found = f"the file begins with {head.first_line[:60]!r}" if head.text else "the file is empty"
    raise DataError(
        f"{head.name}:1: {found}; expected {' or '.join(kinds)} in one of the formats "
        f"{names_of(candidates)}; name the format if it is one of them"
    )


def _either(name: str) -> Format:
    known = [*formats_of("scores"), *formats_of("assessments")]
    for candidate in known:
        if candidate.name == name:
            return candidate
    raise DataError(f"unknown format {name!r}; choose from {names_of(known)}")


def _read_assessments(chosen: Format, path: StrPath, options: dict[str, Any]) -> Assessments:
    assessments: Assessments = _read(chosen, path, options)
    return assessments


def _read(chosen: Format, path: StrPath, options: dict[str, Any]) -> Any:
    module = chosen.load()
    _check_options(module, "read", chosen, options)
    return module.read(path, **options)


def _write(record: Any, path: StrPath, chosen: Format, options: dict[str, Any]) -> list[str]:
    module = chosen.load()
    _check_options(module, "write", chosen, options)
    losses: list[str] = module.write(record, path, **options)
    return losses


def _check_options(module: ModuleType, name: str, chosen: Format, options: dict[str, Any]) -> None:
    parameters = inspect.signature(getattr(module, name)).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    unknown = next((option for option in options if option not in known), None)
    if unknown is not None:
        raise DataError(
            f"format {chosen.name!r} has no option {unknown!r}; "
            f"expected {', '.join(known) or 'none'}"
        )
