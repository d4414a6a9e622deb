"""Choosing a learner's options on tracks it has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rankwise.errors import DataError
from rankwise.learning.examples import Examples, track_accuracy
from rankwise.learning.learners import Learner
from rankwise.learning.scorers import Scorer

#: What is tried for each learner when nothing is said: the option and its values.
GRIDS: Mapping[str, tuple[str, tuple[float, ...]]] = MappingProxyType(
    {
        "ranksvm": ("cost", (0.01, 0.1, 1.0, 10.0)),
        "logistic": ("cost", (0.01, 0.1, 1.0, 10.0)),
        "svr": ("cost", (0.01, 0.1, 1.0, 10.0)),
        "ridge": ("penalty", (0.0001, 0.001, 0.01, 0.1)),
        "rankboost": ("rounds", (50, 100, 200, 400)),
        "lambdamart": ("rounds", (50, 100, 200, 400)),
    }
)


@dataclass(frozen=True, slots=True)
class TuningTrial:
    """A learner with its options, what it gave, and its accuracy on each development track."""

    learner: Learner
    scorer: Scorer
    accuracy: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over tracks: a small track counts as much as a large one."""
        return sum(self.accuracy.values()) / len(self.accuracy)


def tuned(
    learner: Learner,
    train: Examples,
    development: Examples,
    *,
    seed: int = 1,
    grid: Sequence[Any] | None = None,
) -> tuple[TuningTrial, tuple[TuningTrial, ...]]:
    """The best of the learner's options by mean accuracy over development tracks, and all trials.

    *Ties* go to the earlier value. A track must not be in both parts: outputs of one segment, and
    segments of one document, say too much about each other.
    """
    shared = _names(train) & _names(development)
    if shared:
        raise DataError(f"track {min(shared)!r} is in training and in development; split by track")
    if not len(development.better):
        raise DataError("the development part has no preference to tune on")
    option, values = GRIDS[learner.name]
    trials = []
    for value in values if grid is None else grid:
        candidate = replace(learner, **{option: value})
        scorer = candidate.fit(train, seed=seed)
        accuracy = track_accuracy(development, scorer.margins(development.rows))
        trials.append(TuningTrial(candidate, scorer, accuracy))
    return max(trials, key=lambda trial: trial.mean), tuple(trials)


def _names(examples: Examples) -> set[str]:
    return {examples.tracks[number] for number in set(examples.track.tolist())}
