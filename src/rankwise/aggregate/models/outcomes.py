"""Who beat whom how often, as counts that add up over screens.

A row is one screen's contribution to the counts of all outcomes. S systems have 2 S^2 outcomes, of
which few occur where systems are many: only those that do have a column ("kind"). Rows are kept as
lists of kinds, because a screen touches few of them.
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
#: How many systems a ranking may have: what is held of every two of them fills the memory.
MOST_SYSTEMS = 3000
_BLOCK = 1 << 20  # counts held at a time: 8 MB, which the next block finds in place


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Pairwise outcomes by screen: screen g owns ``cells[starts[g] : starts[g + 1]]``.

    A cell is a number of a kind: ``better[k]`` beat ``worse[k]``, or they are tied where
    ``is_tie[k]``. Kinds come in the order of their systems, wins before ties; systems in the order
    of their names.
    """

    systems: tuple[str, ...]
    starts: NDArray[np.int64]
    cells: Codes
    better: Codes
    worse: Codes
    is_tie: NDArray[np.uint8]

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
        check_systems(len(used))
        codes = _outcome_codes(left, right, pairs.sign, len(used))
        cells, kinds = _numbered_kinds(codes, len(used))
        screen = judgments.screen[pairs.ranking]
        if (np.diff(screen) < 0).any():
            order = np.argsort(screen, kind="stable")
            cells, screen = cells[order], screen[order]
        starts = np.flatnonzero(np.diff(screen, prepend=screen[0] - 1))
        starts = np.append(starts, len(cells)).astype(np.int64)
        return cls(tuple(pairs.systems[code] for code in used.tolist()), starts, cells, *kinds)

    @property
    def width(self) -> int:
        """The number of kinds of outcomes that occur."""
        return len(self.better)

    @property
    def kinds(self) -> tuple[Codes, Codes, NDArray[np.uint8]]:
        """What each cell means, in columns for the native core."""
        return self.better, self.worse, self.is_tie

    def counts(self) -> Counts:
        """How often each kind of outcome occurred."""
        return np.bincount(self.cells, minlength=self.width)

    def wins_and_ties(self, counts: Counts | None = None) -> tuple[Counts, Counts]:
        """Matrices (..., S, S): how often row beat column, and how often they were tied.

        *counts* (..., kinds) come from resampling; without them all outcomes count once.
        """
        counts = self.counts() if counts is None else counts
        shape = (*counts.shape[:-1], len(self.systems), len(self.systems))
        wins, ties = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        is_tie = self.is_tie.astype(np.bool_)
        wins[..., self.better[~is_tie], self.worse[~is_tie]] = counts[..., ~is_tie]
        ties[..., self.better[is_tie], self.worse[is_tie]] = counts[..., is_tie]
        ties[..., self.worse[is_tie], self.better[is_tie]] = counts[..., is_tie]
        return wins, ties

    def drawn(self, batch: Batch) -> Iterator[tuple[range, Counts]]:
        """Numbers of runs, and counts (runs, kinds) over what each draws with replacement.

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
        # All wins and then all ties, with nothing after them that the rest could fall to.
        order = np.argsort(self.is_tie, kind="stable")
        shares = np.append(counts[order] / counts.sum(), 0.0)

        def draw(runs: int) -> Counts:
            drawn = np.empty((runs, self.width), np.int64)
            drawn[:, order] = random.multinomial(len(self.cells), shares, size=runs)[:, :-1]
            return drawn

        for skipped in range(0, batch.first, most):
            draw(min(most, batch.first - skipped))
        return draw


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
    used, left, right = _renumbered(pairs)
    count = len(used)
    check_systems(count)
    codes = left * np.int64(3 * count)
    codes += right * np.int32(3)
    codes += pairs.sign
    codes += 1
    shown = np.bincount(codes, minlength=3 * count**2).reshape(count, count, 3)
    # A loss on the left is a win on the right.
    wins, ties = shown[..., 2] + shown[..., 0].T, shown[..., 1] + shown[..., 1].T
    return tuple(pairs.systems[code] for code in used.tolist()), wins, ties


def _renumbered(pairs: Comparisons) -> tuple[Codes, Codes, Codes]:
    """The systems that occur in pairs, by name, and the pairs in numbers of those."""
    occurs = np.zeros(len(pairs.systems), np.bool_)
    occurs[pairs.left] = occurs[pairs.right] = True
    used = sorted(np.flatnonzero(occurs).tolist(), key=lambda code: pairs.systems[code])
    numbers = np.zeros(len(occurs), np.int32)
    numbers[used] = np.arange(len(used))
    return np.array(used, np.int32), numbers[pairs.left], numbers[pairs.right]


def _outcome_codes(
    left: Codes, right: Codes, sign: NDArray[np.int8], count: int
) -> NDArray[np.int64]:
    """The outcome of each pair: twice the cell of a matrix of *count* systems, 1 more for a tie."""
    is_tie = sign == 0
    swapped = np.where(is_tie, left > right, sign < 0)
    codes = np.where(swapped, right, left) * np.int64(count)
    codes += np.where(swapped, left, right)
    codes *= 2
    codes += is_tie
    return codes


def _numbered_kinds(
    codes: NDArray[np.int64], count: int
) -> tuple[Codes, tuple[Codes, Codes, NDArray[np.uint8]]]:
    """Numbers of the outcomes among those that occur, and what these are."""
    kinds, cells = _distinct(codes, 2 * count**2)
    better, worse = np.divmod(kinds // 2, count)
    columns = better.astype(np.int32), worse.astype(np.int32), (kinds % 2).astype(np.uint8)
    return cells, columns


def _distinct(codes: NDArray[np.int64], width: int) -> tuple[NDArray[np.int64], Codes]:
    """The codes (below *width*) that occur, sorted, and the place of each code among them."""
    if width > 8 * len(codes):
        kinds, cells = np.unique(codes, return_inverse=True)
        return kinds, cells.astype(np.int32)
    occurs = np.zeros(width, np.bool_)
    occurs[codes] = True
    kinds = np.flatnonzero(occurs)
    places = np.zeros(width, np.int32)
    places[kinds] = np.arange(len(kinds), dtype=np.int32)
    return kinds, places[codes]


def check_systems(count: int) -> None:
    """Raise where a ranking would have more systems than memory is there for."""
    if count > MOST_SYSTEMS:
        raise DataError(
            f"the judgments compare {count:,} systems; "
            f"a ranking takes up to {MOST_SYSTEMS:,}: leave some out"
        )


def check_languages(judgments: Judgments) -> None:
    """Raise unless all judgments are of one language pair."""
    found = [judgments.languages[code] for code in np.unique(judgments.language).tolist()]
    if len(found) > 1:
        names = ", ".join("-".join(pair) for pair in found)
        raise DataError(f"the judgments hold {len(found)} language pairs ({names}); rank one")
