"""What the cells of WMT ranking files hold: ranks, and one system or several that share a text."""

import math
import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from rankwise.errors import DataError

_RANK = re.compile(r"\d+(\.\d+)?")
#: Marks the end of a whole name; no part of a name is ``None``.
_END = None


class Ranks(dict[str, "float | None"]):
    """The rank a cell stands for: a number from 0 (1 is best), or ``None`` for -1, not ranked."""

    def __missing__(self, cell: str) -> float | None:
        self[cell] = rank = parse_rank(cell)
        return rank


def parse_rank(cell: str) -> float | None:
    """The rank a cell stands for; -1 is ``None``, not ranked."""
    if cell in ("-1", "-1.0"):
        return None
    is_number = cell.isascii() and _RANK.fullmatch(cell) and len(cell) <= 400
    if not is_number or not math.isfinite(rank := float(cell)):
        raise DataError(f"found rank {cell[:40]!r}; expected a number, 1 for the best, -1 for none")
    return rank


def rank_cell(rank: float | None) -> str:
    """A rank as ``parse_rank`` reads it."""
    if rank is None:
        return "-1"
    if rank < 0:
        raise DataError(f"rank {rank} cannot be written: WMT files keep ranks below 0 for 'none'")
    return str(int(rank)) if rank == int(rank) else format(Decimal(repr(rank)), "f")


class Names(dict[str, tuple[str, ...]]):
    """The systems a cell names: ``a+b`` are two that share a text.

    *whole* lists the names that contain a plus sign and are one system, ``Transformer+R2L``.
    """

    def __init__(self, whole: Collection[str] = (), separator: str = "+") -> None:
        super().__init__()
        self._separator = separator
        self._single: set[str] = set()
        self._whole: dict[str | None, Any] = {}  # by their parts, one after the other
        for name in whole:
            node = self._whole
            for part in name.split(separator):
                node = node.setdefault(part, {})
            node[_END] = {}

    def __missing__(self, cell: str) -> tuple[str, ...]:
        parts = cell.split(self._separator)
        if not all(parts):
            raise DataError(
                f"found system {cell!r}; expected names joined by {self._separator!r}, none empty"
            )
        names: list[str] = []
        begin = 0
        while begin < len(parts):
            end = self._longest(parts, begin)
            names.append(self._separator.join(parts[begin:end]))
            begin = end
        self[cell] = tuple(names)
        if len(names) == 1:
            self._single.add(cell)
        return self[cell]

    def _longest(self, parts: list[str], begin: int) -> int:
        """Where the longest whole name that begins there ends; one part is a name in any case."""
        node, longest = self._whole, begin + 1
        for place in range(begin, len(parts)):
            node = node.get(parts[place], {})
            if not node:
                break
            if _END in node:
                longest = place + 1
        return longest

    def expanded(
        self, cells: Sequence[str], ranks: Sequence[float | None]
    ) -> tuple[Sequence[str], Sequence[float | None], list[int] | None]:
        """Systems, ranks and outputs of items, of which each may name several systems."""
        if self._single.issuperset(cells):
            return cells, ranks, None
        texts = [self[cell] for cell in cells]
        outputs = [number for number, names in enumerate(texts) for _ in names]
        return (
            [name for names in texts for name in names],
            [ranks[number] for number in outputs],
            outputs if len(texts) < len(outputs) else None,
        )
