r"""Shares of comparisons that systems win, by people and a machine.

A system's share is the mean, over the other systems, of how often it beats them, a tie being half a
win: every other system counts alike, however often the two met. What the machine says of two
outputs is squeezed into a share too,

.. math:: x = \Phi\left(\frac{f_a - f_b}{\sigma}\right)

with :math:`\sigma` the root mean square of all differences of two outputs: a machine that is a
little or very much in favour of an output says about the same about who would win.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.proxies.powered_estimate import (
    MachineColumns,
    PoweredEstimate,
    TunedWeights,
    correlations_of,
    powered_estimate,
    solved,
)
from rankwise.aggregate.scalar.judged_values import Codes, Floats
from rankwise.errors import DataError

#: What the only column is about.
PARTS = ("output",)


@dataclass(frozen=True, slots=True, eq=False)
class Contests:
    """Comparisons by numbers: ``won`` is 1, 0.5 or 0 for the first system, which has the lower one.

    ``place`` is the segment among those that the machine scored.
    """

    systems: tuple[str, ...]
    first: Codes
    second: Codes
    won: Floats
    judge: Codes
    document: Codes
    place: Codes

    def __post_init__(self) -> None:
        counts = np.bincount(self.pair, minlength=len(self.systems) ** 2)
        met = counts.reshape(len(self.systems), -1) > 0
        above = np.triu_indices(len(self.systems), 1)
        if not met[above].all():
            one, other = next((a, b) for a, b in zip(*above, strict=True) if not met[a, b])
            raise DataError(
                f"{self.systems[one]!r} and {self.systems[other]!r} were never compared; with a "
                "proxy, shares of wins need a comparison of every two systems"
            )

    @property
    def pair(self) -> Codes:
        """The two systems as one number."""
        found: Codes = self.first * len(self.systems) + self.second
        return found


def powered_wins(contests: Contests, scores: Floats, document: Codes) -> PoweredEstimate:
    """The shares of wins of all systems, helped by *scores* (S, M) of M segments.

    *document* (M,) are the documents of the segments; see ``powered_values``. Of a system that the
    machine did not score (a row of nan) people alone decide.
    """
    columns = _columns(contests, scores, document)

    def fit(value: Floats) -> tuple[Floats, Floats]:
        return _shares(contests, value)

    def tune(rows: Codes) -> TunedWeights:
        return _tuned(contests, columns, rows)

    return powered_estimate(
        contests.won, columns, fit, tune, contests.judge, contests.document
    )


def _columns(contests: Contests, scores: Floats, document: Codes) -> MachineColumns:
    count, segments = scores.shape
    above = np.triu_indices(count, 1)
    scored = ~np.isnan(scores[:, 0])
    known = scores[scored]
    one, other = np.triu_indices(len(known), 1)
    spread = float(np.sqrt(np.mean((known[one] - known[other]) ** 2))) if len(one) else 0.0
    spread = spread or 1.0
    everywhere = np.zeros(scores.shape)
    means, squares = np.zeros((count, count)), []
    for one, other in zip(*above, strict=True):
        wins = _likely(scores[one] - scores[other], spread)
        means[one, other] = wins.mean()
        squares.append(wins.var())
        part = (wins - wins.mean()) / (count - 1) / segments
        everywhere[one] += part
        everywhere[other] -= part
    one, other, place = contests.first, contests.second, contests.place
    wins = _likely(scores[one, place] - scores[other, place], spread)
    judged = (wins - means[one, other])[None]
    spread = np.array([np.mean(squares)])
    return MachineColumns(PARTS, judged, everywhere[None], document, spread)


def _likely(difference: Floats, spread: float) -> Floats:
    """How likely the machine finds a win; a half where it says nothing of one of the two."""
    from scipy.special import ndtr  # slow to import

    return np.asarray(ndtr(np.nan_to_num(difference / spread)), np.float64)


def _shares(contests: Contests, value: Floats) -> tuple[Floats, Floats]:
    """The shares (S,), and the influence (S, N) of every comparison on them."""
    count, pair = len(contests.systems), contests.pair
    met = np.bincount(pair, minlength=count * count)
    won = np.bincount(pair, value, count * count) / np.maximum(met, 1)
    table = won.reshape(count, count)
    above = np.triu_indices(count, 1)
    table[above[1], above[0]] = 1 - table[above]
    np.fill_diagonal(table, 0.0)
    part = (value - won[pair]) / met[pair] / (count - 1)
    influence = np.zeros((count, len(value)))
    rows = np.arange(len(value))
    influence[contests.first, rows] = part
    influence[contests.second, rows] = -part
    return table.sum(axis=1) / (count - 1), influence


def _tuned(contests: Contests, columns: MachineColumns, rows: Codes) -> TunedWeights:
    """Least squares within pairs of systems."""
    pair = contests.pair[rows]
    counts = np.maximum(np.bincount(pair), 1)

    def centred(column: Floats) -> NDArray[np.float64]:
        return np.asarray(column - (np.bincount(pair, column) / counts)[pair], np.float64)

    said, won = centred(columns.judged[0, rows]), centred(contests.won[rows])
    product, with_values = float(said @ said), float(said @ won)
    doubt = columns.doubt(rows, contests.document)
    weights = solved(np.array([[product]]), np.array([with_values]), doubt)
    return TunedWeights(weights, correlations_of([product], [with_values], float(won @ won)))
