"""Agreement of judges written the slow, obvious way: every pair of labels is looked at."""

from collections import defaultdict
from itertools import combinations


def labelled(rankings, *, mirrored):
    """(language, segment, text, text) -> [(judge, outcome)], from rankings of whole texts."""
    items = defaultdict(list)
    for ranking in rankings:
        place = (ranking.source_language, ranking.target_language, ranking.segment)
        shown = zip(ranking.systems, ranking.ranks, strict=True)
        known = [pair for pair in shown if pair[1] is not None]
        for (one, first), (other, second) in combinations(known, 2):
            outcome = (first < second) - (first > second)
            if mirrored:
                one, other = ("+".join(sorted(name.split("+"))) for name in (one, other))
                if one > other:
                    one, other, outcome = other, one, -outcome
            items[(*place, one, other)].append((ranking.judge, outcome))
    return items


def inter(items, *, own):
    """Identical, comparable, ties, labels over all items."""
    identical = comparable = 0
    for given in items.values():
        for (one, first), (other, second) in combinations(given, 2):
            if own or one != other:
                comparable += 1
                identical += first == second
    every = [outcome for given in items.values() for _, outcome in given]
    return identical, comparable, every.count(0), len(every)


def intra(items):
    """The same for judges who repeat an item; ties and labels only where one does."""
    blocks = defaultdict(list)
    for item, given in items.items():
        by_judge = defaultdict(list)
        for judge, outcome in given:
            by_judge[judge].append(outcome)
        for judge, outcomes in by_judge.items():
            blocks[(item[:3], judge)].append(outcomes)
    found = [0, 0, 0, 0]
    for lists in blocks.values():
        if all(len(outcomes) < 2 for outcomes in lists):
            continue
        for outcomes in lists:
            pairs = list(combinations(outcomes, 2))
            found[0] += sum(first == second for first, second in pairs)
            found[1] += len(pairs)
            found[2] += outcomes.count(0)
            found[3] += len(outcomes)
    return tuple(found)


def with_judge(items, name):
    """Identical and comparable pairs of a label by *name* and one by another judge."""
    identical = comparable = 0
    for given in items.values():
        for (one, first), (other, second) in combinations(given, 2):
            if one != other and name in (one, other):
                comparable += 1
                identical += first == second
    return identical, comparable
