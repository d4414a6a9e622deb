"""What learners give: functions from features to a margin, as plain numbers that a file holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Floats = NDArray[np.float64]

#: No learner gives numbers beyond this, and products of several of them are still finite.
LARGEST = 1e50


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value of a file is a finite number, and not true or false."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


class Scorer(Protocol):
    """A function from rows of features to margins: a larger margin, a better output."""

    form: ClassVar[str]

    def margins(self, rows: Floats) -> Floats:
        """A margin (...,) for rows (..., k)."""
        ...

    def as_dict(self, columns: tuple[str, ...]) -> dict[str, Any]:
        """The numbers by the names of the features, for a file."""
        ...

    def importance(self, columns: tuple[str, ...]) -> dict[str, float]:
        """How much each feature matters, signed where a direction exists."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LinearScorer:
    r"""A weighted sum of standardised features.

    .. math:: m = \sum_k w_k (x_k - c_k) / s_k
    """

    form: ClassVar[str] = "linear"
    weights: Floats
    centre: Floats
    scale: Floats

    def margins(self, rows: Floats) -> Floats:
        """The weighted sums; written out, as a matrix product rounds differently by shape."""
        return np.asarray(((rows - self.centre) * self._slopes).sum(axis=-1), np.float64)

    @property
    def _slopes(self) -> Floats:
        return np.asarray(self.weights / self.scale, np.float64)

    def as_dict(self, columns: tuple[str, ...]) -> dict[str, Any]:
        """A line per feature: weight, centre, scale."""
        cells = zip(columns, self.weights, self.centre, self.scale, strict=True)
        return {name: [float(w), float(c), float(s)] for name, w, c, s in cells}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], columns: tuple[str, ...]) -> "LinearScorer":
        """The scorer of ``as_dict``."""
        missing = [name for name in columns if name not in found]
        if missing or len(found) != len(columns):
            odd = missing or sorted(set(found) - set(columns)) or list(columns)
            raise DataError(f"weights do not match the features: {odd[0]!r:.40} differs")
        table = checked_numbers([found[name] for name in columns], (len(columns), 3), "weights")
        if not (table[:, 2] >= 1 / LARGEST).all():
            raise DataError("a scale is not positive")
        return cls(table[:, 0], table[:, 1], table[:, 2])

    def importance(self, columns: tuple[str, ...]) -> dict[str, float]:
        """The weights of the standardised features."""
        return dict(zip(columns, self.weights.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class StepScorer:
    r"""A sum of steps: :math:`m = \sum_t \alpha_t [x_{k_t} > \theta_t]`."""

    form: ClassVar[str] = "steps"
    feature: NDArray[np.int64]
    threshold: Floats
    height: Floats

    def margins(self, rows: Floats) -> Floats:
        """The sums, one feature at a time: the steps of a feature are one lookup."""
        total = np.zeros(rows.shape[:-1])
        for feature in np.unique(self.feature).tolist():
            of_it = np.flatnonzero(self.feature == feature)
            of_it = of_it[np.argsort(self.threshold[of_it], kind="stable")]
            climbed = np.concatenate(([0.0], np.cumsum(self.height[of_it])))
            total += climbed[np.searchsorted(self.threshold[of_it], rows[..., feature])]
        return total

    def as_dict(self, columns: tuple[str, ...]) -> dict[str, Any]:
        """The steps in the order in which they were found."""
        names = [columns[feature] for feature in self.feature.tolist()]
        cells = zip(names, self.threshold.tolist(), self.height.tolist(), strict=True)
        return {"steps": [[name, threshold, height] for name, threshold, height in cells]}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], columns: tuple[str, ...]) -> "StepScorer":
        """The scorer of ``as_dict``."""
        steps = found.get("steps")
        if not isinstance(steps, list) or not all(
            isinstance(s, list) and len(s) == 3 for s in steps
        ):
            raise DataError("'steps' is not a list of [feature, threshold, height]")
        unknown = [str(step[0]) for step in steps if step[0] not in columns]
        if unknown:
            raise DataError(f"a step is of the unknown feature {unknown[0]!r:.40}")
        numbers = checked_numbers([step[1:] for step in steps], (len(steps), 2), "steps")
        places = np.array([columns.index(step[0]) for step in steps], np.int64)
        return cls(places, numbers[:, 0], numbers[:, 1])

    def importance(self, columns: tuple[str, ...]) -> dict[str, float]:
        """The sum of the steps of each feature."""
        total = np.bincount(self.feature, self.height, len(columns))
        return dict(zip(columns, total.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class TreeScorer:
    """A sum of regression trees.

    Node v of tree t sends a row to ``left`` where its feature is at most the threshold and else to
    ``right``; a negative child -c - 1 is leaf c. Trees are lists of (features, thresholds, left,
    right, leaves).
    """

    form: ClassVar[str] = "trees"
    trees: tuple[tuple[list[int], list[float], list[int], list[int], list[float]], ...]

    def margins(self, rows: Floats) -> Floats:
        """The sums, all rows walking down a tree together."""
        flat = rows.reshape(-1, rows.shape[-1])
        total = np.zeros(len(flat))
        for tree in self.trees:
            total += _walked(flat, *(np.asarray(part) for part in tree))
        return total.reshape(rows.shape[:-1])

    def as_dict(self, columns: tuple[str, ...]) -> dict[str, Any]:
        """The trees as they are, features by number."""
        return {"features": list(columns), "trees": [list(tree) for tree in self.trees]}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], columns: tuple[str, ...]) -> "TreeScorer":
        """The scorer of ``as_dict``."""
        trees = found.get("trees")
        if not isinstance(trees, list) or found.get("features") != list(columns):
            raise DataError("'trees' is not a list over the model's features")
        return cls(tuple(_checked_tree(tree, len(columns)) for tree in trees))

    def importance(self, columns: tuple[str, ...]) -> dict[str, float]:
        """How many nodes ask for each feature."""
        asked = [feature for tree in self.trees for feature in tree[0]]
        counts = np.bincount(np.array(asked, np.int64), minlength=len(columns))
        return dict(zip(columns, counts.astype(float).tolist(), strict=True))


