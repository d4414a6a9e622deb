"""Frozen records that every stage takes and returns."""

from rankwise.types.assessments import Assessments
from rankwise.types.judgments import Comparisons, Judgments
from rankwise.types.judgments_builder import JudgmentsBuilder
from rankwise.types.leaderboard import Leaderboard
from rankwise.types.ranking import Ranking
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
