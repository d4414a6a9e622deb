"""Linear regression on scalar human judgments."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.examples import Examples
from rankwise.learning.learners.learner_class import (
    Learner,
    check_option,
    checked_scores,
    one_thread,
    scikit_learn,
    standardisation,
)
from rankwise.learning.scorers import LinearScorer


@dataclass(frozen=True)
class SupportVectorRegression(Learner):
    r"""A linear function near the human scores, errors below *tube* free.

    .. math:: \min_{w, b} \tfrac12 \|w\|^2
              + C \sum_i \max(0, |y_i - w \cdot x_i - b| - \text{tube})^2

    with C = 1000 *cost* / n for n scores. Scores and features are standardised. Drucker et al.
    (1996), NIPS.
    """

    name: ClassVar[str] = "svr"
    cost: float = 1.0
    tube: float = 0.1

    def __post_init__(self) -> None:
        check_option(self, "cost", low=1e-9, high=1e6)
        check_option(self, "tube", low=0.0, high=1e6)

    def fit(self, examples: Examples, *, seed: int = 1) -> LinearScorer:
        """The weights, by liblinear in the primal."""
        known = checked_scores(examples)
        svm = scikit_learn("svm").LinearSVR(
            C=self.cost * 1000 / known.sum(),
            epsilon=self.tube,
            loss="squared_epsilon_insensitive",
            dual=False,
            random_state=seed % 2**32,
            max_iter=10_000,
        )
        return _fit_scores(svm, examples)


@dataclass(frozen=True)
class Ridge(Learner):
    r"""Least squares with a penalty on the weights.

    .. math:: \min_{w, b} \sum_i (y_i - w \cdot x_i - b)^2 / n + \lambda \|w\|^2

    Scores and features are standardised. Hoerl and Kennard (1970), Technometrics.
    """

    name: ClassVar[str] = "ridge"
    penalty: float = 0.001

    def __post_init__(self) -> None:
        check_option(self, "penalty", low=0.0, high=1e6)

    def fit(self, examples: Examples, *, seed: int = 1) -> LinearScorer:
        """The weights, in closed form."""
        del seed
        known = checked_scores(examples)
        model = scikit_learn("linear_model").Ridge(alpha=self.penalty * int(known.sum()))
        return _fit_scores(model, examples)


def _fit_scores(regression: Any, examples: Examples) -> LinearScorer:
    known = checked_scores(examples)
    rows, human = examples.rows[known], examples.human[known]
    centre, scale = standardisation(rows)
    deviation = human.std()
    if not deviation > 0:
        raise DataError("all human scores are equal; expected scores that differ")
    with one_thread():
        regression.fit((rows - centre) / scale, (human - human.mean()) / deviation)
    return LinearScorer(np.asarray(regression.coef_, np.float64).ravel(), centre, scale)
