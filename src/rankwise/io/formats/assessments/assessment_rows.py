"""What the readers of assessments share: rows with further columns, pseudonyms, shared outputs."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.types import Assessments
from rankwise.types.judging.assessments import Row

Cell = str | float | None


class AssessmentRows:
    """Collects rows one by one; ``build`` returns the record.

    Judges get pseudonyms in the order in which they appear, unless *keep_judges*.
    """

    def __init__(self, *, keep_judges: bool) -> None:
        self._keep_judges = keep_judges
        self._judges: dict[str, str] = {}
        self._rows: list[Row] = []
        self._info: dict[str, list[Cell]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row, info: Mapping[str, Cell] | None = None) -> None:
        """Append one row; *info* may have other columns than the rows before."""
        system, segment, judge, role, value = row
        if not self._keep_judges:
            judge = self._judges.setdefault(judge, f"judge{len(self._judges) + 1}")
        self._rows.append((system, segment, judge, role, value))
        for name, cell in (info or {}).items():
            column = self._info.setdefault(name, [])
            column.extend([None] * (len(self._rows) - 1 - len(column)))
            column.append(cell)

    def build(self, name: str, notes: Collection[str] = ()) -> Assessments:
        """The rows added so far."""
        count = len(self._rows)
        info = {name: _column(cells, count) for name, cells in self._info.items()}
        return Assessments.from_rows(self._rows, name=name, info=info, notes=tuple(notes))


def _column(cells: list[Cell], count: int) -> NDArray[Any]:
    """Numbers with nan, or texts with None, where a cell is absent; None when all are."""
    cells = [*cells, *[None] * (count - len(cells))]
    if any(isinstance(cell, str) for cell in cells) or all(cell is None for cell in cells):
        return np.array(cells, object)
    return np.array([np.nan if cell is None else cell for cell in cells], np.float64)


def systems_of(name: str, whole_names: Collection[str]) -> list[str]:
    """The systems that shared an output called ``a+b``; *whole_names* contain ``+`` themselves.

    >>> systems_of("a+Transformer+R2L+b", ["Transformer+R2L"])
    ['a', 'Transformer+R2L', 'b']
    """
    if "+" not in name or name in whole_names:
        return [name]
    for whole in sorted(whole_names, key=len, reverse=True):
        name = f"+{name}+".replace(f"+{whole}+", f"+{whole.replace('+', chr(0))}+")[1:-1]
    parts = [part.replace("\0", "+") for part in name.split("+")]
    return list(dict.fromkeys(part for part in parts if part))
