"""RankBoost: a sum of thresholded features, found one at a time; no library has it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.learning.examples import Examples
from rankwise.learning.learners.learner_class import Learner, check_option, checked_preferences
from rankwise.learning.scorers import StepScorer

Floats = NDArray[np.float64]
_ROUNDING = 1e-12  # steps that differ by less are tied


@dataclass(frozen=True)
class RankBoost(Learner):
    r"""Boosted steps on single features.

    In every round the pairs have a distribution D; of all steps :math:`h(x) = [x_k > \theta]` the
    one with the largest :math:`|r|`,

    .. math:: r = \sum_j D_j (h(x_{b_j}) - h(x_{w_j})),\quad
              \alpha = \tfrac12 \ln\frac{1 + r}{1 - r}

    joins the sum with height :math:`\alpha`, and D grows by
    :math:`e^{-\alpha (h(x_{b_j}) - h(x_{w_j}))}`. *Ties* of steps go to the earlier feature, then
    the lower threshold. Candidate thresholds are at most *thresholds* quantiles of each feature,
    halfway between neighbouring values. Rounds end early when no step helps. A step that orders
    all pairs rightly gets the height of :math:`r = 1 - 1/m` for m pairs. Freund et al. (2003),
    JMLR 4.
    """

    name: ClassVar[str] = "rankboost"
    rounds: int = 300
    thresholds: int = 255

    def __post_init__(self) -> None:
        check_option(self, "rounds", low=1, high=1e6)
        check_option(self, "thresholds", low=1, high=1e6)

    def fit(self, examples: Examples, *, seed: int = 1) -> StepScorer:
        """The steps; nothing is random."""
        del seed
        checked_preferences(examples)
        cuts = [_candidates(column, self.thresholds) for column in examples.rows.T]
        bins = [np.searchsorted(cut, x) for cut, x in zip(cuts, examples.rows.T, strict=True)]
        distribution = examples.weight / examples.weight.sum()
        found: list[tuple[int, float, float]] = []
        for _ in range(self.rounds):
            feature, place, advantage = _best_step(examples, bins, cuts, distribution)
            if feature < 0:
                break
            limit = 1 - 1 / max(2, len(distribution))
            height = float(np.arctanh(np.clip(advantage, -limit, limit)))
            above = bins[feature] > place
            change = above[examples.better].astype(float) - above[examples.worse]
            distribution = distribution * np.exp(-height * change)
            distribution /= distribution.sum()
            found.append((feature, float(cuts[feature][place]), height))
        features, thresholds, heights = zip(*found, strict=True) if found else ((), (), ())
        return StepScorer(np.array(features, np.int64), np.array(thresholds), np.array(heights))


def _candidates(values: Floats, most: int) -> Floats:
    """Thresholds halfway between neighbouring distinct values, at most so many quantiles."""
    distinct = np.unique(values)
    halfway = distinct[:-1] + np.diff(distinct) / 2
    # Neighbouring floats have no number between them: the lower one separates them as well.
    halfway = np.minimum(halfway, np.nextafter(distinct[1:], -np.inf))
    if len(halfway) <= most:
        return np.asarray(halfway, np.float64)
    ordered = np.sort(values)
    wanted = ordered[(np.arange(1, most + 1) * len(ordered)) // (most + 1)]
    places = np.unique(np.searchsorted(halfway, wanted).clip(max=len(halfway) - 1))
    return np.asarray(halfway[places], np.float64)


def _best_step(
    examples: Examples, bins: list[NDArray[np.intp]], cuts: list[Floats], distribution: Floats
) -> tuple[int, int, float]:
    """Feature, threshold and r of the step with the largest abs(r); feature -1 if all are 0.

    What a row adds to r when a step lifts it is the same for every step, so that r of all
    thresholds of a feature is one histogram, summed from above.
    """
    count = len(examples)
    gain = np.bincount(examples.better, distribution, count)
    gain -= np.bincount(examples.worse, distribution, count)
    best = (-1, -1, 0.0)
    for feature, (place, cut) in enumerate(zip(bins, cuts, strict=True)):
        if not len(cut):
            continue
        above = np.cumsum(np.bincount(place, gain, len(cut) + 1)[::-1])[::-1][1:]
        strength = np.abs(above)
        top = int((strength >= strength.max() - _ROUNDING).argmax())
        if strength[top] > abs(best[2]) + _ROUNDING:
            best = (feature, top, float(above[top]))
    return best
