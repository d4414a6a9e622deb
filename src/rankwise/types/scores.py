"""A table of numbers: systems by segments (or documents, or domains)."""

from dataclasses import dataclass
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
    otherwise.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    values: NDArray[np.float64]
    name: str = ""
    level: Level = "segment"

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        expected = (len(self.systems), len(self.segments))
        if values.shape != expected:
            raise DataError(
                f"scores {self.name!r} have shape {values.shape}; expected {expected} "
                "(systems, segments)"
            )
        for kind, names in (("system", self.systems), ("segment", self.segments)):
            if len(set(names)) != len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise DataError(f"{kind} {twice!r} occurs twice in scores {self.name!r}")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

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

    def row(self, system: str) -> NDArray[np.float64]:
        """The scores of one system."""
        if system not in self.systems:
            raise DataError(
                f"scores {self.name!r} have no system {system!r}; they have "
                f"{', '.join(self.systems)}"
            )
        scores: NDArray[np.float64] = self.values[self.systems.index(system)]
        return scores
