"""Scalar human judgments: direct assessment, adequacy, fluency, ESA, MQM."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.scores import ScoreTable

#: Rows that judge a system's real output; the others are controls.
REAL_ROLES = frozenset({"TGT", "SYSTEM", "REPEAT", ""})


@dataclass(frozen=True, slots=True, eq=False)
class Assessments:
    """One row per judgment: who gave which value to which system's output of which segment.

    ``system``, ``segment``, ``judge`` and ``role`` index the tuples of names. A role says what was
    shown: ``TGT`` a system's output, ``BAD`` a degraded one, ``REF`` a reference, ``CHK`` a repeat.
    Higher values are better. ``info`` holds further columns, one entry per row.
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

    def __post_init__(self) -> None:
        names = {
            "system": self.systems,
            "segment": self.segments,
            "judge": self.judges,
            "role": self.roles,
        }
        for column, values in names.items():
            codes = getattr(self, column)
            if len(codes) != len(self.value):
                raise DataError(f"column {column!r} has {len(codes)} rows of {len(self.value)}")
            if len(codes) and not (codes.min() >= 0 and codes.max() < len(values)):
                raise DataError(f"column {column!r} points outside its {len(values)} names")
            codes.flags.writeable = False
        for column, cells in self.info.items():
            if len(cells) != len(self.value):
                raise DataError(f"column {column!r} has {len(cells)} rows of {len(self.value)}")
        self.value.flags.writeable = False
        object.__setattr__(self, "info", MappingProxyType(dict(self.info)))

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[str, str, str, str, float]],
        *,
        name: str = "",
        info: Mapping[str, NDArray[Any]] | None = None,
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
        )

    def scores(self, *, roles: frozenset[str] = REAL_ROLES, by_judge: bool = False) -> ScoreTable:
        r"""Mean value per system and segment over the judgments with one of the *roles*.

        ``by_judge=True`` first standardises each judge's values to mean 0 and deviation 1,

        .. math:: z = (x - \bar x_j) / s_j

        with :math:`s_j` the sample deviation (n - 1) over all of the judge's values, controls
        included; a judge with a constant value gets 0. A cell without judgments is nan.

        >>> rows = [("A", "1", "ann", "TGT", 80), ("B", "1", "ann", "TGT", 60)]
        >>> Assessments.from_rows(rows).scores(by_judge=True).values.round(4)
        array([[ 0.7071],
               [-0.7071]])
        """
        value = self._standardised() if by_judge else self.value
        wanted = np.array([role in roles for role in self.roles], np.bool_)
        mask = wanted[self.role] & ~np.isnan(value) if len(self) else np.empty(0, np.bool_)
        shape = (len(self.systems), len(self.segments))
        cell = self.system[mask].astype(np.int64) * shape[1] + self.segment[mask]
        size = shape[0] * shape[1]
        count = np.bincount(cell, minlength=size)
        total = np.bincount(cell, weights=value[mask], minlength=size)
        mean = np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
        return ScoreTable(self.systems, self.segments, mean.reshape(shape), name=self.name)

    def _standardised(self) -> NDArray[np.float64]:
        present = ~np.isnan(self.value)
        judge, value = self.judge[present], self.value[present]
        count = np.bincount(judge, minlength=len(self.judges))
        mean = np.bincount(judge, value, len(self.judges)) / np.maximum(count, 1)
        squares = np.bincount(judge, (value - mean[judge]) ** 2, len(self.judges))
        deviation = np.sqrt(squares / np.maximum(count - 1, 1))
        centred = self.value - mean[self.judge]
        spread = deviation[self.judge]
        return np.divide(centred, spread, out=centred * 0, where=spread > 0)
