"""Frozen records that every stage takes and returns."""

from rankwise.types.assessments import Assessments
from rankwise.types.judgments import Comparisons, Judgments, JudgmentsBuilder, Ranking
from rankwise.types.leaderboard import Leaderboard
from rankwise.types.scores import ScoreTable
from rankwise.types.testset import Segment, TestSet

__all__ = [
    "Assessments",
    "Comparisons",
    "Judgments",
    "JudgmentsBuilder",
    "Leaderboard",
    "Ranking",
    "ScoreTable",
    "Segment",
    "TestSet",
]
