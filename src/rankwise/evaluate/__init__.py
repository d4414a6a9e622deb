"""Compositions people repeat, still without I/O: score every system, compare with people."""

from rankwise.evaluate.people import Agreement, agreement_with_people
from rankwise.evaluate.scores import SystemScores, score_systems

__all__ = ["Agreement", "SystemScores", "agreement_with_people", "score_systems"]
