"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.evaluate.expected_scores import score_matrix
    from rankwise.evaluate.list_agreement import (
        ListAgreement,
        ListResult,
        agree,
        agree_in_blocks,
        compare_lists,
    )
    from rankwise.evaluate.meta.against_people import Agreement, agreement_with_people
    from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation, evaluate_metrics
    from rankwise.evaluate.metric_learning.learned import Learned, learn
    from rankwise.evaluate.ranking.prediction_curves import (
        CurveLearner,
        LearningCurve,
        learning_curve,
    )
    from rankwise.evaluate.ranking.scores_to_rankings import relative_rankings
    from rankwise.evaluate.ranking.spread_ranking import rank
    from rankwise.evaluate.system_leads import with_lead
    from rankwise.evaluate.system_scores import SystemScores, score_systems

__all__ = [
    "Agreement",
    "CurveLearner",
    "Learned",
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
        "Agreement": "meta.against_people",
        "agreement_with_people": "meta.against_people",
        "Learned": "metric_learning.learned",
        "learn": "metric_learning.learned",
        "CurveLearner": "ranking.prediction_curves",
        "LearningCurve": "ranking.prediction_curves",
        "learning_curve": "ranking.prediction_curves",
        "ListAgreement": "list_agreement",
        "ListResult": "list_agreement",
        "agree": "list_agreement",
        "agree_in_blocks": "list_agreement",
        "compare_lists": "list_agreement",
        "MetaEvaluation": "meta.meta_evaluation",
        "evaluate_metrics": "meta.meta_evaluation",
        "rank": "ranking.spread_ranking",
        "relative_rankings": "ranking.scores_to_rankings",
        "score_matrix": "expected_scores",
        "SystemScores": "system_scores",
        "score_systems": "system_scores",
        "with_lead": "system_leads",
    },
)