#: Every form of scorer by its name in a file.
SCORERS: dict[str, type[LinearScorer] | type[StepScorer] | type[TreeScorer]] = {
    kind.form: kind for kind in (LinearScorer, StepScorer, TreeScorer)
}


def _walked(
    rows: Floats,
    feature: NDArray[Any],
    threshold: NDArray[Any],
    left: NDArray[Any],
    right: NDArray[Any],
    leaf: NDArray[Any],
) -> Floats:
    if not len(feature):
        return np.full(len(rows), leaf[0])
    node = np.zeros(len(rows), np.int64)
    result = np.empty(len(rows))
    walking = np.arange(len(rows))
    while len(walking):
        here = node[walking]
        goes_left = rows[walking, feature[here]] <= threshold[here]
        child = np.where(goes_left, left[here], right[here])
        arrived = child < 0
        result[walking[arrived]] = leaf[-child[arrived] - 1]
        node[walking] = child
        walking = walking[~arrived]
    return result


def _checked_tree(
    tree: Any, count: int
) -> tuple[list[int], list[float], list[int], list[int], list[float]]:
    if not isinstance(tree, list) or len(tree) != 5 or not all(isinstance(p, list) for p in tree):
        raise DataError("a tree is not [features, thresholds, left, right, leaves]")
    feature, threshold, left, right, leaf = tree
    nodes = len(feature)
    if not len(threshold) == len(left) == len(right) == nodes or len(leaf) != nodes + 1:
        raise DataError("the parts of a tree differ in length")
    if not all(isinstance(f, int) and 0 <= f < count for f in feature):
        raise DataError("a tree asks for a feature that the model does not have")
    # A child comes after its parent, so that every walk ends.
    for node, child in (pair for part in (left, right) for pair in enumerate(part)):
        if not isinstance(child, int) or not (node < child < nodes or -nodes - 2 < child < 0):
            raise DataError("a tree has a child outside of it")
    checked_numbers([threshold], (1, nodes), "thresholds")
    checked_numbers([leaf], (1, nodes + 1), "leaves")
    return feature, threshold, left, right, leaf


def checked_numbers(cells: Any, shape: tuple[int, int], what: str) -> Floats:
    """Numbers that a file holds, if they are finite and sums of their products will be."""
    try:
        # Without their types, numpy would read numbers in quotes, and true as 1.
        kinds = {type(cell) for row in cells for cell in row}
        table = np.array(cells, np.float64).reshape(shape)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what} are not numbers of the expected shape") from error
    if not kinds <= {int, float}:
        raise DataError(f"{what} hold what is not a number")
    if not np.isfinite(table).all():
        raise DataError(f"{what} hold a number that is not finite")
    if not (np.abs(table) <= LARGEST).all():
        raise DataError(f"{what} hold a number beyond {LARGEST:g}")
    return table
