"""RankBoost as the paper says it, one step at a time."""

import math
from itertools import pairwise


def fit(rows, better, worse, weight, rounds):
    """Steps (feature, threshold, height); all midpoints are tried."""
    total = sum(weight)
    share = [w / total for w in weight]
    steps = []
    for _ in range(rounds):
        best = (0.0, None, None)
        for feature in range(len(rows[0])):
            values = sorted({row[feature] for row in rows})
            for low, high in pairwise(values):
                threshold = low + (high - low) / 2
                r = sum(
                    d * ((rows[b][feature] > threshold) - (rows[w][feature] > threshold))
                    for d, b, w in zip(share, better, worse, strict=True)
                )
                if abs(r) > abs(best[0]) + 1e-12:
                    best = (r, feature, threshold)
        r, feature, threshold = best
        if feature is None:
            break
        limit = 1 - 1 / max(2, len(share))
        r = min(limit, max(-limit, r))
        height = 0.5 * math.log((1 + r) / (1 - r))
        share = [
            d
            * math.exp(-height * ((rows[b][feature] > threshold) - (rows[w][feature] > threshold)))
            for d, b, w in zip(share, better, worse, strict=True)
        ]
        total = sum(share)
        share = [d / total for d in share]
        steps.append((feature, threshold, height))
    return steps
