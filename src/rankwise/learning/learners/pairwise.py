"""Linear ranking: a classifier of differences, which better output is minus worse output."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.learning.examples import Examples
from rankwise.learning.learners.learner_class import (
    Learner,
    check_option,
    checked_preferences,
    one_thread,
    scikit_learn,
    standardisation,
)
from rankwise.learning.scorers import LinearScorer

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RankSvm(Learner):
    r"""RankSVM: a linear function with a margin between the better and the worse output.

    .. math:: \min_w \tfrac12 \|w\|^2
              + C \sum_j v_j \max(0, 1 - w \cdot (x_{b_j} - x_{w_j}))^2

    with weights :math:`v_j` of mean 1 and C = 1000 *cost* / m for m preferences, so that *cost*
    means the same for any amount of data. The hinge is squared, which liblinear solves in the
    primal; features are standardised. Joachims (2002), KDD; Fan et al. (2008), JMLR.
    """

    name: ClassVar[str] = "ranksvm"
    cost: float = 1.0

    def __post_init__(self) -> None:
        check_option(self, "cost", low=1e-9, high=1e6)

    def fit(self, examples: Examples, *, seed: int = 1) -> LinearScorer:
        """The weights, by liblinear."""
        svm = scikit_learn("svm").LinearSVC(
            C=self.cost, dual=False, fit_intercept=False, random_state=seed % 2**32, max_iter=10_000
        )
        return _fit_differences(svm, examples, seed)


@dataclass(frozen=True)
class LogisticRanking(Learner):
    r"""Logistic ranking (PRO): the probability that the better output is preferred.

    .. math:: \min_w \tfrac12 \|w\|^2
              + C \sum_j v_j \log(1 + e^{-w \cdot (x_{b_j} - x_{w_j})})

    with weights as in RankSVM. Features are standardised. Hopkins and May (2011), EMNLP.
    """

    name: ClassVar[str] = "logistic"
    cost: float = 1.0

    def __post_init__(self) -> None:
        check_option(self, "cost", low=1e-9, high=1e6)

    def fit(self, examples: Examples, *, seed: int = 1) -> LinearScorer:
        """The weights, by L-BFGS."""
        model = scikit_learn("linear_model").LogisticRegression(
            C=self.cost, fit_intercept=False, max_iter=1000, tol=1e-6
        )
        return _fit_differences(model, examples, seed)


def _fit_differences(classifier: Any, examples: Examples, seed: int) -> LinearScorer:
    """The classifier's weights on standardised differences.

    A preference and its mirror image cost the same without an intercept, so each is given once,
    under a sign drawn at random: a classifier must see both classes.
    """
    checked_preferences(examples)
    centre, scale = standardisation(examples.rows)
    differences = examples.differences() / scale
    sign = np.where(np.random.default_rng(seed).random(len(differences)) < 0.5, -1.0, 1.0)
    sign[0] = 1.0
    differences, weight, sign = _both_classes(differences, examples.weight, sign)
    classifier.set_params(C=classifier.C / weight.sum() * 1000)
    with one_thread():
        classifier.fit(differences * sign[:, None], sign, sample_weight=weight)
    return LinearScorer(np.asarray(classifier.coef_[0], np.float64), centre, scale)


def _both_classes(
    differences: Floats, weight: Floats, sign: Floats
) -> tuple[Floats, Floats, Floats]:
    """The same preferences with the first one halved and mirrored where all signs are equal."""
    if (sign < 0).any():
        return differences, weight, sign
    halved = weight.copy()
    halved[0] /= 2
    return (
        np.concatenate((differences, differences[:1])),
        np.concatenate((halved, halved[:1])),
        np.concatenate((sign, [-1.0])),
    )
