"""What the order of outputs on a screen did to rankings: position bias, orders, repeats.

It is counted over any rankings whose systems stand in the order in which they were shown, as those
of a model do. Where that order was drawn at random, no place should win more than another.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

from rankwise.types import Assessments, Judgments, Ranking
from rankwise.types.shown import Shown

#: A pair of texts on a screen: the places of the two, and +1, 0 or -1 for the one shown first.
_Pair = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CountedShare:
    """How many of how many, with an interval; nan where there are none."""

    count: float
    total: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.total if self.total else float("nan")


@dataclass(frozen=True, slots=True)
class OrderEffects(Shown):
    """How the order of outputs shows in rankings.

    ``places[p]`` is how often the output at place p + 1 was preferred, among all comparisons with
    others of its screen that were no ties: .5 where the place does not matter. ``swapped`` is how
    often two texts, compared again in the other order, were judged alike, and ``repeated`` the
    same for the same order: a judge's consistency.
    """

    places: tuple[CountedShare, ...]
    swapped: CountedShare
    repeated: CountedShare
    level: float

    def __repr__(self) -> str:
        """How often the first place was preferred, in one line."""
        first = self.places[0].value if self.places else float("nan")
        return f"<OrderEffects: first place preferred {first:.3f}>"


def order_effects(judgments: Judgments, *, level: float = 0.95) -> OrderEffects:
    """Position bias and consistency of *judgments*, each with an interval of that *level*.

    Intervals are Wilson's, with as many observations as the comparisons are worth: those of one
    segment are not independent, so their number is divided by the design effect over segments
    (or is that of the segments, where all agree). Systems that shared a text are one text.

    >>> seen = [Ranking("1", "m", ("A", "B"), (1, 2)), Ranking("1", "m", ("B", "A"), (1, 2))]
    >>> found = order_effects(Judgments.from_rankings(seen))
    >>> found.places[0].value, found.swapped.value
    (1.0, 0.0)
    """
    looks = [(ranking, _pairs(ranking)) for ranking in judgments if not ranking.is_skipped]
    widest = max((place for _, pairs in looks for _, place, _ in pairs), default=-1) + 1
    places = tuple(_share(_place_wins(looks, place), level) for place in range(widest))
    swapped, repeated = _comparisons(looks)
    return OrderEffects(places, _share(swapped, level), _share(repeated, level), level)


@dataclass(frozen=True, slots=True)
class RepeatedValues:
    """Values that one judge gave to one output more than once.

    ``alike`` is the share of pairs of them that are equal, ``difference`` how far the two of a pair
    are apart in the mean; nan where nothing was repeated.
    """

    alike: CountedShare
    difference: float


def repeated_values(assessments: Assessments, *, level: float = 0.95) -> RepeatedValues:
    """How far judges give the same value to the same output again; nan values are left out.

    >>> rows = [("A", "1", "m", role, value) for role, value in (("TGT", 70), ("REPEAT", 80))]
    >>> repeated_values(Assessments.from_rows(rows)).difference
    10.0
    """
    seen: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for system, segment, judge, _, value in assessments.rows():
        if value == value:
            seen[segment, judge, system].append(value)
    alike: _Counts = {}
    apart: list[float] = []
    for (segment, *_), values in seen.items():
        pairs = list(combinations(values, 2))
        _count(alike, segment, (a == b for a, b in pairs))
        apart += [abs(a - b) for a, b in pairs]
    mean = sum(apart) / len(apart) if apart else float("nan")
    return RepeatedValues(_share(alike, level), mean)


def _pairs(ranking: Ranking) -> list[_Pair]:
    """Every two ranked texts of a screen."""
    ranks = ranking.collapsed().ranks
    return [
        (first, second, (a < b) - (a > b))
        for (first, a), (second, b) in combinations(enumerate(ranks), 2)
        if a is not None and b is not None
    ]


#: What is counted, by segment: how many of how many.
_Counts = dict[str, tuple[float, int]]


def _place_wins(looks: Iterable[tuple[Ranking, Sequence[_Pair]]], place: int) -> _Counts:
    """Wins of the output at *place*, and its comparisons that were no ties, by segment."""
    found: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for ranking, pairs in looks:
        for first, second, sign in pairs:
            if sign and place in (first, second):
                won, total = found[ranking.segment]
                is_won = (sign > 0) == (first == place)
                found[ranking.segment] = (won + is_won, total + 1)
    return found


def _comparisons(looks: Iterable[tuple[Ranking, Sequence[_Pair]]]) -> tuple[_Counts, _Counts]:
    """Pairs of looks of one judge at the same two texts that agree: in other and in the same order.

    Of n looks at two texts in one order and m in the other, n m pairs are swapped and the rest
    repeated.
    """
    seen: dict[tuple[str, str, str, str], list[int]] = defaultdict(list)
    for ranking, pairs in looks:
        names = ranking.collapsed().systems
        for one, other, sign in pairs:
            seen[ranking.segment, ranking.judge, names[one], names[other]].append(sign)
    swapped: _Counts = defaultdict(lambda: (0.0, 0))
    repeated: _Counts = defaultdict(lambda: (0.0, 0))
    for (segment, judge, first, second), signs in seen.items():
        _count(repeated, segment, (a == b for a, b in combinations(signs, 2)))
        others = seen.get((segment, judge, second, first), ()) if first < second else ()
        _count(swapped, segment, (a == -b for a in signs for b in others))
    return swapped, repeated


def _count(counts: _Counts, segment: str, alike: Iterable[bool]) -> None:
    said = list(alike)
    if said:
        count, total = counts.get(segment, (0.0, 0))
        counts[segment] = (count + sum(said), total + len(said))


def _share(counts: _Counts, level: float) -> CountedShare:
    count, total = (
        (sum(cells) for cells in zip(*counts.values(), strict=True)) if counts else (0, 0)
    )
    if not total:
        return CountedShare(0, 0, float("nan"), float("nan"))
    share = count / total
    worth = _worth(counts, share, total)
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    reach = share * (1 - share) / worth + z * z / (4 * worth * worth)
    half = z * math.sqrt(reach) / (1 + z * z / worth)
    return CountedShare(count, total, max(0.0, middle - half), min(1.0, middle + half))


def _worth(counts: _Counts, share: float, total: float) -> float:
    """How many independent comparisons those of all segments are worth, at most all of them."""
    segments = len(counts)
    spread = sum((won - share * seen) ** 2 for won, seen in counts.values())
    if segments < 2 or share in (0, 1):
        return float(segments)
    if spread == 0:
        return float(total)
    variance = spread * segments / (segments - 1) / total**2
    return min(float(total), share * (1 - share) / variance)
