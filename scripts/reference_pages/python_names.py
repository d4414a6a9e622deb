"""The page about the Python names: everything that ``rankwise`` itself offers."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property

import rankwise
from rankwise.types.shown import Shown
from reference_pages.docstrings import markdown

INTRO = """\
<!-- Written by scripts/make_reference.py from the docstrings: change it there. -->

# Python

All of it is reached from one import, `import rankwise as rw`; names are loaded when they are first
used. A name with an underscore in front, and a module that is not on this page, may change.
"""

GROUPS = {
    "Evaluate": "Functions that take data and give results.",
    "Read and write": "Files in and out; [Formats](formats.md) lists what they may look like.",
    "Records and results": "What the functions take and give. All of them are frozen.",
    "Errors": "Everything that Rankwise raises is a `RankwiseError` with one kind sentence.",
}
_WIDTH = 88


def page() -> str:
    """Every public name under its group, with its signature and its docstring."""
    public = [name for name in rankwise.__all__ if not name.startswith("_")]
    parts = [INTRO]
    for group, says in GROUPS.items():
        parts.append(f"## {group}\n\n{says}\n")
        parts += [_looking()] if group == "Records and results" else []
        parts += [_part(name) for name in public if _group(name) == group]
    return "\n".join(parts)


def _looking() -> str:
    """What every result has, said once."""
    says = "A result prints as a table, and shows as one in a notebook. Every result has:"
    return "\n\n".join(["### Look at a result", says, *_members(Shown, "")]) + "\n"


def _group(name: str) -> str:
    found = getattr(rankwise, name)
    if inspect.isclass(found):
        return "Errors" if issubclass(found, Exception) else "Records and results"
    return "Read and write" if name.startswith(("read_", "write_")) else "Evaluate"


def _part(name: str) -> str:
    found = getattr(rankwise, name)
    lines = [f"### `{name}`"]
    if not inspect.isclass(found):
        lines += [_code(_signature(found, f"rw.{name}"))]
    elif is_dataclass(found):
        shown = [f"{field.name}: {_annotation(found, field.name)}" for field in fields(found)]
        lines += [_code(_wrapped(f"rw.{name}(", [one for one in shown if one[0] != "_"], ")"))]
    lines += [markdown(inspect.getdoc(found) or "")]
    if inspect.isclass(found) and issubclass(found, Shown):
        lines += ["It can be looked at as [every result](#look-at-a-result)."]
    if inspect.isclass(found) and not issubclass(found, Exception):
        lines += _members(found, f"{name}.")
    return "\n\n".join(lines) + "\n"


def _members(owner: type, called: str) -> Iterator[str]:
    """The public methods and properties that a class has itself, under *called* as headings."""
    for name, member in vars(owner).items():
        function = getattr(member, "__func__", member)
        if name.startswith("_") or not (
            isinstance(member, property | cached_property) or inspect.isroutine(function)
        ):
            continue
        yield f"#### `{called}{name}`"
        if not isinstance(member, property | cached_property):
            before = owner.__name__ if function is not member else ""
            yield _code(_signature(function, f"{before}.{name}"))
        yield markdown(member.__doc__ or "")


def _signature(function: object, name: str) -> str:
    """How a function is called, as its source has it, without self or cls."""
    node = _definition(function)
    parameters = _parameters(node.args)
    returns = f" -> {ast.unparse(node.returns)}".replace("'", "") if node.returns else ""
    return _wrapped(f"{name}(", parameters, f"){returns}")


def _parameters(arguments: ast.arguments) -> list[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = [_parameter(a, d) for a, d in zip(plain, defaults, strict=True)]
    found = [one for one in found if one not in ("self", "cls")]
    if arguments.vararg:
        found.append(f"*{_parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        found.append("*")
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    found += [_parameter(a, d) for a, d in named]
    return found + ([f"**{_parameter(arguments.kwarg, None)}"] if arguments.kwarg else [])


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _definition(function: object) -> ast.FunctionDef:
    source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))  # type: ignore[arg-type]
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _annotation(owner: type, field: str) -> str:
    """The annotation of a field, as the source of the class has it."""
    for kind in owner.__mro__[:-1]:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        assert isinstance(node, ast.ClassDef)
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and ast.unparse(line.target) == field:
                default = f" = {ast.unparse(line.value)}" if line.value else ""
                default = default.replace("field(default_factory=dict)", "{}")
                return ast.unparse(line.annotation) + default
    raise LookupError(f"{owner.__name__} has no annotation of {field}")


def _wrapped(begin: str, parts: list[str], end: str) -> str:
    """A call in one line, or with a parameter a line where that is too wide."""
    line = f"{begin}{', '.join(parts)}{end}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([begin, *(f"    {part}," for part in parts), end])


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
