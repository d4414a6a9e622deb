"""Frozen records that every stage takes and returns; each is loaded when it is first used."""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

if TYPE_CHECKING:
    from rankwise.types.judging.assessments import Assessments as Assessments
    from rankwise.types.judging.judgments import Comparisons as Comparisons
    from rankwise.types.judging.judgments import Judgments as Judgments
    from rankwise.types.judging.judgments_builder import JudgmentsBuilder as JudgmentsBuilder
    from rankwise.types.judging.ranking import Ranking as Ranking
    from rankwise.types.leaderboard import Leaderboard as Leaderboard
    from rankwise.types.ratings import Ratings as Ratings
    from rankwise.types.score_table import LevelScores as LevelScores
    from rankwise.types.score_table import ScoreTable as ScoreTable
    from rankwise.types.study_record import Study as Study
    from rankwise.types.testset import Segment as Segment
    from rankwise.types.testset import TestSet as TestSet
else:
    __getattr__, __dir__ = lazy_names(__name__)
