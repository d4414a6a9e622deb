"""JSON objects with their lines: of a JSON-lines file, or of a file that is one list."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks, read_lines
from rankwise.io.sniff import read_head


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"found {name}, which is not JSON")


#: Python would read NaN and Infinity, which JSON does not have.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_BLANK = " \t\r\n"


def parse_json(text: str, place: str) -> Any:
    """The value that *text* holds; *place* begins the message when there is none."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: {_reason(error)}; expected JSON, found {text[:40]!r}") from error


def read_objects(path: StrPath) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every object with the line it begins on; blank lines are skipped."""
    if read_head(path).text.lstrip(_BLANK).startswith("["):
        yield from _list_objects(path)
        return
    for number, line in read_lines(path):
        if line.strip(_BLANK):
            place = f"{name_of(path)}:{number}"
            yield number, _object(parse_json(line, place), place)


def _list_objects(path: StrPath) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of one JSON list, decoded one by one so that each has its line."""
    text = "".join(block for _, block in read_blocks(path))
    at, line = _skip(text, 0, 1)
    at, line = _skip(text, at + 1, line)
    ending = text[at : at + 1]
    while ending != "]":
        place = f"{name_of(path)}:{line}"
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: {_reason(error)}; expected a list of objects") from error
        yield line, _object(value, place)
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


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{place}: found {json.dumps(value)[:40]}; expected a JSON object")
    return value


def _reason(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg[:1].lower() + error.msg[1:]
    return "too deeply nested" if isinstance(error, RecursionError) else str(error)
