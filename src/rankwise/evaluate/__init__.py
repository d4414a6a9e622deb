"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.evaluate.matrix import score_matrix
    from rankwise.evaluate.meta_evaluation import MetaEvaluation, evaluate_metrics
    from rankwise.evaluate.people import Agreement, agreement_with_people
    from rankwise.evaluate.scores import SystemScores, score_systems
    from rankwise.evaluate.scores_to_rankings import relative_rankings

__all__ = [
    "Agreement",
    "MetaEvaluation",
    "SystemScores",
    "agreement_with_people",
    "evaluate_metrics",
    "relative_rankings",
    "score_matrix",
    "score_systems",
]


__getattr__ = loader(
    __name__,
    {
        "Agreement": "people",
        "agreement_with_people": "people",
        "MetaEvaluation": "meta_evaluation",
        "evaluate_metrics": "meta_evaluation",
        "relative_rankings": "scores_to_rankings",
        "score_matrix": "matrix",
        "SystemScores": "scores",
        "score_systems": "scores",
    },
)
