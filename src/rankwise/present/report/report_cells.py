"""Small things that the tables of several sections share."""

import math

import numpy as np

from rankwise.present.tables import Cell
from rankwise.types import Leaderboard


def ranks_text(board: Leaderboard) -> list[str]:
    """The range of ranks of every system in words: ``2-3``, or ``1`` where it is one rank."""
    ranges = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    return [str(low) if low == high else f"{low}-{high}" for low, high in ranges]


def rules_of(board: Leaderboard) -> list[int]:
    """The rows above which a new cluster begins."""
    rows: list[int] = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    return rows


def defined(value: float) -> Cell:
    """A number, or None for nan."""
    return None if math.isnan(value) else value


def written(value: float, number: str) -> str:
    """A number in words for captions; a dash for nan."""
    return "–" if math.isnan(value) else format(value, number)
