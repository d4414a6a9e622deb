"""Expected Wins and its counts written the slow, obvious way."""

from fractions import Fraction
from itertools import combinations


def outcomes(rankings):
    """(winner, loser) pairs and tied pairs of rankings [(system, rank or None), ...]."""
    wins, ties = [], []
    for ranking in rankings:
        for (one, first), (other, second) in combinations(ranking, 2):
            if first is None or second is None:
                continue
            if first == second:
                ties += [(one, other), (other, one)]
            else:
                wins.append((one, other) if first < second else (other, one))
    return wins, ties


def expected_wins(rankings, variant):
    """Score by system, for systems with a comparison."""
    wins, ties = outcomes(rankings)
    systems = sorted({name for pair in wins + ties for name in pair})
    scores = {}
    for system in systems:
        if variant == "wmt11":
            won = sum(pair[0] == system for pair in wins)
            lost = sum(pair[1] == system for pair in wins)
            tied = sum(pair[0] == system for pair in ties)
            scores[system] = Fraction(won + tied, won + tied + lost)
            continue
        total = Fraction(0)
        for other in systems:
            won, lost = wins.count((system, other)), wins.count((other, system))
            total += Fraction(won, won + lost) if won + lost else 0
        scores[system] = total / (len(systems) - 1)
    return scores
