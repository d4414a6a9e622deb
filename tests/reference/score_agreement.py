"""Agreement of two tables of scores, slow and obvious: every pair and every draw looked at."""

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np


def sign(number):
    return int(number > 0) - int(number < 0)


def groups(values, starts):
    return [values[a:b].tolist() for a, b in pairwise(starts)]


def pair_counts(gold, metric, *, least=0.0, strict=False, epsilon=0.0):
    """C, D, ties in gold, metric and both, of one group."""
    counts = [0, 0, 0, 0, 0]
    for i, j in combinations(range(len(gold)), 2):
        dh, dm = gold[i] - gold[j], metric[i] - metric[j]
        if abs(dh) < least or (strict and abs(dh) == least):
            continue
        h, m = sign(dh), 0 if abs(dm) <= epsilon else sign(dm)
        if h == 0 or m == 0:
            counts[4 if h == m else 2 if h == 0 else 3] += 1
        else:
            counts[0 if h == m else 1] += 1
    return counts


def worth(gold_groups, metric_groups, weights, epsilon):
    """What the pairs judged right are worth when differences up to epsilon are ties."""
    total = 0
    for gold, metric, weight in zip(gold_groups, metric_groups, weights, strict=True):
        counts = pair_counts(gold, metric, epsilon=epsilon)
        total += weight * (counts[0] + counts[4])
    return total


def calibration(gold_groups, metric_groups, weights):
    """The worth at 0, the best worth, and the smallest threshold that has it."""
    thresholds = {0.0} | {
        abs(group[i] - group[j])
        for group in metric_groups
        for i, j in combinations(range(len(group)), 2)
    }
    found = {e: worth(gold_groups, metric_groups, weights, e) for e in sorted(thresholds)}
    best = max(found.values())
    return found[0.0], best, min(e for e, value in found.items() if value == best)


def agreement(kind, gold, metric):
    """The agreement of one group; nan where it is undefined."""
    if len(gold) < 2:
        return math.nan
    if kind == "pearson":
        return pearson(gold, metric)
    c, d, th, tm, thm = pair_counts(gold, metric)
    if kind == "accuracy":
        return (c + thm) / (c + d + th + tm + thm)
    scale = (c + d + th) * (c + d + tm)
    return (c - d) / math.sqrt(scale) if scale else math.nan


def pearson(x, y):
    x, y = ([Fraction(float(value)) for value in values] for values in (x, y))
    dx, dy = ([v - sum(values) / len(values) for v in values] for values in (x, y))
    xx, yy = sum(a * a for a in dx), sum(b * b for b in dy)
    if not xx or not yy:
        return math.nan
    xy = sum(a * b for a, b in zip(dx, dy, strict=True))
    return float(xy) / math.sqrt(float(xx)) / math.sqrt(float(yy))


def mean_agreement(kind, gold_groups, metric_groups):
    values = [agreement(kind, g, m) for g, m in zip(gold_groups, metric_groups, strict=True)]
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def mixtures(first, second, coins):
    """The two mixtures of every draw."""
    for row in coins:
        keeps = np.asarray(row) != 0
        yield np.where(keeps, first, second), np.where(keeps, second, first)


def soft_accuracy(gold, table):
    """SPA by the normal approximation; a nan among the p-values of gold leaves a pair out."""
    errors = []
    for (i, j), p in zip(combinations(range(len(table)), 2), gold, strict=True):
        if math.isnan(p):
            continue
        differences = [a - b for a, b in zip(table[i], table[j], strict=True)]
        differences = [d for d in differences if not math.isnan(d)]
        squares = sum(d * d for d in differences)
        tail = 0.5
        if squares > 1e-12 * sum(v * v for v in (*table[i], *table[j]) if not math.isnan(v)):
            tail = 0.5 * math.erfc(sum(differences) / math.sqrt(2 * squares))
        errors.append(abs(p - tail))
    return 1 - sum(errors) / len(errors)


def lifted_counts(excess, rounding):
    """Rows ``[above, not below]`` of every table and pair of systems."""
    counts = []
    for table in range(excess.shape[1]):
        for i, j in combinations(range(excess.shape[2]), 2):
            differences = [int(a) - int(b) for a, b in excess[:, table][:, [i, j]]]
            above = sum(d > rounding for d in differences)
            counts.append([above, sum(d >= -rounding for d in differences)])
    return counts
