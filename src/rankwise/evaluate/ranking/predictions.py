"""How well a ranking foretells judgments that it was not made from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from rankwise.aggregate import MODELS, BradleyTerry, ExpectedWins, HopkinsMay, Model, TrueSkill
from rankwise.aggregate.prediction import (
    RADII,
    Band,
    mean_surprise,
    most_frequent_share,
    outcome_counts,
    share_foretold,
)
from rankwise.errors import DataError
from rankwise.evaluate.ranking.prediction_curves import (
    CurveLearner,
    PredictionCurve,
    forecast,
    learning_curve,
    part,
    without,
)
from rankwise.evaluate.work_done import Done
from rankwise.types import Judgments
from rankwise.types.defaults import USUAL_MODEL
from rankwise.types.named import parse
from rankwise.types.shown import Shown

#: The most rankings that are set aside to choose decision radii.
MOST_SET_ASIDE = 200
#: The least number of pairs that a curve starts from.
LEAST_PAIRS = 100


@dataclass(frozen=True, slots=True)
class Prediction(Shown):
    """How well a model, fitted to some judgments, foretold ``compared`` others.

    ``accuracy`` is the share of comparisons whose outcome (better, equal, worse) had the largest
    chance; ``upper_bound`` is that of the most frequent outcome of every pair, which no ranking
    exceeds. ``perplexity`` is how many equally likely outcomes would surprise as much: 3 is knowing
    nothing. Each has the decision radius, how close two systems are called equal, that was best
    for it on judgments set aside. Comparisons with a system that the model never saw are
    ``unknown`` and count in none of this.
    """

    model: str
    accuracy: float
    accuracy_radius: float
    perplexity: float
    perplexity_radius: float
    upper_bound: float
    compared: int
    unknown: int

    def __repr__(self) -> str:
        """The model and how well it did, in one line."""
        measured = f"accuracy {self.accuracy:.4f}, perplexity {self.perplexity:.3f}"
        return f"<Prediction: {self.model}, {measured}>"


class PredictionParts(NamedTuple):
    """Judgments to learn from, to choose decision radii on, and to foretell; none in two parts."""

    train: Judgments
    development: Judgments
    test: Judgments


def predict(
    judgments: Judgments,
    held_out: Judgments,
    model: str | Model = USUAL_MODEL,
    *,
    seed: int = 1,
    radii: Sequence[float] = RADII,
    band: Band = "symmetric",
) -> Prediction:
    """How well *model*, fitted to *judgments*, foretells those *held_out*.

    Rankings that are in both are taken out of *judgments*, and some (a tenth, but at most 200) are
    set aside, by *seed*, to choose the decision radius among *radii*. *band* is where ties are
    expected, see :func:`rankwise.aggregate.prediction.outcome_chances`. Sakaguchi, Post and Van
    Durme (2014), WMT; Hopkins and May (2013), ACL.
    """
    parts = prediction_parts(judgments, held_out, seed=seed)
    learner = learner_of(model)
    fitted = learner.model_of(parts.train.pair_count)
    systems, chances = forecast(learner, fitted, parts.train, radii, band, seed=seed)
    stacked = np.array(chances)
    development = outcome_counts(parts.development.pairs(), systems)
    best = int(share_foretold(stacked, development).argmax())
    least = int(mean_surprise(stacked, development).argmin())
    pairs = parts.test.pairs()
    test = outcome_counts(pairs, systems)
    return Prediction(
        model=learner.name,
        accuracy=float(share_foretold(stacked[best], test)),
        accuracy_radius=float(radii[best]),
        perplexity=float(2 ** mean_surprise(stacked[least], test)),
        perplexity_radius=float(radii[least]),
        upper_bound=most_frequent_share(pairs),
        compared=int(test.sum()),
        unknown=len(pairs) - int(test.sum()),
    )


def prediction_curve(
    judgments: Judgments,
    held_out: Judgments,
    model: str | Model = USUAL_MODEL,
    *,
    sizes: Sequence[int] | None = None,
    runs: int = 100,
    seed: int = 1,
    radii: Sequence[float] = RADII,
    band: Band = "symmetric",
    progress: Done | None = None,
) -> PredictionCurve:
    """How well *model* foretells *held_out* after ever more of *judgments*.

    *sizes* are numbers of pairs, of which each run draws so many; without any they double from 100
    up to all. *progress* is called after each run with its share of the work, in percent. The rest
    is as :func:`predict` has it.
    """
    parts = prediction_parts(judgments, held_out, seed=seed)
    return learning_curve(
        learner_of(model),
        *parts,
        sizes=doubling_sizes(parts.train.pair_count) if sizes is None else sizes,
        runs=runs,
        seed=seed,
        radii=radii,
        band=band,
        progress=progress,
    )


def prediction_parts(judgments: Judgments, held_out: Judgments, *, seed: int) -> PredictionParts:
    """What is learned from, what radii are chosen on and what is foretold."""
    rest = without(judgments, held_out)
    if len(rest) < 2:
        raise DataError(f"{len(rest)} rankings are not held out; expected 2 or more to learn from")
    size = max(1, min(MOST_SET_ASIDE, len(rest) // 10))
    parts = PredictionParts(*part(rest, size, seed=seed), held_out)
    for what, judgments in zip(("learned from", "set aside", "held out"), parts, strict=True):
        if judgments.pair_count == 0:
            raise DataError(f"the judgments that are {what} compare nothing")
    return parts


def doubling_sizes(pairs: int) -> tuple[int, ...]:
    """Numbers of pairs from 100, each twice the one before, and at last all.

    >>> doubling_sizes(700)
    (100, 200, 400, 700)
    """
    found = []
    size = LEAST_PAIRS
    while 4 * size < 3 * pairs:
        found.append(size)
        size *= 2
    return (*found, pairs)


def learner_of(model: str | Model) -> CurveLearner:
    """How the ratings of *model* foretell outcomes: what one performance scatters by.

    TrueSkill states it (beta) and so do Hopkins and May; Bradley-Terry has a model of ties of its
    own. Expected Wins are shares, and one outcome scatters around a share by one half at most.
    """
    chosen = parse(model, MODELS) if isinstance(model, str) else model
    name = str(chosen)
    match chosen:
        case BradleyTerry():
            return CurveLearner(name, chosen, own_chances=True)
        case ExpectedWins():
            return CurveLearner(name, chosen, deviation=0.5)
        case HopkinsMay():
            return CurveLearner(name, chosen, draw="rankings", deviation=0.5)
        case TrueSkill():
            noise = chosen.beta if isinstance(chosen.beta, float) else 0.0
            if chosen.selection in ("uniform", "paper"):
                drawn = partial(_with_matches, chosen)
                return CurveLearner(name, drawn, draw="model", noise=noise)
            return CurveLearner(name, chosen, noise=noise)
    raise DataError(
        f"{name} does not say how likely outcomes are; "
        "choose from expected-wins, bradley-terry, hopkins-may, trueskill"
    )


def _with_matches(model: TrueSkill, matches: int) -> TrueSkill:
    return replace(model, matches=matches)
