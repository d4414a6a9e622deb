"""Strips of heat: how much of every tenth of the texts of a system is marked as wrong."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.present.charts.matrix_chart import Square, matrix_chart


def place_chart(
    systems: Sequence[str], shares: NDArray[np.float64], *, title: str, most: float | None = None
) -> str:
    """A strip for every system: *shares* (S, tenths) of its characters, from first to last.

    The strongest heat is *most*, so that several pictures have one scale; the largest share if not
    given. Numbers are percents.
    """
    largest = float(np.nanmax(shares, initial=0.0)) if most is None else most
    tenths = shares.shape[1]
    squares = [
        [_square(name, place, tenths, value, largest) for place, value in enumerate(row)]
        for name, row in zip(systems, shares.tolist(), strict=True)
    ]
    columns = [
        f"{100 * place // tenths}–{100 * (place + 1) // tenths} %" for place in range(tenths)
    ]
    described = (
        "A row for every system, its texts from beginning to end; at most "
        f"{100 * largest:.1f} % of the characters of a tenth are marked."
    )
    return matrix_chart(systems, columns, squares, title=title, description=described)


def _square(name: str, place: int, tenths: int, value: float, most: float) -> Square:
    if value != value:
        return Square()
    percent = 100 * value
    text = f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"
    start, end = (100 * part // tenths for part in (place, place + 1))
    said = f"{name}, {start} to {end} % of the text: {percent:.2f} % marked"
    strength = 0.08 + 0.92 * value / most if most and value else 0.0
    return Square("heat", strength, text, said)
