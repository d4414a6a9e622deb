"""Measures of ranked lists written the slow, obvious way: pairs one by one, every order of ties."""

from collections import Counter
from itertools import combinations, permutations, product
from math import inf, isnan, log2


def complete(predicted, gold):
    """The items that both sides rank."""
    pairs = [
        (p, g) for p, g in zip(predicted, gold, strict=True) if p is not None and g is not None
    ]
    pairs = [(p, g) for p, g in pairs if not isnan(p) and not isnan(g)]
    return [p for p, _ in pairs], [g for _, g in pairs]


def normalised(ranks, ties):
    """Ranks from 1; None stays None."""
    present = [rank for rank in ranks if rank is not None]

    def rank_of(x):
        smaller, equal = sum(y < x for y in present), present.count(x)
        return {
            "minimize": len({y for y in present if y < x}) + 1,
            "floor": smaller + 1,
            "ceiling": smaller + equal,
            "middle": smaller + (equal + 1) / 2,
        }[ties]

    return [None if rank is None else rank_of(rank) for rank in ranks]


def sign(a, b):
    return (a > b) - (a < b)


def pair_counts(predicted, gold):
    """[C, D, tied in gold only, in predicted only, in both, items, distinct of each]."""
    predicted, gold = complete(predicted, gold)
    counts = Counter()
    for i, j in combinations(range(len(gold)), 2):
        p, g = sign(predicted[i], predicted[j]), sign(gold[i], gold[j])
        kind = "both" if p == g == 0 else "p" if p == 0 else "g" if g == 0 else p == g
        counts[kind] += 1
    kinds = (True, False, "g", "p", "both")
    distinct = len(set(predicted)), len(set(gold))
    return [*(counts[kind] for kind in kinds), len(gold), *distinct]


def tie_orders(predicted):
    """Every order of the items, best first, that breaks the ties of the prediction."""
    groups = [
        [i for i, p in enumerate(predicted) if p == value] for value in sorted(set(predicted))
    ]
    for order in product(*(permutations(group) for group in groups)):
        yield [item for group in order for item in group]


def over_orders(predicted, value, order):
    """The mean, smallest or largest value over the orders of ties."""
    values = [value(items) for items in tie_orders(predicted)]
    if order == "expected":
        return sum(values) / len(values)
    return min(values) if order == "worst" else max(values)


def reciprocal_rank(predicted, gold, ties, order):
    predicted, gold = complete(predicted, gold)
    best = [i for i, g in enumerate(gold) if g == min(gold)]
    if order == "ranked":
        ranks = normalised(predicted, ties)
        return 1 / min(ranks[i] for i in best)
    return over_orders(predicted, lambda items: 1 / (1 + min(items.index(i) for i in best)), order)


def relevances(gold, ties):
    return [len(gold) + 1 - rank for rank in normalised(gold, ties)]


def gains(gold, ties, kind):
    rel = relevances(gold, ties)
    return rel if kind == "linear" else [2**r - 1 for r in rel]


def discounted(values, k):
    return sum(gain / log2(place + 2) for place, gain in enumerate(values[:k]))


def dcg(predicted, gold, ties, order, k=None, kind="exponential"):
    predicted, gold = complete(predicted, gold)
    gain = gains(gold, ties, kind)
    return over_orders(predicted, lambda items: discounted([gain[i] for i in items], k), order)


def idcg(predicted, gold, ties, order, k=None, kind="exponential"):
    _, gold = complete(predicted, gold)
    return discounted(sorted(gains(gold, ties, kind), reverse=True), k)


def err(predicted, gold, ties, order, k=None, rel_max="items"):
    predicted, gold = complete(predicted, gold)
    rel = relevances(gold, ties)
    top = {"items": len(gold), "observed": max(rel, default=-inf)}.get(rel_max, rel_max)
    stop = [(2**r - 1) / 2**top for r in rel]

    def value(items):
        total, reached = 0.0, 1.0
        for place, item in enumerate(items[:k], 1):
            total += reached * stop[item] / place
            reached *= 1 - stop[item]
        return total

    return over_orders(predicted, value, order)


def best_ranks(predicted, gold, ties):
    """The gold ranks of the items predicted best."""
    predicted, gold = complete(predicted, gold)
    ranks = normalised(gold, ties)
    return [rank for rank, p in zip(ranks, predicted, strict=True) if p == min(predicted)]


def chosen(ranks, order):
    if order == "expected":
        return sum(ranks) / len(ranks)
    return max(ranks) if order == "worst" else min(ranks)
