"""Samples that the lm-evaluation-harness logs: JSON lines, an object per document and filter.

``target`` is the reference, or a list of them; the output is the first of ``filtered_resps``, or
where there is none of ``resps``. ``doc_id`` names the segment. The source is ``source`` or ``src``
of ``doc``, or of a ``translation`` of two languages the text that is not the target. A file of the
usual name, ``samples_TASK_DATE.jsonl``, is of the system that its folder is called after, any other
of its own name. Other files of the same task may be given with it, each one system more.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines, stem_of
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import Segment, TestSet

SOURCES = ("source", "src")


def read(path: StrPath, *, filter: str | None = None) -> TestSet:
    """The samples of a file, with one system.

    *filter* names the filter whose outputs are read; it may stay unsaid where there is one.
    """
    rows = list(_rows(path))
    if not rows:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected an object per document")
    chosen = choose(path, "filter", filter, (_filter(row) for _, row in rows))
    segments, texts, seen = [], [], set[str]()
    for number, row in rows:
        if _filter(row) != chosen:
            continue
        name = str(row.get("doc_id", number))
        if name in seen:
            raise DataError(f"{name_of(path)}:{number}: document {name!r} again; expected it once")
        seen.add(name)
        references = _references(row, path, number)
        segments.append(Segment(name, _source(row, references), references))
        texts.append(_output(row, path, number))
    return TestSet(tuple(segments), {system_of(path): tuple(texts)}, stem_of(path))


def system_of(path: StrPath) -> str:
    """What the system of a file is called: after the folder, or after the file.

    >>> system_of("runs/org__model/samples_wmt16_2026-01-05.jsonl"), system_of("mine.jsonl")
    ('org__model', 'mine')
    """
    folder = Path(path).parent.name
    return folder if folder and stem_of(path).startswith("samples_") else stem_of(path)


def _rows(path: StrPath) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            row = json.loads(line)  # metrics may be NaN, which is not read
        except (ValueError, RecursionError) as error:
            raise DataError(f"{name_of(path)}:{number}: {error}; expected JSON lines") from error
        if not isinstance(row, dict):
            raise DataError(f"{name_of(path)}:{number}: expected an object with target and resps")
        yield number, row


def _filter(row: dict[str, Any]) -> str:
    return str(row.get("filter", "none"))


def _references(row: dict[str, Any], path: StrPath, number: int) -> tuple[str, ...]:
    target = row.get("target")
    found = target if isinstance(target, list) else [target]
    if not found or not all(isinstance(text, str) for text in found):
        raise DataError(f"{name_of(path)}:{number}: 'target' is {target!r:.60}; expected a text")
    return tuple(found)


def _source(row: dict[str, Any], references: tuple[str, ...]) -> str:
    doc = row.get("doc")
    if not isinstance(doc, dict):
        return ""
    named = [doc[key] for key in SOURCES if isinstance(doc.get(key), str)]
    pair = doc.get("translation")
    if isinstance(pair, dict) and len(pair) == 2:
        texts = [text for text in pair.values() if isinstance(text, str)]
        named += [text for text in texts if text not in references]
    return named[0] if named else ""


def _output(row: dict[str, Any], path: StrPath, number: int) -> str:
    """The first response; lists are nested as deep as a model was asked."""
    found = row.get("filtered_resps") or row.get("resps")
    while isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, str):
        raise DataError(
            f"{name_of(path)}:{number}: the response is {found!r:.60}; expected a text, as tasks "
            "that generate have"
        )
    return found


def sniff(head: Head) -> bool:
    """Whether the first object has a target and responses."""
    return {"doc", "target"} <= head.first_keys and bool(
        head.first_keys & {"resps", "filtered_resps"}
    )
