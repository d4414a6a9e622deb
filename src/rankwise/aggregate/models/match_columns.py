"""Rankings as matches between two to eight systems, in columns for the native core."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.outcomes import check_languages, check_systems
from rankwise.aggregate.run_batch import Unit
from rankwise.errors import DataError
from rankwise.types import Judgments

_MOST = 20_000_000  # matches: beyond that the subsets of large rankings fill the memory


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Match m is between ``players[starts[m] : starts[m + 1]]``, which index ``systems``.

    ``ranks`` hold their ranks, 1 is best; ``screens[g] : screens[g + 1]`` are the matches of a
    screen. Systems come in the order of their names.
    """

    systems: tuple[str, ...]
    starts: NDArray[np.int64]
    players: NDArray[np.int32]
    ranks: NDArray[np.float64]
    screens: NDArray[np.int64]

    @classmethod
    def of(cls, judgments: Judgments, *, ways: int, exact: bool = False) -> "Matches":
        """Every ranking of up to *ways* ranked systems is a match; a larger one is all its subsets.

        With *exact*, rankings of fewer than *ways* systems are left out. Subsets of one ranking
        come in the order of its systems.

        >>> from rankwise.types import Ranking
        >>> ranking = Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2))
        >>> Matches.of(Judgments.from_rankings([ranking]), ways=2).players
        array([0, 1, 0, 2, 1, 2], dtype=int32)
        """
        check_languages(judgments)
        order = np.argsort(judgments.screen, kind="stable")
        sizes, system, rank = _ranked_items(judgments, order)
        counts = np.array([_subset_count(size, ways, exact) for size in range(sizes.max() + 1)])
        total = int(counts[sizes].sum())
        if not 0 < total <= _MOST:
            raise DataError(
                f"the judgments hold {total} matches of {ways} systems; expected 1 to {_MOST:,}"
            )
        players, ranks, lengths = _subsets(sizes, system, rank, counts, ways)
        used = sorted(np.unique(players).tolist(), key=lambda code: judgments.systems[code])
        check_systems(len(used))
        numbers = np.zeros(len(judgments.systems), np.int32)
        numbers[used] = np.arange(len(used))
        screen = np.repeat(judgments.screen[order], counts[sizes])
        return cls(
            tuple(judgments.systems[code] for code in used),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            numbers[players],
            ranks,
            np.append(np.flatnonzero(np.diff(screen, prepend=screen[0] - 1)), total),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def groups(self, unit: Unit) -> NDArray[np.int64]:
        """What is drawn together: the matches of a screen, or each match by itself."""
        return self.screens if unit == "screen" else np.arange(len(self) + 1, dtype=np.int64)


def _ranked_items(
    judgments: Judgments, order: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Sizes, systems and ranks of the rankings in this order, unranked systems left out."""
    if len(judgments) == 0:
        raise DataError("there are no judgments")
    chosen = judgments.select(order)
    is_ranked = ~np.isnan(chosen.rank)
    ranking = np.repeat(np.arange(len(chosen)), chosen.sizes)
    sizes = np.bincount(ranking[is_ranked], minlength=len(chosen)).astype(np.int64)
    return sizes, chosen.system[is_ranked], chosen.rank[is_ranked]


def _subset_count(size: int, ways: int, exact: bool) -> int:
    if size >= ways:
        return comb(size, ways)
    return 1 if size >= 2 and not exact else 0


def _subsets(
    sizes: NDArray[np.int64],
    system: NDArray[np.int32],
    rank: NDArray[np.float64],
    counts: NDArray[np.int64],
    ways: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Players, ranks and lengths of all matches, by ranking."""
    starts = np.concatenate(([0], np.cumsum(sizes)))
    lengths = np.repeat(np.minimum(sizes, ways), counts[sizes])
    places = np.concatenate(([0], np.cumsum(np.minimum(sizes, ways) * counts[sizes])))
    items = np.empty(int(places[-1]), np.int64)
    for size in np.unique(sizes[counts[sizes] > 0]).tolist():
        rows = np.flatnonzero(sizes == size)
        subsets = np.array(list(combinations(range(size), min(size, ways)))).ravel()
        items[places[rows, None] + np.arange(len(subsets))] = starts[rows, None] + subsets
    return system[items], rank[items], lengths
