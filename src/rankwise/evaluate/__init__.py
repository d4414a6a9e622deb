"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.evaluate.learned import Learned, learn
    from rankwise.evaluate.learning_curves import Learner, LearningCurve, learning_curve
    from rankwise.evaluate.matrix import score_matrix
    from rankwise.evaluate.meta_evaluation import MetaEvaluation, evaluate_metrics
    from rankwise.evaluate.people import Agreement, agreement_with_people
    from rankwise.evaluate.ranked_lists import (
        ListAgreement,
        ListResult,
        agree,
        agree_in_blocks,
        compare_lists,
    )
    from rankwise.evaluate.ranked_runs import rank
    from rankwise.evaluate.scores import SystemScores, score_systems
    from rankwise.evaluate.scores_to_rankings import relative_rankings
    from rankwise.evaluate.set_scores import with_lead

__all__ = [
    "Agreement",
    "Learned",
    "Learner",
    "LearningCurve",
    "ListAgreement",
    "ListResult",
    "MetaEvaluation",
    "SystemScores",
    "agree",
    "agree_in_blocks",
    "agreement_with_people",
    "compare_lists",
    "evaluate_metrics",
    "learn",
    "learning_curve",
    "rank",
    "relative_rankings",
    "score_matrix",
    "score_systems",
    "with_lead",
]


__getattr__ = loader(
    __name__,
    {
        "Agreement": "people",
        "agreement_with_people": "people",
        "Learned": "learned",
        "learn": "learned",
        "Learner": "learning_curves",
        "LearningCurve": "learning_curves",
        "learning_curve": "learning_curves",
        "ListAgreement": "ranked_lists",
        "ListResult": "ranked_lists",
        "agree": "ranked_lists",
        "agree_in_blocks": "ranked_lists",
        "compare_lists": "ranked_lists",
        "MetaEvaluation": "meta_evaluation",
        "evaluate_metrics": "meta_evaluation",
        "rank": "ranked_runs",
        "relative_rankings": "scores_to_rankings",
        "score_matrix": "matrix",
        "SystemScores": "scores",
        "score_systems": "scores",
        "with_lead": "set_scores",
    },
)
