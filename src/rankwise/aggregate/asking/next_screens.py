"""What to ask next: screens for the judges, chosen from what the judgments so far leave open."""

from collections.abc import Iterable, Sequence

import numpy as np

from rankwise.aggregate.asking.coverage import Coverage
from rankwise.aggregate.asking.posterior import Evidence, Posterior, posterior, unjudged
from rankwise.aggregate.asking.strategies import STRATEGIES, Strategy
from rankwise.errors import DataError
from rankwise.types import Judgments, TestSet
from rankwise.types.judging.screen import Screen
from rankwise.types.named import parse

#: The most systems that a screen may hold.
WIDEST = 8
#: The most systems to choose from: what every two of them say about a third takes seconds then.
#: A strategy that only draws takes more, for which two numbers of every pair are held.
MOST_SYSTEMS, MOST_DRAWN = 1000, 2000


def next_comparisons(
    judgments: Judgments | None = None,
    k: int = 5,
    count: int = 10,
    seed: int = 1,
    strategy: str | Strategy = "clusters",
    *,
    systems: Sequence[str] | None = None,
    segments: Sequence[str] | None = None,
    testset: TestSet | None = None,
    pending: Iterable[Screen] = (),
    floor: int = 3,
) -> list[Screen]:
    """*count* screens of *k* systems to ask for next, the most useful first.

    *strategy* is one of ``STRATEGIES``, or its name with options, such as ``"paper:scale=5"``. The
    systems and segments are those given, else those of *testset*, else those of *judgments* (which
    may be ``None``: then everything is still to be asked).

    Screens *pending*, asked for but not answered yet, and the earlier ones of the same call count
    as expected answers: their doubt is gone, their outcome is open. So many judges can be served
    at once, and a batch does not ask one thing again and again.

    The floor: until every system has been on *floor* screens, the screen begins with the systems
    seen least. Every screen takes a segment among those shown least, so that all are covered
    alike. With a *testset*, systems whose output is missing or the same are not shown together
    while another segment tells them apart. The same arguments and seed give the same screens.

    >>> [screen.systems for screen in next_comparisons(None, 2, 2, systems=["A", "B", "C", "D"])]
    [('A', 'C'), ('B', 'D')]
    """
    chosen = parse(strategy, STRATEGIES) if isinstance(strategy, str) else strategy
    names = systems_to_ask(judgments, systems, testset)
    _check(names, k, count, floor, chosen)
    _check_languages(judgments)
    random = np.random.default_rng(seed)
    waiting = [_numbers(screen, names) for screen in pending]
    # a strategy that does not look at what is known gets what was known before any judgment
    reads = chosen.reads_known
    known = posterior(Evidence.of(judgments, names)) if reads else unjudged(names)
    coverage = Coverage(names, _segments(judgments, segments, testset), testset, random)
    coverage.count_judgments(judgments)
    if reads:
        known = known.expecting_screens(numbers for _, numbers in waiting)
    for screen, numbers in waiting:
        coverage.count_screen(numbers, screen.segment)
    found = []
    for _ in range(count):
        least = coverage.least_seen(k, floor)
        numbers = least or chosen.screen(known, k, _anything(known), random)
        chance = None if least else chosen.chance(known, numbers)
        segment = coverage.segment(numbers)
        if reads:
            known = known.expecting_screens([numbers])
        coverage.count_screen(numbers, segment)
        shown = random.permutation(sorted(numbers)).tolist() if k > 2 else sorted(numbers)
        found.append(Screen(tuple(names[number] for number in shown), segment, chance))
    return found


def systems_to_ask(
    judgments: Judgments | None, systems: Sequence[str] | None, testset: TestSet | None
) -> tuple[str, ...]:
    """The systems given, else those of *testset*, else those of *judgments*."""
    if systems is not None:
        return tuple(dict.fromkeys(systems))
    if testset is not None:
        return testset.systems
    return judgments.systems if judgments is not None else ()


def _segments(
    judgments: Judgments | None, segments: Sequence[str] | None, testset: TestSet | None
) -> tuple[str, ...]:
    if segments is not None:
        return tuple(dict.fromkeys(segments))
    if testset is not None:
        return tuple(segment.id for segment in testset.segments)
    return judgments.segments if judgments is not None else ()


def _check(names: Sequence[str], k: int, count: int, floor: int, chosen: Strategy) -> None:
    most = MOST_SYSTEMS if chosen.reads_known else MOST_DRAWN
    if not 2 <= k <= WIDEST:
        raise DataError(f"screens of {k} systems; expected 2 to {WIDEST}")
    if len(names) < k:
        raise DataError(f"screens of {k} systems are asked for, but there are {len(names)} systems")
    if len(names) > most:
        raise DataError(
            f"there are {len(names):,} systems; screens are chosen among up to {most:,}"
        )
    if count < 0 or floor < 0:
        raise DataError(f"{min(count, floor)} screens are asked for; expected 0 or more")


def _check_languages(judgments: Judgments | None) -> None:
    found = () if judgments is None else np.unique(judgments.language)
    if judgments is not None and len(found) > 1:
        pairs = ", ".join("-".join(judgments.languages[code]) for code in found)
        raise DataError(f"the judgments hold {len(found)} language pairs ({pairs}); expected one")


def _numbers(screen: Screen, names: tuple[str, ...]) -> tuple[Screen, tuple[int, ...]]:
    unknown = [name for name in screen.systems if name not in names]
    if unknown:
        raise DataError(f"a pending screen shows {unknown[0]!r}, which is none of the systems")
    return screen, tuple(names.index(name) for name in screen.systems)


def _anything(known: Posterior) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return ~np.eye(len(known), dtype=np.bool_)
