"""The table of formats: what each is called, what it holds, which module reads and writes it.

A format module has ``read(path, **options)`` and, where the table says so, ``write(record, path)``,
which returns one sentence for everything the format could not hold. A new format joins by a module,
a line here and a sniffing rule in ``sniff``.
"""

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Literal

from rankwise.errors import DataError

Kind = Literal["judgments", "testset", "scores", "assessments"]


@dataclass(frozen=True, slots=True)
class Format:
    """One line of the table; ``suffixes`` choose the format of an output file by its name."""

    name: str
    kind: Kind
    module: str
    suffixes: tuple[str, ...]
    writable: bool
    description: str

    def load(self) -> ModuleType:
        """The module that reads and writes this format."""
        return import_module(f"rankwise.io.{self.module}")


FORMATS: tuple[Format, ...] = ()


def find_format(name: str, kind: Kind | None = None) -> Format:
    """The format called *name*."""
    known = [f for f in FORMATS if kind is None or f.kind == kind]
    for candidate in known:
        if candidate.name == name:
            return candidate
    raise DataError(f"unknown format {name!r}; choose from {', '.join(f.name for f in known)}")
