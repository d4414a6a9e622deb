"""JSON from strangers: values of the expected types, or a sentence saying why not."""

import json
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.lines import shown


def parse_object(text: str, path: StrPath, line: int) -> dict[str, Any]:
    """The JSON object that *text* writes."""
    value = parse(text, path, line)
    if not isinstance(value, dict):
        raise DataError(f"{name_of(path)}:{line}: found {shown(text)}; expected a JSON object")
    return value


def parse(text: str, path: StrPath, line: int) -> Any:
    """The JSON value that *text* writes.

    ``NaN``, a key that occurs twice in one object, and text that UTF-8 cannot hold are errors.
    """
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
        if "\\" in text:  # only an escape can write half a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"{name_of(path)}:{line}: half a surrogate pair; expected text that has UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        where = line + error.lineno - 1
        raise DataError(
            f"{name_of(path)}:{where}: {error.msg} at column {error.colno}; expected JSON"
        ) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name_of(path)}:{line}: {error}; expected JSON") from error
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {shown(twice)} occurs twice in one object")
    return found


def text_of(
    row: dict[str, Any], key: str, path: StrPath, line: int, *, default: str | None = None
) -> str:
    """The text under *key*; a number counts as the text that writes it."""
    value = row.get(key, default)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        found = shown(json.dumps(value)) if key in row else "nothing"
        raise DataError(f"{name_of(path)}:{line}: {key!r} is {found}; expected text")
    return value


def list_of_text(row: dict[str, Any], key: str, path: StrPath, line: int) -> list[str]:
    """The list of texts under *key*; empty without it."""
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        found = shown(json.dumps(value))
        raise DataError(f"{name_of(path)}:{line}: {key!r} is {found}; expected a list of text")
    return value
