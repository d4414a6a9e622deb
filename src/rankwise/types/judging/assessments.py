"""Scalar human judgments: direct assessment, adequacy, fluency, ESA, MQM."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.score_table import ScoreTable

#: Rows that judge a system's real output (``AVG``: an average published as one judgment); the
#: others are controls.
REAL_ROLES = frozenset({"TGT", "SYSTEM", "REPEAT", "AVG", ""})

Row = tuple[str, str, str, str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Assessments:
    """One row per judgment: who gave which value to which system's output of which segment.

    ``system``, ``segment``, ``judge`` and ``role`` index the tuples of names. A role says what was
    shown: ``TGT`` a system's output, ``BAD`` a degraded one, ``REF`` a reference, ``CHK`` a repeat.
    Higher values are better; nan is a judgment without a value. ``info`` holds further columns, one
    entry per row. ``notes`` says in sentences what a reader left out or changed.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    roles: tuple[str, ...]
    system: NDArray[np.int32]
    segment: NDArray[np.int32]
    judge: NDArray[np.int32]
    role: NDArray[np.int32]
    value: NDArray[np.float64]
    name: str = ""
    info: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = dict(zip(_CODES, _NAMES, strict=True))
        for column in (*_CODES, "value", *self.info):
            cells = self.info[column] if column in self.info else getattr(self, column)
            if len(cells) != len(self.value):
                raise DataError(f"column {column!r} has {len(cells)} rows of {len(self.value)}")
        for column, table in names.items():
            codes, size = getattr(self, column), len(getattr(self, table))
            if len(codes) and not (codes.min() >= 0 and codes.max() < size):
                raise DataError(f"column {column!r} points outside its {size} names")
        if np.isinf(self.value).any():
            raise DataError(f"assessments {self.name!r} hold an infinite value")
        for column in (*_CODES, "value"):
            object.__setattr__(self, column, _own_array(getattr(self, column)))
        object.__setattr__(self, "info", MappingProxyType(dict(self.info)))

    def __repr__(self) -> str:
        """What it holds, in one line."""
        name = f" {self.name!r}" if self.name else ""
        counted = (
            f"{len(self)} values for {len(self.systems)} systems on {len(self.segments)} segments"
        )
        return f"<Assessments{name}: {counted} by {len(self.judges)} judges>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy does not pickle, and assessments travel to other processes.
        columns = [getattr(self, name) for name in (*_NAMES, *_CODES, "value", "name")]
        return Assessments, (*columns, dict(self.info), self.notes)

    def __len__(self) -> int:
        return len(self.value)

    def rows(self) -> Iterator[Row]:
        """Every row as (system, segment, judge, role, value): what ``from_rows`` takes."""
        names = [np.array(getattr(self, table), object) for table in _NAMES]
        columns = [table[getattr(self, codes)] for table, codes in zip(names, _CODES, strict=True)]
        return zip(*(column.tolist() for column in columns), self.value.tolist(), strict=True)

    def select(self, rows: NDArray[np.bool_] | NDArray[np.integer[Any]]) -> "Assessments":
        """The rows of a mask or of indices, names unchanged."""
        columns = {name: getattr(self, name)[rows] for name in (*_CODES, "value")}
        info = {name: cells[rows] for name, cells in self.info.items()}
        tables = {name: getattr(self, name) for name in _NAMES}
        return Assessments(**tables, **columns, name=self.name, info=info, notes=self.notes)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        *,
        name: str = "",
        info: Mapping[str, NDArray[Any]] | None = None,
        notes: tuple[str, ...] = (),
    ) -> "Assessments":
        """Columns over rows of (system, segment, judge, role, value)."""
        tables: tuple[dict[str, int], ...] = ({}, {}, {}, {})
        codes: tuple[list[int], ...] = ([], [], [], [])
        values: list[float] = []
        for *labels, value in rows:
            for table, column, label in zip(tables, codes, labels, strict=True):
                column.append(table.setdefault(str(label), len(table)))
            values.append(float(value))
        systems, segments, judges, roles = (tuple(table) for table in tables)
        system, segment, judge, role = (np.array(column, np.int32) for column in codes)
        return cls(
            systems=systems,
            segments=segments,
            judges=judges,
            roles=roles,
            system=system,
            segment=segment,
            judge=judge,
            role=role,
            value=np.array(values, np.float64),
            name=name,
            info=info or {},
            notes=notes,
        )

    def scores(self, *, roles: frozenset[str] = REAL_ROLES, by_judge: bool = False) -> ScoreTable:
        r"""Mean value per system and segment over the judgments with one of the *roles*.

        ``by_judge=True`` averages :meth:`standardised` values. A cell without judgments is nan; a
        system or segment that occurs in none of the *roles* is left out.

        >>> rows = [("A", "1", "ann", "TGT", 80), ("B", "1", "ann", "TGT", 60)]
        >>> Assessments.from_rows(rows).scores(by_judge=True).values.round(4)
        array([[ 0.7071],
               [-0.7071]])
        """
        value = self.standardised() if by_judge else self.value
        wanted = np.array([role in roles for role in self.roles], np.bool_)
        real = wanted[self.role] if len(self) else np.empty(0, np.bool_)
        systems, system = np.unique(self.system[real], return_inverse=True)
        segments, segment = np.unique(self.segment[real], return_inverse=True)
        present = ~np.isnan(value[real])
        cell = (system * len(segments) + segment)[present]
        size = len(systems) * len(segments)
        count = np.bincount(cell, minlength=size)
        total = np.bincount(cell, weights=value[real][present], minlength=size)
        mean = np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
        return ScoreTable(
            tuple(self.systems[code] for code in systems.tolist()),
            tuple(self.segments[code] for code in segments.tolist()),
            mean.reshape(len(systems), len(segments)),
            name=self.name,
            notes=self.notes,
        )

    def standardised(self) -> NDArray[np.float64]:
        r"""The values with each judge's scale taken away.

        Every judge's values get mean 0 and deviation 1,

        .. math:: z = (x - \bar x_j) / s_j

        with :math:`s_j` the sample deviation (n - 1) over all of the judge's values, controls
        included. A judge with a single value, or always the same, gets 0; nan stays nan.
        """
        present = ~np.isnan(self.value)
        judge, value, size = self.judge[present], self.value[present], len(self.judges)
        # Deviations from a value of the judge's own: exactly 0 for a judge with a constant value,
        # where the rounded mean would leave a tiny deviation to divide by.
        origin = np.zeros(size)
        origin[judge[::-1]] = value[::-1]
        shifted = value - origin[judge]
        count = np.bincount(judge, minlength=size)
        mean = np.bincount(judge, shifted, size) / np.maximum(count, 1)
        squares = np.bincount(judge, (shifted - mean[judge]) ** 2, size)
        deviation = np.sqrt(squares / np.maximum(count - 1, 1))[self.judge]
        centred = self.value - origin[self.judge] - mean[self.judge]
        return np.divide(centred, deviation, out=centred * 0, where=deviation > 0)


_NAMES = ("systems", "segments", "judges", "roles")
_CODES = ("system", "segment", "judge", "role")


def _own_array(values: NDArray[Any]) -> NDArray[Any]:
    """A read-only array that nobody else can write to, and that freezes nobody else's."""
    if not values.flags.writeable:
        return values
    array = values.copy()
    array.flags.writeable = False
    return array
