"""Evaluate machine translation as ranking.

Names are loaded when they are first used, so that ``import rankwise`` costs nothing.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rankwise.aggregate.asking.next_screens import next_comparisons
    from rankwise.agreement import list_measure, table_measure
    from rankwise.bulk import score_table
    from rankwise.bundled import example
    from rankwise.engine import Site
    from rankwise.errors import (
        ConvergenceError,
        DataError,
        MissingExtra,
        RankwiseError,
        StoreError,
    )
    from rankwise.evaluate import (
        agree,
        agreement_with_people,
        learn,
        rank,
        relative_rankings,
        score_systems,
    )
    from rankwise.evaluate.expected_scores import mbr
    from rankwise.evaluate.meta.study_meta import meta
    from rankwise.evaluate.ranking.judge_agreement import judge_agreement
    from rankwise.evaluate.score_study import score
    from rankwise.evaluate.scoreboard import Resampling, Scoreboard
    from rankwise.io import (
        convert,
        read_assessments,
        read_judgments,
        read_scores,
        read_study,
        read_testset,
        write_assessments,
        write_judgments,
        write_scores,
        write_testset,
    )
    from rankwise.metrics import metric
    from rankwise.present.report.whole_report import report
    from rankwise.text.trees.permutation import permutation_tree
    from rankwise.types import (
        Assessments,
        Comparisons,
        Judgments,
        Leaderboard,
        Ranking,
        ScoreTable,
        Segment,
        Study,
        TestSet,
    )
    from rankwise.types.sampling import sample, split

_HOME = {
    "Site": "engine",
    "Scoreboard": "evaluate.scoreboard",
    "Resampling": "evaluate.scoreboard",
    "judge_agreement": "evaluate.ranking.judge_agreement",
    "split": "types.sampling",
    "score": "evaluate.score_study",
    "sample": "types.sampling",
    "report": "present.report.whole_report",
    "mbr": "evaluate.expected_scores",
    "convert": "io",
    "next_comparisons": "aggregate.asking.next_screens",
    "rank": "evaluate",
    "list_measure": "agreement",
    "table_measure": "agreement",
    "score_table": "bulk",
    "example": "bundled",
    "ConvergenceError": "errors",
    "DataError": "errors",
    "MissingExtra": "errors",
    "RankwiseError": "errors",
    "StoreError": "errors",
    "agree": "evaluate",
    "agreement_with_people": "evaluate",
    "relative_rankings": "evaluate",
    "learn": "evaluate",
    "meta": "evaluate.meta.study_meta",
    "score_systems": "evaluate",
    "read_assessments": "io",
    "read_judgments": "io",
    "read_scores": "io",
    "read_study": "io",
    "read_testset": "io",
    "write_assessments": "io",
    "write_judgments": "io",
    "write_scores": "io",
    "write_testset": "io",
    "metric": "metrics",
    "permutation_tree": "text.trees.permutation",
    "Assessments": "types",
    "Comparisons": "types",
    "Judgments": "types",
    "Leaderboard": "types",
    "Ranking": "types",
    "ScoreTable": "types",
    "Segment": "types",
    "Study": "types",
    "TestSet": "types",
}

__all__ = [
    "Assessments",
    "Comparisons",
    "ConvergenceError",
    "DataError",
    "Judgments",
    "Leaderboard",
    "MissingExtra",
    "Ranking",
    "RankwiseError",
    "Resampling",
    "ScoreTable",
    "Scoreboard",
    "Segment",
    "Site",
    "StoreError",
    "Study",
    "TestSet",
    "__version__",
    "agree",
    "agreement_with_people",
    "convert",
    "example",
    "judge_agreement",
    "learn",
    "list_measure",
    "mbr",
    "meta",
    "metric",
    "next_comparisons",
    "permutation_tree",
    "rank",
    "read_assessments",
    "read_judgments",
    "read_scores",
    "read_study",
    "read_testset",
    "relative_rankings",
    "report",
    "sample",
    "score",
    "score_systems",
    "score_table",
    "split",
    "table_measure",
    "write_assessments",
    "write_judgments",
    "write_scores",
    "write_testset",
]


__getattr__ = loader(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
