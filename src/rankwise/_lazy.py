"""Packages whose names are loaded when they are first used, so that nobody waits for the rest.

Such a package lists its names once, where type checkers and editors look for them::

    if TYPE_CHECKING:
        from rankwise.io.sniffing import sniff as sniff
    else:
        __getattr__, __dir__ = lazy_names(__name__)

A type checker sees those names and no others.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

C = TypeVar("C")


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of *package*, for what it imports ``if TYPE_CHECKING``.

    The package's source is read when such a name is first asked for. ``__all__`` is made of it too.
    """

    @cache
    def homes() -> dict[str, str]:
        import pkgutil

        return public_names(pkgutil.get_data(package, "__init__.py") or b"", package)

    def load(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes()[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(homes())


def public_names(source: str | bytes, package: str) -> dict[str, str]:
    """The names that the *source* of *package* gives to others, each with the module it lives in.

    They are what it imports as themselves, if only for type checkers, and what it defines.

    >>> public_names("from a.b import c as c, d; e = 1", "a")
    {'c': 'a.b', 'e': 'a'}
    """
    import ast

    statements = ast.parse(source).body
    names: dict[str, str] = {}
    for node in [*statements, *(one for it in statements for one in getattr(it, "body", ()))]:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {it.name: node.module for it in node.names if it.asname == it.name}
    for node in statements:
        match node:
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                names[name] = package
            case ast.AnnAssign(target=ast.Name(id=name)):
                names[name] = package
    return names


class LazyModule:
    """A module that is imported when something of it is first used.

    >>> LazyModule("math").sqrt(9.0)
    3.0
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


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
