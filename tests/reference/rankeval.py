"""RankEval's results in plain Python, list by list and pair by pair, its ways included."""

from itertools import combinations
from math import erfc, inf, log, sqrt


def ceiling(ranks):
    return [sum(y <= x for y in ranks) for x in ranks]


def dense(ranks):
    places = {value: place for place, value in enumerate(sorted(set(ranks)), 1)}
    return [places[x] for x in ranks]


def probability(tau, m):
    variance = (4 * m + 10) / (9 * m * (m - 1)) if m > 1 else 1
    return erfc(abs(tau) / sqrt(variance) / 1.4142136)


def tau(predicted, gold):
    """(tau or None, p or None, C, D, gold ties, predicted ties)."""
    concordant = discordant = gold_ties = predicted_ties = 0
    for (p, g), (q, h) in combinations(zip(predicted, gold, strict=True), 2):
        gold_ties += g == h
        predicted_ties += p == q
        if g == h:
            continue
        if (p < q and g < h) or (p > q and g > h):
            concordant += 1
        else:
            discordant += 1
    valid = concordant + discordant
    value = (concordant - discordant) / valid if valid else None
    p_value = probability(value, valid) if valid else None
    return value, p_value, concordant, discordant, gold_ties, predicted_ties


def ndcg_and_err(predicted, gold, k):
    n = len(gold)
    slots = [0.0] * n
    for place, rank in zip(ceiling(predicted), ceiling(gold), strict=True):
        slots[place - 1] = (2 ** (n - rank + 1) - 1) / 2**n
    err, reached = 0.0, 1.0
    for place, gain in enumerate(slots, 1):
        err += reached * gain / place
        reached *= 1 - gain

    def cumulated(gains):
        return sum(gain / log(place + 1) for place, gain in enumerate(gains[:k], 1))

    return cumulated(slots) / cumulated(sorted(slots, reverse=True)), err


def first_gold_rank(predicted, gold):
    """The worst gold rank of the items predicted best."""
    best = min(predicted)
    return max(g for p, g in zip(predicted, gold, strict=True) if p == best)


def reciprocal_rank(predicted, gold):
    places, best = ceiling(predicted), min(gold)
    return 1 / min((p for p, g in zip(places, gold, strict=True) if g == best), default=inf)


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def allmetrics(predicted, gold):
    """Results by RankEval's names; every list must have items and some list a pair that counts."""
    lists = list(zip(predicted, gold, strict=True))
    taus = [tau(*pair) for pair in lists]
    concordant, discordant = (sum(t[i] for t in taus) for i in (2, 3))
    used = [t for t in taus if t[0] and t[1]]
    product = 1.0
    for t in used:
        product *= t[1]
    pairs = sum(len(g) * (len(g) - 1) // 2 for g in gold)
    with_ties = sum(t[5] > 0 for t in taus)
    cuts = [ndcg_and_err(p, g, len(gold[0])) for p, g in lists]
    firsts = [first_gold_rank(p, dense(g)) for p, g in lists]
    value = (concordant - discordant) / (concordant + discordant)
    return {
        "tau": value,
        "tau_prob": probability(value, concordant + discordant),
        "tau_avg_seg": mean([t[0] for t in used]),
        "tau_avg_seg_prob": product,
        "tau_concordant": concordant,
        "tau_discordant": discordant,
        "tau_valid_pairs": concordant + discordant,
        "tau_all_pairs": pairs,
        "tau_original_ties": sum(t[4] for t in taus),
        "tau_predicted_ties": sum(t[5] for t in taus),
        "tau_predicted_ties_per": 100 * taus[-1][5] / pairs,
        "tau_sentence_ties": with_ties,
        "tau_sentence_ties_per": 100 * with_ties / len(gold[-1]),
        "mrr": mean([reciprocal_rank(p, g) for p, g in lists]),
        "avg_predicted_ranked": mean([first_gold_rank(p, ceiling(g)) for p, g in lists]),
        "ndgc": mean([cut[0] for cut in cuts]),
        "err": mean([cut[1] for cut in cuts]),
        **{f"bph_{float(r)}": 100 * firsts.count(r) / len(lists) for r in sorted(set(firsts))},
    }
