"""Packages whose names are loaded when they are first used, so that nobody waits for the rest."""

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

C = TypeVar("C")


def loader(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of *package*; *home* says in which of its modules a name lives."""

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


class LazyClasses(Mapping[str, type[C]]):
    """Classes by a name, each imported when it is looked up.

    >>> LazyClasses("collections", {"counter": "Counter"})["counter"].__name__
    'Counter'
    """

    def __init__(self, package: str, classes: Mapping[str, str]) -> None:
        self._package, self._classes = package, classes

    def __getitem__(self, name: str) -> type[C]:
        found: type[C] = getattr(import_module(self._package), self._classes[name])
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)
