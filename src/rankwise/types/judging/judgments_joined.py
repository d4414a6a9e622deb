"""Several records of judgments as one."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.types.judging.judgments import Judgments


def joined(parts: Sequence[Judgments]) -> Judgments:
    """The rankings of all *parts*, in order; see ``Judgments.concatenate``."""
    systems, system = _merged([(part.systems, part.system) for part in parts], np.int32)
    segments, segment = _merged([(part.segments, part.segment) for part in parts], np.int32)
    judges, judge = _merged([(part.judges, part.judge) for part in parts], np.int32)
    languages, language = _merged([(part.languages, part.language) for part in parts], np.int16)
    screens, screen = _distinct_screens(parts)
    sizes = _together([part.sizes for part in parts], np.int64)
    return Judgments(
        systems,
        segments,
        judges,
        languages,
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        system=system,
        rank=_together([part.rank for part in parts], np.float64),
        output=_together([part.output for part in parts], np.int16),
        segment=segment,
        judge=judge,
        language=language,
        screen=screen,
        screens=screens,
        info=_joined_info(parts),
    )


def _together(columns: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate(columns) if columns else np.empty(0, dtype)


def _merged(
    columns: Sequence[tuple[Sequence[Any], NDArray[Any]]], dtype: type
) -> tuple[tuple[Any, ...], NDArray[Any]]:
    """One table of names over all columns, and the codes of the columns in it."""
    table: dict[Hashable, int] = {}
    recoded = []
    for names, codes in columns:
        new: NDArray[Any] = np.array([table.setdefault(name, len(table)) for name in names], dtype)
        recoded.append(new[codes])
    return tuple(table), _together(recoded, dtype)


def _distinct_screens(
    parts: Sequence[Judgments],
) -> tuple[tuple[str, ...] | None, NDArray[np.int64]]:
    if all(part.screens is None for part in parts):
        return None, _counted_on([part.screen for part in parts])
    names: dict[str, int] = {}
    columns = []
    for part in parts:
        numbers, codes = np.unique(part.screen, return_inverse=True)
        wanted = [str(n) if part.screens is None else part.screens[n] for n in numbers.tolist()]
        new = [_unused(name, names, set(wanted)) for name in wanted]
        columns.append(np.array([names.setdefault(n, len(names)) for n in new], np.int64)[codes])
    return tuple(names), _together(columns, np.int64)


def _unused(name: str, earlier: dict[str, int], own: set[str]) -> str:
    if name not in earlier:
        return name
    name += "~"
    while name in earlier or name in own:
        name += "~"
    return name


def _counted_on(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Numbers of which those of a column move up when they would meet those before."""
    moved: list[NDArray[np.int64]] = []
    taken = np.empty(0, np.int64)
    for column in columns:
        numbers = np.unique(column)
        meets = np.isin(numbers, taken, assume_unique=True).any()
        shift = taken[-1] + 1 - numbers[0] if meets else 0
        moved.append(column + shift)
        taken = np.union1d(taken, numbers + shift)
    return _together(moved, np.int64)


def _joined_info(parts: Sequence[Judgments]) -> dict[str, NDArray[Any]]:
    names = dict.fromkeys(name for part in parts for name in part.info)
    return {name: _joined_column(parts, name) for name in names}


def _joined_column(parts: Sequence[Judgments], name: str) -> NDArray[Any]:
    columns = [part.info.get(name, np.full(len(part), np.nan)) for part in parts]
    if all(column.dtype != object for column in columns):
        return np.concatenate(columns)
    return np.concatenate([_as_objects(column) for column in columns])


def _as_objects(column: NDArray[Any]) -> NDArray[Any]:
    cells = column.astype(object)
    cells[[cell is None or cell != cell for cell in cells]] = None
    return cells
