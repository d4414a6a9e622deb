"""What systems are called: other names in place of those that files give them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from rankwise.errors import DataError


def with_names(systems: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """The systems under the names that *names* has for them; two of one name are an error.

    >>> with_names(["run7", "base"], {"run7": "Ours"})
    ('Ours', 'base')
    """
    found: dict[str, str] = {}
    for system in systems:
        name = names.get(system, system)
        if name in found:
            raise DataError(
                f"systems {found[name]!r} and {system!r} would both be called {name!r}; expected "
                "different names"
            )
        found[name] = system
    return tuple(found)


def unused_names(names: Iterable[str], *systems: Collection[str]) -> tuple[str, ...]:
    """A sentence about names that rename nobody; that none does is an error."""
    known = {name for some in systems for name in some}
    unused = [name for name in names if name not in known]
    if not unused:
        return ()
    if not known & {*names}:
        listed = ", ".join(dict.fromkeys(name for some in systems for name in some))
        raise DataError(f"no system is called {unused[0]!r}; there are {listed}")
    return (f"names: no system is called {', '.join(unused)}",)
