"""JSON from strangers: values of the expected types with their lines, or a sentence why not.

``NaN`` and ``Infinity``, which Python would read and JSON does not have, are errors, and so is a
key that occurs twice in one object.
"""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks, read_lines
from rankwise.io.parts.line_text import shown
from rankwise.io.sniffing import read_head

_TEXT: frozenset[type] = frozenset((str,))
_BLANK = " \t\r\n"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {shown(twice)} occurs twice in one object")
    return found


_DECODER = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_unique)


# -- one value -------------------------------------------------------------------------------------


def parse(text: str, path: StrPath, line: int) -> Any:
    """The JSON value that *text*, which begins on *line*, writes; its strings must have UTF-8."""
    value = _decoded(text, path, line)
    if "\\" in text:  # only an escape can write half a surrogate pair
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise DataError(
                f"{name_of(path)}:{line}: half a surrogate pair; expected text that has UTF-8"
            ) from error
    return value


def parse_object(text: str, path: StrPath, line: int) -> dict[str, Any]:
    """The JSON object that *text*, which begins on *line*, writes."""
    return _object(parse(text, path, line), path, line)


def _decoded(text: str, path: StrPath, line: int) -> Any:
    try:
        if text.startswith("{"):  # no search for blanks around it, where there are none
            value, end = _DECODER.raw_decode(text)
            if end == len(text):
                return value
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name_of(path)}:{_problem(error, line)}") from error


def _object(value: Any, path: StrPath, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        found = _quoted(value)
        raise DataError(f"{name_of(path)}:{line}: found {found}; expected a JSON object")
    return value


def _problem(error: ValueError | RecursionError, line: int, expected: str = "JSON") -> str:
    """The line of an error in text that begins on *line*, and what is wrong there."""
    if isinstance(error, json.JSONDecodeError):
        found = shown(error.doc[error.pos : error.pos + 100].partition("\n")[0], 40)
        reason = error.msg[:1].lower() + error.msg[1:]
        place = f"found {found} at column {error.colno}"
        return f"{line + error.lineno - 1}: {reason}; expected {expected}, {place}"
    reason = "too deeply nested" if isinstance(error, RecursionError) else str(error)
    return f"{line}: {reason}; expected {expected}"


def _quoted(value: Any) -> str:
    return shown(json.dumps(value))


# -- objects of a file -----------------------------------------------------------------------------


def read_objects(path: StrPath) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object of JSON lines, or of one JSON list, with the line it begins on.

    Blank lines are skipped. Half a surrogate pair is let through: logs hold what models wrote.
    """
    if read_head(path).text.lstrip(_BLANK).startswith("["):
        yield from _list_objects(path)
        return
    for number, line in read_lines(path):
        if line.strip(_BLANK):
            yield number, _object(_decoded(line, path, number), path, number)


def _list_objects(path: StrPath) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of one JSON list, decoded one by one so that each has its line."""
    text = "".join(block for _, block in read_blocks(path))
    at, line = _skip(text, 0, 1)
    at, line = _skip(text, at + 1, line)
    ending = text[at : at + 1]
    while ending != "]":
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            # A decoding error counts lines from the beginning of the whole text.
            first = 1 if isinstance(error, json.JSONDecodeError) else line
            problem = _problem(error, first, "a list of objects")
            raise DataError(f"{name_of(path)}:{problem}") from error
        yield line, _object(value, path, line)
        at, line = _skip(text, end, line + text.count("\n", at, end))
        ending = text[at : at + 1]
        if ending not in (",", "]"):
            message = f"found {ending!r} behind a value of the list; expected ',' or ']'"
            raise DataError(f"{name_of(path)}:{line}: {message}")
        if ending == ",":
            at, line = _skip(text, at + 1, line)
    at, line = _skip(text, at + 1, line)
    if at < len(text):
        raise DataError(f"{name_of(path)}:{line}: text behind the list; expected nothing")


def _skip(text: str, at: int, line: int) -> tuple[int, int]:
    """The next place that is not blank, and its line."""
    while text[at : at + 1] and text[at] in _BLANK:
        line += text[at] == "\n"
        at += 1
    return at, line


# -- values under a key ----------------------------------------------------------------------------


def text_of(
    row: dict[str, Any], key: str, path: StrPath, line: int, *, default: str | None = None
) -> str:
    """The text under *key*; a number counts as the text that writes it."""
    value = row.get(key, default)
    if type(value) is str:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        found = _quoted(value) if key in row else "nothing"
        raise DataError(f"{name_of(path)}:{line}: {key!r} is {found}; expected text")
    return value


def list_of_text(row: dict[str, Any], key: str, path: StrPath, line: int) -> list[str]:
    """The list of texts under *key*; empty without it."""
    value = row.get(key, [])
    if not isinstance(value, list) or not _TEXT.issuperset(map(type, value)):
        found = _quoted(value)
        raise DataError(f"{name_of(path)}:{line}: {key!r} is {found}; expected a list of text")
    return value
