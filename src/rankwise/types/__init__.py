"""Frozen records that every stage takes and returns; each is loaded when it is first used."""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.types.judging.assessments import Assessments
    from rankwise.types.judging.judgments import Comparisons, Judgments
    from rankwise.types.judging.judgments_builder import JudgmentsBuilder
    from rankwise.types.judging.ranking import Ranking
    from rankwise.types.leaderboard import Leaderboard
    from rankwise.types.ratings import Ratings
    from rankwise.types.score_table import LevelScores, ScoreTable
    from rankwise.types.study_record import Study
    from rankwise.types.testset import Segment, TestSet

__all__ = [
    "Assessments",
    "Comparisons",
    "Judgments",
    "JudgmentsBuilder",
    "Leaderboard",
    "LevelScores",
    "Ranking",
    "Ratings",
    "ScoreTable",
    "Segment",
    "Study",
    "TestSet",
]

__getattr__ = loader(
    __name__,
    {
        "Assessments": "judging.assessments",
        "Comparisons": "judging.judgments",
        "Judgments": "judging.judgments",
        "JudgmentsBuilder": "judging.judgments_builder",
        "Leaderboard": "leaderboard",
        "LevelScores": "score_table",
        "Ranking": "judging.ranking",
        "Ratings": "ratings",
        "ScoreTable": "score_table",
        "Segment": "testset",
        "Study": "study_record",
        "TestSet": "testset",
    },
)
