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
    Values,
    correlation,
    powered_estimate,
    solved,
)
from rankwise.aggregate.scalar.clustered_errors import of_one_unit
from rankwise.aggregate.scalar.judged_values import Codes, Floats, numbered
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

    @property
    def is_of_one_unit(self) -> NDArray[np.bool_]:
        """Which pairs (S * S,) met in one document alone, before one judge."""
        met = numbered(self.pair)
        found = np.zeros(len(self.systems) ** 2, np.bool_)
        found[np.unique(self.pair)] = of_one_unit(met, self.judge, self.document)
        return found


def powered_wins(contests: Contests, scores: Floats, document: Codes) -> PoweredEstimate:
    """The shares of wins of all systems, helped by *scores* (S, M) of M segments.

    *document* (M,) are the documents of the segments; see ``powered_values``. Of a system that the
    machine did not score (a row of nan) people alone decide.
    """
    columns = _columns(contests, scores, document)
    every_row = np.arange(len(contests.won))

    def fit(value: Floats) -> tuple[Floats, Floats]:
        return _shares(contests, value)

    def tune(rows: Codes) -> Floats:
        said, won = _within_pairs(contests, columns, rows)
        doubt = columns.doubt(rows, contests.document)
        return solved(np.array([[said @ said]]), np.array([said @ won]), doubt)

    return powered_estimate(
        Values(contests.won, contests.judge, contests.document),
        columns,
        fit,
        tune,
        correlations=np.array([correlation(*_within_pairs(contests, columns, every_row))]),
        unknown=_unknown(contests),
    )


def _unknown(contests: Contests) -> NDArray[np.bool_]:
    """Which systems (S,) met every other one in one document alone, before one judge.

    Their shares are exact for what was seen, and nothing tells what they would be elsewhere.
    """
    pairs = np.flatnonzero(contests.is_of_one_unit)
    count = len(contests.systems)
    alone = np.bincount(pairs // count, minlength=count) + np.bincount(
        pairs % count, minlength=count
    )
    found: NDArray[np.bool_] = alone == count - 1
    return found


def _columns(contests: Contests, scores: Floats, document: Codes) -> MachineColumns:
    count, segments = scores.shape
    scale = _scale(scores)
    everywhere = np.zeros(scores.shape)
    means, variances = np.zeros((count, count)), []
    for one, other in zip(*np.triu_indices(count, 1), strict=True):
        wins = _likely(scores[one] - scores[other], scale)
        means[one, other] = wins.mean()
        variances.append(wins.var())
        part = (wins - wins.mean()) / (count - 1) / segments
        everywhere[one] += part
        everywhere[other] -= part
    first, second, place = contests.first, contests.second, contests.place
    wins = _likely(scores[first, place] - scores[second, place], scale)
    judged = (wins - means[first, second])[None]
    return MachineColumns(PARTS, judged, everywhere[None], document, np.array([np.mean(variances)]))


def _scale(scores: Floats) -> float:
    """The root mean square of the differences of scores; 1 where there are none."""
    known = scores[~np.isnan(scores).all(axis=1)]
    one, other = np.triu_indices(len(known), 1)
    squares = (known[one] - known[other]) ** 2
    return float(np.sqrt(squares.mean())) or 1.0 if squares.size else 1.0


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


def _within_pairs(
    contests: Contests, columns: MachineColumns, rows: Codes
) -> tuple[Floats, Floats]:
    """What the machine said and who won, minus the means of the two systems."""
    pair = contests.pair[rows]
    counts = np.maximum(np.bincount(pair), 1)

    def centred(column: Floats) -> Floats:
        return np.asarray(column - (np.bincount(pair, column) / counts)[pair], np.float64)

    return centred(columns.judged[0, rows]), centred(contests.won[rows])
