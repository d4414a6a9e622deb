"""BLEU of one row as sacreBLEU 2.6 writes it down, with Python's own functions."""

import math


def score(hyp_len, ref_len, percents):
    if not any(percents):
        return 0.0
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - ref_len / hyp_len) if hyp_len > 0 else 0.0
    logarithms = [math.log(percent) if percent else -9999999999 for percent in percents]
    return penalty * math.exp(sum(logarithms) / len(logarithms))
