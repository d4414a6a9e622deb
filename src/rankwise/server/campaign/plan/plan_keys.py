"""The keys of a plan, read one by one: each must be what it should be, and none may be unknown."""

import tomllib
from collections.abc import Collection, Mapping
from typing import Any

from rankwise.errors import DataError

_MISSING = object()


def toml_of(text: str) -> dict[str, Any]:
    """The keys that TOML writes.

    >>> toml_of("k = 3")
    {'k': 3}
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise DataError("too deeply nested; expected TOML") from error
    except ValueError as error:  # a whole number of 5,000 digits is another one than TOML's own
        raise DataError(f"{error}; expected TOML") from error


class PlanKeys:
    """The keys of one table; *where* names the file, and the table within it, in messages.

    >>> keys = PlanKeys("plan.toml", {"k": "five"})
    >>> keys.whole("k", 5, least=2, most=8)
    Traceback (most recent call last):
    rankwise.errors.DataError: plan.toml: 'k' is 'five'; expected a whole number from 2 to 8
    """

    def __init__(self, where: str, table: object, *, inside: str = "") -> None:
        self._where, self._inside = where, inside
        if not isinstance(table, Mapping):
            raise DataError(f"{where}: {inside.rstrip('.') or 'the plan'} is no table of keys")
        self._table, self._read = table, set[str]()

    def error(self, key: str, found: object, expected: str) -> DataError:
        """What to raise for a key: where, found, expected."""
        shown = repr(found)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        return DataError(f"{self._where}: {self._inside + key!r} is {shown}; expected {expected}")

    def raw(self, key: str, default: object = _MISSING, *, expected: str = "a value") -> object:
        """The value of a key as it stands."""
        self._read.add(key)
        value = self._table.get(key, default)
        if value is _MISSING:
            raise DataError(
                f"{self._where}: {self._inside + key!r} is missing; expected {expected}"
            )
        return value

    def text(self, key: str, default: object = _MISSING, *, empty: bool = False) -> str:
        """A text; an empty one only where *empty* says so."""
        expected = "a text" if empty else "a text that is not empty"
        value = self.raw(key, default, expected=expected)
        if not isinstance(value, str) or not (value.strip() or empty):
            raise self.error(key, value, expected)
        return value

    def choice(self, key: str, known: Collection[str], default: object = _MISSING) -> str:
        """One of some words."""
        expected = "one of " + ", ".join(known)
        value = self.raw(key, default, expected=expected)
        if not isinstance(value, str) or value not in known:
            raise self.error(key, value, expected)
        return value

    def whole(self, key: str, default: object = _MISSING, *, least: int, most: int) -> int:
        """A whole number within bounds; a truth value is none."""
        expected = f"a whole number from {least} to {most}"
        value = self.raw(key, default, expected=expected)
        if type(value) is not int or not least <= value <= most:
            raise self.error(key, value, expected)
        return value

    def number(self, key: str, default: object = _MISSING, *, least: float, most: float) -> float:
        """A number within bounds."""
        expected = f"a number from {least:g} to {most:g}"
        value = self.raw(key, default, expected=expected)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, value, expected)
        if not least <= value <= most:  # of a whole number of 400 digits there is no float
            raise self.error(key, value, expected)
        return float(value)

    def flag(self, key: str, default: object = _MISSING) -> bool:
        """True or false."""
        value = self.raw(key, default, expected="true or false")
        if type(value) is not bool:
            raise self.error(key, value, "true or false")
        return value

    def texts(self, key: str, default: object = _MISSING) -> tuple[str, ...]:
        """A list of texts, none of them empty."""
        value = self.raw(key, default, expected="a list of texts")
        if not isinstance(value, list | tuple) or not all(
            isinstance(item, str) and item.strip() for item in value
        ):
            raise self.error(key, value, "a list of texts")
        return tuple(value)

    def named_texts(self, key: str) -> tuple[tuple[str, str], ...]:
        """Texts with names: a table, or a list whose members get the empty name, or one text."""
        value = self.raw(key, ())
        if isinstance(value, str):
            value = [value]
        if isinstance(value, Mapping):
            pairs = list(value.items())
        else:
            pairs = [("", text) for text in value] if isinstance(value, list | tuple) else [("", 0)]
        if not all(isinstance(text, str) and text for _, text in pairs):
            raise self.error(key, value, "a file, a list of files, or a table of names and files")
        return tuple((str(name), text) for name, text in pairs)

    def inner(self, key: str) -> "PlanKeys | None":
        """The keys of a table within the table, if it is there."""
        value = self.raw(key, None)
        if value is None:
            return None
        return PlanKeys(self._where, value, inside=f"{self._inside}{key}.")

    def inners(self, key: str) -> "list[PlanKeys]":
        """The keys of every table of a list."""
        value = self.raw(key, ())
        if not isinstance(value, list | tuple):
            raise self.error(key, value, "a list of tables")
        return [
            PlanKeys(self._where, item, inside=f"{self._inside}{key}[{number}].")
            for number, item in enumerate(value, 1)
        ]

    def finish(self) -> None:
        """Refuse keys that nobody asked for: a misspelt one would silently do nothing."""
        for key in self._table:
            if key not in self._read:
                name, known = self._inside + str(key), ", ".join(sorted(self._read))
                raise DataError(f"{self._where}: unknown key {name!r}; expected one of {known}")
