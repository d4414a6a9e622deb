"""LambdaMART: boosted trees for whole ranked sets, by LightGBM."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import MissingExtra
from rankwise.learning.examples import Examples
from rankwise.learning.learners.learner_class import Learner, check_option, checked_preferences
from rankwise.learning.scorers import TreeScorer

_GRADES = 31  # LightGBM's default gains are 2^grade - 1; we give linear ones up to here


@dataclass(frozen=True)
class LambdaMart(Learner):
    """Gradient-boosted trees whose gradients follow NDCG of each set of outputs.

    The grade of an output in its set is how many outputs it was preferred to, less how many were
    preferred to it, counted up from 0 for the worst. An output counts with the mean weight of the
    preferences it is in. LightGBM trains; the trees are kept as plain
    numbers, so that scoring does not need it. Burges (2010), Microsoft Research.
    """

    name: ClassVar[str] = "lambdamart"
    rounds: int = 200
    leaves: int = 15
    rate: float = 0.05

    def __post_init__(self) -> None:
        check_option(self, "rounds", low=1, high=1e6)
        check_option(self, "leaves", low=2, high=1e5)
        check_option(self, "rate", low=1e-9, high=1e3)

    def fit(self, examples: Examples, *, seed: int = 1) -> TreeScorer:
        """The trees, on one thread: the same on any machine."""
        checked_preferences(examples)
        order = np.argsort(examples.group, kind="stable")
        grades = _grades(examples)
        order = order[np.isin(examples.group[order], np.unique(examples.group[examples.better]))]
        sizes = np.unique(examples.group[order], return_counts=True)[1]
        lightgbm = _lightgbm()
        data = lightgbm.Dataset(
            examples.rows[order],
            grades[order],
            group=sizes,
            weight=_weights(examples)[order],
            params={"verbose": -1},
        )
        options = {
            "objective": "lambdarank",
            "label_gain": list(range(_GRADES + 1)),
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "seed": seed % 2**31,
            "deterministic": True,
            "num_threads": 1,
            "verbose": -1,
        }
        booster = lightgbm.train(options, data, num_boost_round=self.rounds)
        trees = booster.dump_model()["tree_info"]
        return TreeScorer(tuple(_flattened(tree["tree_structure"]) for tree in trees))


def _grades(examples: Examples) -> NDArray[np.int64]:
    """Wins less losses of each output, from 0 for the worst of its set."""
    count = len(examples)
    lead = np.bincount(examples.better, minlength=count) - np.bincount(
        examples.worse, minlength=count
    )
    _, group = np.unique(examples.group, return_inverse=True)
    lowest = np.full(group.max(initial=0) + 1, np.iinfo(np.int64).max)
    np.minimum.at(lowest, group, lead)
    return np.asarray(np.minimum(lead - lowest[group], _GRADES), np.int64)


def _weights(examples: Examples) -> NDArray[np.float64]:
    """The mean weight of the preferences that each output is in, 1 without any."""
    ends = np.concatenate([examples.better, examples.worse])
    times = np.bincount(ends, minlength=len(examples))
    total = np.bincount(ends, np.tile(examples.weight, 2), len(examples))
    return np.divide(total, times, out=np.ones(len(examples)), where=times > 0)


def _flattened(
    root: dict[str, Any],
) -> tuple[list[int], list[float], list[int], list[int], list[float]]:
    """LightGBM's nested tree as the lists of ``TreeScorer``, parents before children."""
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaves: list[float] = []

    def add(node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            leaves.append(float(node["leaf_value"]))
            return -len(leaves)
        place = len(feature)
        feature.append(int(node["split_feature"]))
        threshold.append(float(node["threshold"]))
        left.append(0)
        right.append(0)
        left[place], right[place] = add(node["left_child"]), add(node["right_child"])
        return place

    add(root)
    return feature, threshold, left, right, leaves


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("lambdamart needs LightGBM: pip install 'rankwise[boost]'") from error
    return lightgbm
