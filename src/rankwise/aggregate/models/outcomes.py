"""Who beat whom how often, as counts that add up over screens.

A row is one screen's contribution to the counts of all outcomes. There are 2 S^2 outcomes of S
systems: cell ``i * S + j`` is "i beat j", cell ``S^2 + i * S + j`` (i < j) is "i and j are tied".
Rows are kept as lists of cells, because a screen touches few of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import DataError
from rankwise.types import Comparisons, Judgments
from rankwise.types.seeds import generator_state

Counts = NDArray[np.int64]
Codes = NDArray[np.int32]
_BLOCK = 1 << 22  # counts held at a time: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Pairwise outcomes by screen: screen g owns ``cells[starts[g] : starts[g + 1]]``.

    Systems come in the order of their names.
    """

    systems: tuple[str, ...]
    starts: NDArray[np.int64]
    cells: Codes

    @classmethod
    def of(cls, judgments: Judgments) -> "Outcomes":
        """All pairs of ranked systems of *judgments*; rankings of one screen belong together.

        Systems without any comparison cannot be ranked and are left out, and so are screens
        without a pair, such as skipped ones. Judgments of several language pairs are an error.

        >>> from rankwise.types import Ranking
        >>> judgments = Judgments.from_rankings([Ranking("1", "ann", ("A", "B"), (1, 2))])
        >>> Outcomes.of(judgments).wins_and_ties()[0]
        array([[0, 1], [0, 0]])
        """
        check_languages(judgments)
        pairs = judgments.pairs()
        if len(pairs) == 0:
            raise DataError("the judgments hold no comparison of two ranked systems")
        used, left, right = _renumbered(pairs)
        cells = _cells(left, right, pairs.sign, len(used))
        screen = judgments.screen[pairs.ranking]
        if (np.diff(screen) < 0).any():
            order = np.argsort(screen, kind="stable")
            cells, screen = cells[order], screen[order]
        starts = np.flatnonzero(np.diff(screen, prepend=screen[0] - 1))
        starts = np.append(starts, len(cells)).astype(np.int64)
        return cls(tuple(pairs.systems[code] for code in used.tolist()), starts, cells)

    @property
    def width(self) -> int:
        """The number of cells."""
        return 2 * len(self.systems) ** 2

    def counts(self) -> Counts:
        """How often each outcome occurred."""
        return np.bincount(self.cells, minlength=self.width)

    def wins_and_ties(self, counts: Counts | None = None) -> tuple[Counts, Counts]:
        """Matrices (..., S, S): how often row beat column, and how often they were tied.

        *counts* (..., cells) come from resampling; without them all outcomes count once.
        """
        counts = self.counts() if counts is None else counts
        shape = (*counts.shape[:-1], 2, len(self.systems), len(self.systems))
        both = counts.reshape(shape)
        ties = both[..., 1, :, :]
        return both[..., 0, :, :], ties + np.swapaxes(ties, -1, -2)

    def drawn(self, batch: Batch) -> Iterator[tuple[range, Counts]]:
        """Numbers of runs, and counts (runs, cells) over what each draws with replacement.

        A draw of single pairs is one of outcomes with the probabilities of their counts, so that
        all pairs of a run are drawn at once. Where nothing is drawn there is one row for all.
        """
        most = max(1, _BLOCK // self.width)
        if batch.unit is None:
            counts = self.counts()[np.newaxis]
            return ((numbers, counts) for numbers in batch.pieces())
        draw = self._screens(batch) if batch.unit == "screen" else self._pairs(batch, most)
        return ((numbers, draw(len(numbers))) for numbers in batch.pieces(most))

    def _screens(self, batch: Batch) -> Callable[[int], Counts]:
        """Draws of whole screens from the first run of *batch* on."""
        state = generator_state(batch.seed)
        screens = _core.GroupResampler(self.starts, self.cells, self.width, state)
        screens.skip(batch.first)
        return screens.bootstrap

    def _pairs(self, batch: Batch, most: int) -> Callable[[int], Counts]:
        """Draws of single pairs from the first run of *batch* on."""
        random, counts = np.random.default_rng(batch.seed), self.counts()
        shares = counts / counts.sum()
        for skipped in range(0, batch.first, most):
            random.multinomial(len(self.cells), shares, size=min(most, batch.first - skipped))
        return lambda runs: random.multinomial(len(self.cells), shares, size=runs)


def count_outcomes(judgments: Judgments) -> tuple[tuple[str, ...], Counts, Counts]:
    """The systems of ``Outcomes.of`` and their wins and ties, without keeping what made them.

    >>> from rankwise.types import Ranking
    >>> judgments = Judgments.from_rankings([Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2))])
    >>> count_outcomes(judgments)[1:]
    (array([[0, 1, 1], [0, 0, 0], [0, 0, 0]]), array([[0, 0, 0], [0, 0, 1], [0, 1, 0]]))
    """
    check_languages(judgments)
    pairs = judgments.pairs()
    if len(pairs) == 0:
        raise DataError("the judgments hold no comparison of two ranked systems")
    count = len(pairs.systems)
    codes = pairs.left * np.int64(3 * count)
    codes += pairs.right * np.int32(3)
    codes += pairs.sign
    codes += 1
    shown = np.bincount(codes, minlength=3 * count**2).reshape(count, count, 3)
    both = shown + np.swapaxes(shown, 0, 1)[..., ::-1]  # a loss on the left is a win on the right
    occurs = np.flatnonzero(both.any(axis=(1, 2)))
    used = sorted(occurs.tolist(), key=lambda code: pairs.systems[code])
    wins, ties = both[np.ix_(used, used)][..., 2], both[np.ix_(used, used)][..., 1]
    return tuple(pairs.systems[code] for code in used), wins, ties


def _renumbered(pairs: Comparisons) -> tuple[Codes, Codes, Codes]:
    """The systems that occur in pairs, by name, and the pairs in numbers of those."""
    occurs = np.zeros(len(pairs.systems), np.bool_)
    occurs[pairs.left] = occurs[pairs.right] = True
    used = sorted(np.flatnonzero(occurs).tolist(), key=lambda code: pairs.systems[code])
    numbers = np.zeros(len(occurs), np.int32)
    numbers[used] = np.arange(len(used))
    return np.array(used, np.int32), numbers[pairs.left], numbers[pairs.right]


def _cells(left: Codes, right: Codes, sign: NDArray[np.int8], count: int) -> Codes:
    """The outcome of each pair."""
    is_tie = sign == 0
    swapped = np.where(is_tie, left > right, sign < 0)
    cells = np.where(swapped, right, left) * np.int32(count)
    cells += np.where(swapped, left, right)
    cells[is_tie] += count**2
    return cells


def check_languages(judgments: Judgments) -> None:
    """Raise unless all judgments are of one language pair."""
    found = [judgments.languages[code] for code in np.unique(judgments.language).tolist()]
    if len(found) > 1:
        names = ", ".join("-".join(pair) for pair in found)
        raise DataError(f"the judgments hold {len(found)} language pairs ({names}); rank one")
