"""Which n-grams of the references one system gets and the other does not."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rankwise.evaluate.comparing.counted_texts import CountedNgrams, Ngram, PairTexts
from rankwise.evaluate.work_done import Done


@dataclass(frozen=True, slots=True)
class NgramGain:
    """How often the references have an n-gram, and how often two systems match it.

    ``first_alone`` counts matches that the first system has beyond the second in the same segment,
    ``second_alone`` the other way round.
    """

    words: Ngram
    wanted: int
    first: int
    second: int
    first_alone: int
    second_alone: int

    @property
    def order(self) -> int:
        """The number of words."""
        return len(self.words)

    @property
    def z(self) -> float:
        r"""How far from chance: :math:`(a - b) / \sqrt{a + b}` of the matches one has alone.

        If neither system were better at it, they would share these evenly (McNemar, 1947).
        """
        return leaning(self.first_alone, self.second_alone)


def leaning(one: int, two: int) -> float:
    """McNemar's z of two counts; positive where the first is larger.

    >>> leaning(9, 0), leaning(8, 8)
    (3.0, 0.0)
    """
    return (one - two) / math.sqrt(one + two) if one + two else 0.0


def ngram_gains(
    texts: PairTexts,
    *,
    most: int = 20,
    orders: Sequence[int] = (1, 2, 3, 4),
    done: Done | None = None,
) -> tuple[NgramGain, ...]:
    """Of every order the *most* n-grams that lean to either system, those of the first above.

    They are sorted by :attr:`NgramGain.z`; of equals longer ones and then the alphabet come first.
    Only those that are matched more often by one system than by the other are listed. *done* is
    told the share of each order.
    """
    found: list[NgramGain] = []
    for counted in texts.counted(orders):
        found += _leaning_most(counted, most)
        if done is not None:
            done(1 / len(orders))
    return tuple(sorted(found, key=lambda gain: (-gain.z, -gain.order, gain.words)))


def _leaning_most(counted: CountedNgrams, most: int) -> Iterator[NgramGain]:
    """Of one order the *most* n-grams that lean to either side; of equals by the alphabet."""
    ahead = counted.first_matches - counted.second_matches
    one, two = counted.total(ahead.clip(0)), counted.total((-ahead).clip(0))
    sums = [counted.wanted, counted.first_matches, counted.second_matches]
    totals = np.stack([*map(counted.total, sums), one, two], axis=1)
    apart = np.flatnonzero(one != two)
    lean = (one[apart] - two[apart]) / np.sqrt(one[apart] + two[apart])
    first, last = apart[np.argsort(-lean, kind="stable")], apart[np.argsort(lean, kind="stable")]
    ends = [*first[: min(most, int((lean > 0).sum()))], *last[: min(most, int((lean < 0).sum()))]]
    for number in map(int, ends):
        yield NgramGain(counted.words(number), *totals[number].tolist())
