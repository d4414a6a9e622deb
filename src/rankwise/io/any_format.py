"""Reading and writing a record of any kind, by the name of its format or by what it looks like."""

import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath
from rankwise.io.format_table import Format, Kind, find_format, format_for_writing
from rankwise.io.sniffing import sniff


def format_of(path: StrPath, kind: Kind | None, name: str | None) -> Format:
    """The format called *name*, or else the one the file looks like."""
    return find_format(name, kind) if name is not None else sniff(path, kind)


def read_record(path: StrPath, kind: Kind, /, *, format: str | None = None, **options: Any) -> Any:
    """The record of a file; *options* are those of the format's reader."""
    found = format_of(path, kind, format)
    reader = found.load().read
    check_options(found.name, reader, options)
    return reader(path, **options)


def write_record(
    record: Any, path: StrPath, kind: Kind, /, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write a record in a format, by name or suffix; one sentence for everything it cannot hold."""
    found = format_for_writing(path, kind, format)
    writer = found.load().write
    check_options(found.name, writer, options)
    losses: list[str] = writer(record, path, **options)
    return losses


def options_of(function: Callable[..., Any]) -> list[str]:
    """The names of the options a reader or writer takes: its keyword-only parameters."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]


def check_options(name: str, function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Refuse an option that the function does not have, or a value that it cannot take."""
    known = options_of(function)
    for option, value in options.items():
        if option not in known:
            choice = f"it has {', '.join(known)}" if known else "it has none"
            raise DataError(f"format {name!r} has no option {option!r}; {choice}")
        choices = _choices(typing.get_type_hints(function)[option])
        if choices and value not in choices:
            listed = ", ".join(filter(None, choices))
            raise DataError(f"option {option!r} is {value!r}; expected one of {listed}")


def _choices(hint: Any) -> tuple[Any, ...]:
    """The values that an annotation lists, ``None`` among them where it may be; else nothing."""
    members = typing.get_args(hint) if typing.get_origin(hint) is not typing.Literal else (hint,)
    listed = [
        v for m in members if typing.get_origin(m) is typing.Literal for v in typing.get_args(m)
    ]
    return (*listed, None) if listed and type(None) in members else tuple(listed)


def option_from_text(function: Callable[..., Any], option: str, text: str) -> Any:
    """The value of an option as it is typed on a command line: ``true``, ``7``, ``a,b``.

    The annotation of the parameter decides: a number, a truth value, a list at commas, or text.
    """
    members = _plain_types(typing.get_type_hints(function)[option])
    if bool in members:
        if text not in ("true", "false"):
            raise DataError(f"option {option!r} is {text!r}; expected true or false")
        return text == "true"
    for number in (int, float):
        if number in members:
            try:
                return number(text)
            except ValueError as error:
                raise DataError(f"option {option!r} is {text!r}; expected a number") from error
    if members & {Collection, Iterable, Sequence}:
        return text.split(",")
    return text


def _plain_types(hint: Any) -> set[Any]:
    """The types an annotation allows, without their parameters."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return set().union(*(_plain_types(member) for member in typing.get_args(hint)))
    return {origin or hint}
