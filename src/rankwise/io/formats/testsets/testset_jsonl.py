"""The native test set: JSON lines, a header and one object per segment; nothing is lost.

The header says the format, its version, the name, the languages and the systems in order. A segment
has ``id`` and ``source`` and, where there are any, ``references``, ``reference_names``,
``document``, ``domain`` and ``outputs``; a system that is not among the outputs has none there.
"""

import json
from itertools import chain
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.parts.json_values import list_of_text, parse_object, text_of
from rankwise.io.parts.line_text import line_blocks
from rankwise.io.sniffing import Head
from rankwise.types import Segment, TestSet

FORMAT = "rankwise-testset"
VERSION = 1


def read(path: StrPath) -> TestSet:
    """The test set in *path*."""
    lines = chain.from_iterable(line_blocks(path))
    first = next(lines, None)
    header = {} if first is None else parse_object(first, path, 1)
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise DataError(
            f"{name_of(path)}:1: found no header; expected one of {FORMAT}, version {VERSION}"
        )
    systems = dict.fromkeys(list_of_text(header, "systems", path, 1))
    segments, outputs = [], []
    for number, line in enumerate(lines, 2):
        row = parse_object(line, path, number)
        segments.append(_segment(row, path, number))
        outputs.append(_outputs(row, systems, path, number))
    columns = zip(*outputs, strict=True) if outputs else [()] * len(systems)
    try:
        return TestSet(
            tuple(segments),
            dict(zip(systems, columns, strict=True)),
            text_of(header, "name", path, 1, default=""),
            text_of(header, "source_language", path, 1, default=""),
            text_of(header, "target_language", path, 1, default=""),
        )
    except DataError as error:
        raise DataError(f"{name_of(path)}: {error}; expected it once") from error


def _segment(row: dict[str, Any], path: StrPath, number: int) -> Segment:
    try:
        return Segment(
            text_of(row, "id", path, number),
            text_of(row, "source", path, number),
            tuple(list_of_text(row, "references", path, number)),
            text_of(row, "document", path, number) if "document" in row else None,
            text_of(row, "domain", path, number) if "domain" in row else None,
            tuple(list_of_text(row, "reference_names", path, number)),
        )
    except DataError as error:
        if str(error).startswith(name_of(path)):
            raise
        raise DataError(f"{name_of(path)}:{number}: {error}") from error


def _outputs(
    row: dict[str, Any], systems: dict[str, None], path: StrPath, number: int
) -> list[str | None]:
    outputs = row.get("outputs", {})
    if not isinstance(outputs, dict) or any(type(text) is not str for text in outputs.values()):
        raise DataError(
            f"{name_of(path)}:{number}: 'outputs' is something else; expected texts by system"
        )
    if not outputs.keys() <= systems.keys():
        unknown = next(name for name in outputs if name not in systems)
        raise DataError(
            f"{name_of(path)}:{number}: found system {unknown!r}; expected one of the header's"
        )
    return list(map(outputs.get, systems))


def sniff(head: Head) -> bool:
    """Whether the first object is the header."""
    first = head.first_object
    return first is not None and first.get("format") == FORMAT


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write *testset*; nothing is lost."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": testset.name,
        "source_language": testset.source_language,
        "target_language": testset.target_language,
        "systems": list(testset.systems),
    }
    with write_text(path) as stream:
        stream.write(json.dumps(header, ensure_ascii=False) + "\n")
        for position, segment in enumerate(testset.segments):
            texts = {name: column[position] for name, column in testset.outputs.items()}
            row = _row(segment, {name: text for name, text in texts.items() if text is not None})
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    return []


def _row(segment: Segment, outputs: dict[str, str]) -> dict[str, Any]:
    optional = {
        "references": list(segment.references),
        "reference_names": list(segment.reference_names),
        "outputs": outputs,
    }
    row = {"id": segment.id, "source": segment.source}
    places = {"document": segment.document, "domain": segment.domain}
    row |= {name: value for name, value in places.items() if value is not None}
    return {**row, **{name: value for name, value in optional.items() if value}}
