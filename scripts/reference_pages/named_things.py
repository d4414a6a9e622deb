"""Pages about what is typed as name:option=value: metrics, measures, models, learners and so on."""

import re
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields

from rankwise.errors import RankwiseError
from rankwise.types.named import Named
from reference_pages.docstrings import markdown

Members = Mapping[str, type[Named]]


def sections(members: Members, *, depth: int = 2, in_order: bool = False) -> str:
    """A section for every member: what it is, and its options with what they take."""
    names = list(members) if in_order else sorted(members)
    return "\n".join(_section(name, members[name], depth) for name in names)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def choices(kind: type[Named], option: str) -> tuple[str, ...]:
    """What an option may be: told by its type, or by the error that any other value gives."""
    literals = _literals(typing.get_type_hints(kind)[option])
    if literals:
        return literals
    try:
        kind(**{option: _NO_SUCH})
    except (RankwiseError, TypeError) as error:
        listed = re.search(r"choose from (.+)", str(error))
        found = listed[1].split(", ") if listed and _NO_SUCH in str(error) else []
        return tuple(one for one in found if one not in ("", "None"))
    return ()


_NO_SUCH = "no-such-value"
_WORDS = {bool: "`true` or `false`", int: "a whole number", float: "a number", str: "a text"}


def _section(name: str, kind: type[Named], depth: int) -> str:
    parts = [f"{'#' * depth} `{name}`", *_direction(kind), markdown(kind.__doc__ or "")]
    rows = [_row(kind, option) for option in fields(kind)]
    parts += [table(["option", "takes", "default"], rows).rstrip()] if rows else []
    return "\n\n".join(parts) + "\n"


def _direction(kind: type[Named]) -> list[str]:
    if not hasattr(kind, "higher_is_better"):
        return []
    return ["*Higher is better.*" if kind.higher_is_better else "*Lower is better.*"]


def _row(kind: type[Named], option: Field[object]) -> tuple[str, str, str]:
    hint = typing.get_type_hints(kind)[option.name]
    words = [f"`{choice}`" for choice in choices(kind, option.name)]
    words += [_WORDS[member] for member in _types(hint) if not (words and member is str)]
    return f"`{option.name}`", ", ".join(words), _default(option)


def _default(option: Field[object]) -> str:
    if option.default is MISSING:
        return "must be given"
    if option.default is None or option.default == "":
        return "none"
    value = option.default
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _literals(hint: object) -> tuple[str, ...]:
    if typing.get_origin(hint) is typing.Literal:
        return tuple(str(value) for value in typing.get_args(hint))
    return tuple(text for member in _members(hint) for text in _literals(member))


def _types(hint: object) -> list[type]:
    return [kind for kind in _WORDS if kind == hint or kind in _members(hint)]


def _members(hint: object) -> tuple[object, ...]:
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    return typing.get_args(hint) if is_union else ()
