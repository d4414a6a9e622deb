"""Metrics of other packages, by the names under which these announce them.

A package announces a metric as an entry point of the group ``rankwise.metrics``. Entry points are
looked for only when somebody names a metric that is not one of ours, or asks for all of them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint
from typing import NamedTuple

from rankwise.errors import DataError, MissingExtra
from rankwise.metrics.metric_class import Metric

#: The group of entry points that hold metrics.
GROUP = "rankwise.metrics"


# What a metric must have; one that scores batches has its own of the first two.
_PARTS = ("statistics", "score", "batch_scores")


def is_abstract(part: object) -> bool:
    """Whether a method of a class was only announced."""
    return bool(getattr(part, "__isabstractmethod__", False))


class Plugin(NamedTuple):
    """A metric that a package announces: its name, its entry point, and whose it is."""

    name: str
    entry: EntryPoint

    @property
    def package(self) -> str:
        """The name and version of the package, like ``rankwise-lengths@1.0``."""
        owner = self.entry.dist
        return self.entry.module if owner is None else f"{owner.name}@{owner.version}"

    def load(self) -> type[Metric]:
        """The class of the metric; whatever is wrong with it is one sentence about its package."""
        try:
            found = self.entry.load()
        except MissingExtra:
            raise
        except Exception as error:
            raise self._broken(f"cannot be loaded: {type(error).__name__}: {error}") from error
        if not isinstance(found, type) or not issubclass(found, Metric):
            raise self._broken(f"is {self.entry.value}, no class of metrics")
        if getattr(found, "name", None) != self.name:
            raise self._broken(f"calls itself {getattr(found, 'name', None)!r}")
        missing = [name for name in _PARTS if is_abstract(getattr(found, name, None))]
        if missing:
            raise self._broken(f"lacks {', '.join(missing)}")
        return found

    def _broken(self, what: str) -> DataError:
        first = " ".join(what.split())
        return DataError(f"the metric {self.name!r} of the package {self.package} {first}")


class AllMetrics(Mapping[str, type[Metric]]):
    """Our metrics and those of other packages by name, each loaded when it is looked up."""

    def __init__(self, ours: Mapping[str, type[Metric]]) -> None:
        self._ours = ours

    def __getitem__(self, name: str) -> type[Metric]:
        if name in self._ours:
            return self._ours[name]
        found = plugins().get(name, ())
        if not found:
            raise KeyError(name)
        if len(found) > 1:
            owners = " and ".join(plugin.package for plugin in found)
            raise DataError(f"the metric {name!r} is in two packages, {owners}; expected one")
        return found[0].load()

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in plugins()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._ours, *plugins())))

    def __len__(self) -> int:
        return len({*self._ours, *plugins()})


@cache
def plugins() -> dict[str, tuple[Plugin, ...]]:
    """Every metric that an installed package announces; more than one where names clash."""
    from importlib.metadata import entry_points

    found: dict[str, tuple[Plugin, ...]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        plugin = Plugin(entry.name, entry)
        if plugin not in found.get(entry.name, ()):
            found[entry.name] = (*found.get(entry.name, ()), plugin)
    return found


def package_of(metric: type[Metric]) -> str:
    """The package that announces a metric, with its version; empty for ours and unannounced ones.

    >>> from rankwise.metrics import METRICS
    >>> package_of(METRICS["bleu"])
    ''
    """
    if metric.__module__.startswith("rankwise."):
        return ""
    found = plugins().get(metric.name, ())
    owners = [one.package for one in found if one.entry.module == metric.__module__]
    return owners[0] if owners else ""
