"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.evaluate.learning_curves import Learner, LearningCurve, learning_curve
    from rankwise.evaluate.matrix import score_matrix
    from rankwise.evaluate.people import Agreement, agreement_with_people
    from rankwise.evaluate.scores import SystemScores, score_systems

__all__ = [
    "Agreement",
    "Learner",
    "LearningCurve",
    "SystemScores",
    "agreement_with_people",
    "learning_curve",
    "score_matrix",
    "score_systems",
]


__getattr__ = loader(
    __name__,
    {
        "Agreement": "people",
        "agreement_with_people": "people",
        "Learner": "learning_curves",
        "LearningCurve": "learning_curves",
        "learning_curve": "learning_curves",
        "score_matrix": "matrix",
        "SystemScores": "scores",
        "score_systems": "scores",
    },
)
