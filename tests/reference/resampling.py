"""Resampling written the slow, obvious way: every draw is there at once, sums are Python's."""

from fractions import Fraction

import numpy as np


def bootstrap_sums(rows, samples, seed):
    """rows[i][c] -> sums[r][c], with the draws of sacreBLEU."""
    draws = np.random.default_rng(seed).choice(len(rows), size=(samples, len(rows)), replace=True)
    return [[sum(rows[i][c] for i in draw) for c in range(len(rows[0]))] for draw in draws.tolist()]


def coin_sums(rows, samples, seed):
    """rows[i][c] -> sums[r][c] over the rows with heads, with the coins of sacreBLEU."""
    coins = np.random.default_rng(seed).integers(2, size=(samples, len(rows)), dtype=bool)
    return [
        [sum(row[c] for row, heads in zip(rows, coin, strict=True) if heads) for c in columns]
        for coin in coins.tolist()
        for columns in [range(len(rows[0]))]
    ]


def mean(total):
    """The score of a sum of rows [score, 1]."""
    return Fraction(total[0]) / Fraction(total[1])


def paired_bootstrap(left, right, samples, seed):
    """The p-values of two systems' rows [score, 1], ours and sacreBLEU's: the least and most.

    They differ by the resamples that equal the limit, of which floats may see some on either side.
    """
    lefts, rights = (bootstrap_sums(rows, samples, seed) for rows in (left, right))
    differences = [mean(b) - mean(a) for a, b in zip(lefts, rights, strict=True)]
    observed = mean(_total(right)) - mean(_total(left))
    average = sum(map(abs, differences)) / samples
    if not observed and not any(differences):
        return [(1.0, 1.0)] * 2
    found = []
    for distances in (
        [abs(d - observed) for d in differences],
        [abs(d) - average for d in differences],
    ):
        above = sum(d > abs(observed) for d in distances)
        equal = sum(d == abs(observed) for d in distances)
        found.append(((1 + above) / (1 + samples), (1 + above + equal) / (1 + samples)))
    return found


def paired_randomisation(left, right, samples, seed, inclusive):
    """The p-value of two systems' rows [score, 1]."""
    coins = np.random.default_rng(seed).integers(2, size=(samples, len(left)), dtype=bool)
    observed = abs(mean(_total(right)) - mean(_total(left)))
    shuffled = []
    for coin in coins.tolist():
        pairs = [(b, a) if heads else (a, b) for a, b, heads in zip(left, right, coin, strict=True)]
        first, second = ([pair[side] for pair in pairs] for side in (0, 1))
        shuffled.append(abs(mean(_total(second)) - mean(_total(first))))
    if observed == 0 and not any(shuffled):
        return 1.0
    extreme = sum(d > observed or (inclusive and d == observed) for d in shuffled)
    return (1 + extreme) / (1 + samples)


def rank_ranges(runs, cut):
    """runs[r][s] -> (lowest rank, highest rank) per system after cutting runs at both ends."""
    ranges = []
    for system in range(len(runs[0])):
        best = sorted(1 + sum(other > run[system] for other in run) for run in runs)
        worst = sorted(sum(other >= run[system] for other in run) for run in runs)
        ranges.append((best[cut], worst[len(runs) - 1 - cut]))
    return ranges


def clusters(ranges):
    """Cluster numbers of systems given best first: cut wherever no range reaches across."""
    numbers, number = [], 1
    for position in range(len(ranges)):
        above, below = ranges[:position], ranges[position:]
        if above and all(a[1] < b[0] for a in above for b in below):
            number += 1
        numbers.append(number)
    return numbers


def group_counts(groups, width, samples, seed):
    """groups[g] is a list of cells -> counts[r][cell] over groups drawn with replacement."""
    draws = np.random.default_rng(seed).choice(len(groups), size=(samples, len(groups)))
    counts = []
    for draw in draws.tolist():
        count = [0] * width
        for group in draw:
            for cell in groups[group]:
                count[cell] += 1
        counts.append(count)
    return counts


def _total(rows):
    return [sum(row[c] for row in rows) for c in range(len(rows[0]))]
