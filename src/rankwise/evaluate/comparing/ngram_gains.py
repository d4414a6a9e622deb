"""Which n-grams of the references one system gets and the other does not."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

from rankwise.evaluate.comparing.counted_texts import Ngram, PairTexts
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
    for order in orders:
        chosen = _leaning_most(_alone(texts, order), most)
        totals = _totals(texts, order, set(chosen))
        found += [NgramGain(words, *totals[words], *alone) for words, alone in chosen.items()]
        if done is not None:
            done(1 / len(orders))
    return tuple(sorted(found, key=lambda gain: (-gain.z, -gain.order, gain.words)))


def _alone(texts: PairTexts, order: int) -> tuple[Counter[Ngram], Counter[Ngram]]:
    """Matches that only one of the systems has, of the first and of the second."""
    one: Counter[Ngram] = Counter()
    two: Counter[Ngram] = Counter()
    for first, second, wanted in texts.counted(order):
        if first == second:
            continue
        for words in first.keys() & wanted.keys() | second.keys() & wanted.keys():
            ahead = min(first[words], wanted[words]) - min(second[words], wanted[words])
            if ahead > 0:
                one[words] += ahead
            elif ahead < 0:
                two[words] -= ahead
    return one, two


def _leaning_most(
    alone: tuple[Counter[Ngram], Counter[Ngram]], most: int
) -> dict[Ngram, tuple[int, int]]:
    one, two = alone
    lean = {words: leaning(one[words], two[words]) for words in one.keys() | two.keys()}
    first = nsmallest(most, one, key=lambda words: (-lean[words], words))
    last = nsmallest(most, two, key=lambda words: (lean[words], words))
    ends = [words for words in first if lean[words] > 0]
    ends += [words for words in last if lean[words] < 0]
    return {words: (one[words], two[words]) for words in ends}


def _totals(texts: PairTexts, order: int, chosen: set[Ngram]) -> dict[Ngram, tuple[int, int, int]]:
    """How often the references have the chosen n-grams, and how often each system matches them."""
    counts = {words: [0, 0, 0] for words in chosen}
    for first, second, wanted in texts.counted(order):
        for words in chosen & wanted.keys():
            total, limit = counts[words], wanted[words]
            total[0] += limit
            total[1] += min(first[words], limit)
            total[2] += min(second[words], limit)
    return {words: (a, b, c) for words, (a, b, c) in counts.items()}
