"""A table of numbers: systems by segments (or documents, or domains)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Level = Literal["segment", "document", "domain", "system"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of systems on segments; ``values[s, i]`` is nan where there is none.

    ``segments`` names the columns: segment, document or domain ids by ``level``; a table of
    system scores has the single column ``"all"``. Higher is better unless the producer says
    otherwise. ``notes`` says in sentences what a reader left out or changed; two tables are equal
    when everything else is.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: NDArray[np.float64]
    name: str = ""
    level: Level = "segment"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        values = _own_array(self.values)
        expected = (len(self.systems), len(self.segments))
        if values.shape != expected:
            raise DataError(
                f"scores {self.name!r} have shape {values.shape}; expected {expected} "
                "(systems, segments)"
            )
        for kind, names in (("system", self.systems), (self.level, self.segments)):
            if len(set(names)) != len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise DataError(f"{kind} {twice!r} occurs twice in scores {self.name!r}")
        if np.isinf(values).any():
            row, column = (int(index[0]) for index in np.nonzero(np.isinf(values)))
            raise DataError(
                f"scores {self.name!r} of system {self.systems[row]!r} on {self.level} "
                f"{self.segments[column]!r} are infinite; expected a number, or nan for none"
            )
        object.__setattr__(self, "values", values)

    @classmethod
    def from_cells(
        cls,
        cells: Iterable[tuple[str, str, float]],
        *,
        name: str = "",
        level: Level = "segment",
    ) -> "ScoreTable":
        """The table of (system, segment, score) triples, names in the order they first occur.

        A cell that does not occur is nan; one that occurs twice is an error.

        >>> ScoreTable.from_cells([("A", "1", 0.5), ("B", "2", 1)]).values
        array([[0.5, nan], [nan, 1. ]])
        """
        systems: dict[str, int] = {}
        segments: dict[str, int] = {}
        found: dict[tuple[int, int], float] = {}
        for system, segment, score in cells:
            cell = (
                systems.setdefault(system, len(systems)),
                segments.setdefault(segment, len(segments)),
            )
            if cell in found:
                raise DataError(f"system {system!r} has two scores for {level} {segment!r}")
            found[cell] = score
        values = np.full((len(systems), len(segments)), np.nan)
        if found:
            rows, columns = np.array(list(found), np.intp).T
            values[rows, columns] = list(found.values())
        return cls(tuple(systems), tuple(segments), values, name=name, level=level)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return (
            (self.systems, self.segments, self.name, self.level)
            == (other.systems, other.segments, other.name, other.level)
        ) and np.array_equal(self.values, other.values, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]  # arrays do not hash

    def system_means(self) -> NDArray[np.float64]:
        """Mean over the present scores of each system; nan for a system without any."""
        present = ~np.isnan(self.values)
        count = present.sum(axis=1)
        total = np.where(present, self.values, 0.0).sum(axis=1)
        means: NDArray[np.float64] = np.full(len(self.systems), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means

    def without(self, excluded: Collection[str]) -> "ScoreTable":
        """The same without some systems, whether they are there or not."""
        kept = [place for place, name in enumerate(self.systems) if name not in excluded]
        systems = tuple(self.systems[place] for place in kept)
        return replace(self, systems=systems, values=self.values[kept])

    def row(self, system: str) -> NDArray[np.float64]:
        """The scores of one system."""
        if system not in self.systems:
            raise DataError(
                f"scores {self.name!r} have no system {system!r}; they have "
                f"{', '.join(self.systems)}"
            )
        scores: NDArray[np.float64] = self.values[self.systems.index(system)]
        return scores


def _own_array(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A read-only float array that nobody else can write to, and that freezes nobody else's."""
    array = np.asarray(values, dtype=np.float64)
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array
