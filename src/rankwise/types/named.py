"""Things with a name and options, written ``name:option=value:option=value``.

Metrics, measures and models of preference are frozen dataclasses whose fields are their options.
This is the one place that parses and prints them, so that what a result carries as its signature
can be typed back in.
"""

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from rankwise import __version__
from rankwise.errors import DataError

N = TypeVar("N", bound="Named")


@dataclasses.dataclass(frozen=True)
class Named:
    """Base of frozen dataclasses that parse from and print as ``name:option=value``."""

    name: ClassVar[str]
    kind: ClassVar[str]
    #: The option whose value may stand behind the name by itself, as in ``command:./score.sh``.
    positional: ClassVar[str | None] = None

    @property
    def signature(self) -> str:
        """The name, every option and the version: all that decides the value, and parses back."""
        options = [
            f"{field.name}={_print(getattr(self, field.name))}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) is not None
        ]
        package = [f"package={self._package}"] if self._package else []
        return ":".join([self.name, *options, *package, f"version={__version__}"])

    @property
    def _package(self) -> str:
        """The package that it is from and its version, where that is not this one."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that a person should read, such as what an absent resource leaves out."""
        return ()

    def __str__(self) -> str:
        """The name and the options that differ from their defaults."""
        options = [
            self._printed(field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default and not self._is_derived(field.name)
        ]
        return ":".join([self.name, *options])

    def _printed(self, option: str) -> str:
        value = getattr(self, option)
        if option == self.positional and _PLAIN.fullmatch(str(value)):
            return str(value)
        return f"{option}={_print(value)}"

    def _is_derived(self, option: str) -> bool:  # noqa: ARG002 - for those that derive some
        """Whether an option was left open and follows from the others."""
        return False


def parse(text: str, known: Mapping[str, type[N]]) -> N:
    """The member of *known* that *text* describes.

    Numbers, ``true``/``false`` and words become what the option's annotation says; ``version``,
    ``package``, ``nrefs`` and ``refs`` are accepted, because signatures carry them: of what has a
    version of its own, like BEER, the first is that one. An unknown name or option is an error that
    lists the known ones.
    """
    name, *parts = text.split(":")
    if name not in known:
        kind = next(iter(known.values())).kind
        like = _LIKE.get(name.lower(), name.lower().rstrip("+").replace("_", "-"))
        hint = f" (is {like} meant?)" if like.partition(":")[0] in known else ""
        raise DataError(f"unknown {kind} {name!r}{hint}; choose from {', '.join(sorted(known))}")
    cls = known[name]
    hints = typing.get_type_hints(cls)
    fields = [field.name for field in dataclasses.fields(cls)]
    options: dict[str, Any] = {}
    if cls.positional is not None:
        count = _count_of_positional(parts, fields)
        options |= {cls.positional: ":".join(parts[:count])} if count else {}
        parts = parts[count:]
    for part in parts:
        option, equals, value = part.partition("=")
        is_own = option in fields and option not in options
        if option in _CARRIED and equals and not is_own:
            continue
        if not equals and option in fields:
            raise DataError(f"{cls.kind} {name!r}: found {part!r}; expected {option}=value")
        if option not in fields:
            raise DataError(
                f"{cls.kind} {name!r} has no option {option!r}; "
                f"expected option=value with one of {', '.join(fields) or 'no options'}"
            )
        if option in options:
            raise DataError(f"{cls.kind} {name!r} is given option {option!r} twice")
        options[option] = _read(_unquoted(value), hints[option], f"{cls.kind} {name!r}", option)
    return cls(**options)


def _count_of_positional(parts: list[str], fields: list[str]) -> int:
    """How many parts a value without a name has: it ends where the first option begins."""
    known = (*fields, *_CARRIED)
    is_option = ("=" in part and part.partition("=")[0] in known for part in parts)
    return next((place for place, found in enumerate(is_option) if found), len(parts))


def check_choice(owner: str, option: str, value: object, choices: typing.Iterable[object]) -> None:
    """Raise unless *value* is one of *choices*."""
    allowed = list(choices)
    if value not in allowed:
        listed = ", ".join(str(choice) for choice in allowed)
        raise DataError(f"{owner}: unknown {option} {value!r}; choose from {listed}")


def _print(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if _PLAIN.fullmatch(text):
        return text
    from urllib.parse import quote  # slow to import, seldom needed

    return quote(text, safe="/@+,.*- ~")


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


# What signatures carry beside options.
_CARRIED = ("version", "package", "nrefs", "refs")

# What has another name here than everywhere else.
_LIKE = {"chrf++": "chrf:word_order=2", "tau": "kendall"}

# What stands for itself in the value of an option.
_PLAIN = re.compile(r"[A-Za-z0-9_./@+,*\- ~]*")


def _read(text: str, hint: Any, owner: str, option: str) -> Any:
    """*text* as the first type of the annotation that takes it: bool, int, float, then str."""
    wanted = _members(hint)
    if bool in wanted and text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        if number in wanted:
            try:
                return number(text)
            except ValueError:
                continue
    if str in wanted:
        return text
    names = " or ".join(words for kind, words in _WORDS.items() if kind in wanted)
    raise DataError(f"{owner}: option {option!r} is {text!r}; expected {names}")


# What people call the types that options have.
_WORDS = {bool: "true or false", int: "a whole number", float: "a number"}


def _members(hint: Any) -> set[type]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return set().union(*(_members(member) for member in typing.get_args(hint)))
    if typing.get_origin(hint) is typing.Literal:
        return {type(value) for value in typing.get_args(hint)}
    return {hint}
