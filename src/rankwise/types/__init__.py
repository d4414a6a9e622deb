"""Frozen records that every stage takes and returns; each is loaded when it is first used."""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.types.assessments import Assessments
    from rankwise.types.judgments import Comparisons, Judgments
    from rankwise.types.judgments_builder import JudgmentsBuilder
    from rankwise.types.leaderboard import Leaderboard
    from rankwise.types.ranking import Ranking
    from rankwise.types.ratings import Ratings
    from rankwise.types.score_table import ScoreTable
    from rankwise.types.testset import Segment, TestSet

__all__ = [
    "Assessments",
    "Comparisons",
    "Judgments",
    "JudgmentsBuilder",
    "Leaderboard",
    "Ranking",
    "Ratings",
    "ScoreTable",
    "Segment",
    "TestSet",
]

__getattr__ = loader(
    __name__,
    {
        "Assessments": "assessments",
        "Comparisons": "judgments",
        "Judgments": "judgments",
        "JudgmentsBuilder": "judgments_builder",
        "Leaderboard": "leaderboard",
        "Ranking": "ranking",
        "Ratings": "ratings",
        "ScoreTable": "score_table",
        "Segment": "testset",
        "TestSet": "testset",
    },
)
