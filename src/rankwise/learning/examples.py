"""What a learner sees: outputs as rows of features, and what people said of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Outputs with their features, preferences between them, and human scores of them.

    ``rows[i]`` are the features of output i, in the order of ``columns``. ``group[i]`` is the set
    of outputs it was ranked among (one segment of one track), ``track[i]`` its language pair and
    year, a number into ``tracks``. Preference j says that output ``better[j]`` is better than
    ``worse[j]``, with a ``weight``. ``human[i]`` is a scalar judgment, nan where there is none.
    """

    columns: tuple[str, ...]
    rows: Floats
    group: Codes
    track: Codes
    tracks: tuple[str, ...]
    better: Codes
    worse: Codes
    weight: Floats
    human: Floats

    def __post_init__(self) -> None:
        count = len(self.rows)
        if self.rows.ndim != 2 or self.rows.shape[1] != len(self.columns):
            raise DataError(f"features have shape {self.rows.shape} for {len(self.columns)} names")
        for name in ("group", "track", "human"):
            if len(getattr(self, name)) != count:
                raise DataError(f"{name} has {len(getattr(self, name))} entries for {count} rows")
        if not len(self.better) == len(self.worse) == len(self.weight):
            raise DataError("better, worse and weight of preferences differ in length")
        if not np.isfinite(self.rows).all():
            row, column = np.argwhere(~np.isfinite(self.rows))[0].tolist()
            found = f"row {row + 1} of feature {self.columns[column]!r} is {self.rows[row, column]}"
            raise DataError(f"{found}; expected a finite number")

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, keep: NDArray[np.bool_]) -> "Examples":
        """The outputs of a mask, with the preferences among them."""
        number = np.cumsum(keep) - 1
        both = keep[self.better] & keep[self.worse]
        return Examples(
            self.columns,
            self.rows[keep],
            self.group[keep],
            self.track[keep],
            self.tracks,
            number[self.better[both]],
            number[self.worse[both]],
            self.weight[both],
            self.human[keep],
        )

    def with_columns(self, columns: tuple[str, ...], rows: Floats) -> "Examples":
        """The same outputs with other features."""
        return Examples(
            columns,
            rows,
            self.group,
            self.track,
            self.tracks,
            self.better,
            self.worse,
            self.weight,
            self.human,
        )

    def differences(self) -> Floats:
        """Features of the better output minus those of the worse, a row per preference."""
        return np.asarray(self.rows[self.better] - self.rows[self.worse], np.float64)


def pairwise_accuracy(examples: Examples, margins: Floats) -> float:
    r"""The weighted share of preferences that *margins* of the outputs order alike.

    .. math:: \text{acc} = \sum_j w_j [m_{b_j} > m_{w_j}] / \sum_j w_j

    *Ties* count half. Undefined (nan) without a preference.
    """
    if not examples.weight.sum() > 0:
        return float("nan")
    difference = margins[examples.better] - margins[examples.worse]
    right = (np.sign(difference) + 1) / 2
    return float(right @ examples.weight / examples.weight.sum())


def track_accuracy(examples: Examples, margins: Floats) -> dict[str, float]:
    """``pairwise_accuracy`` track by track, of those that have preferences."""
    track = examples.track[examples.better]
    found = {}
    for number in np.unique(track).tolist():
        mask = examples.track == number
        part = examples.select(mask)
        found[examples.tracks[number]] = pairwise_accuracy(part, margins[mask])
    return found
