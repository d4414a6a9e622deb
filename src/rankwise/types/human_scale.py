"""What kind of scores people gave, told by their scale, and which differences are clear on it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.errors import DataError

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HumanScale:
    """A kind of human scores: how it is known, and the difference that counts as clear."""

    name: str
    fits: Callable[[Scores], bool]
    clear: float


def _is_mqm(scores: Scores) -> bool:
    return bool(scores.max() <= 0 and scores.min() < 0)


def _is_of_hundred(scores: Scores) -> bool:
    return bool(scores.min() >= 0 and 25 < scores.max() <= 100)


def _is_standardised(scores: Scores) -> bool:
    mean, deviation = float(scores.mean()), float(scores.std())
    return bool(scores.min() < 0 < scores.max()) and abs(mean) < 0.5 and 0.3 < deviation < 2.0


#: The kinds that are known. A clear difference is one major error of MQM; 25 points of 100, as
#: WMT17 to WMT20 had it for direct assessment; one deviation of standardised scores.
SCALES = (
    HumanScale("MQM", _is_mqm, 5.0),
    HumanScale("DA or ESA", _is_of_hundred, 25.0),
    HumanScale("standardised", _is_standardised, 1.0),
)


def clear_difference(gold: ArrayLike) -> float:
    """How far two human scores must be apart to be told clearly apart, by their scale.

    Never above 0 are scores of MQM: 5, a major error. From 0 to 100 with some above 25 are those
    of DA, DA+SQM and ESA: 25 points. Around 0 with a deviation near 1 are standardised ones: 1.
    Of other scales nothing is known, which is an error.

    >>> clear_difference([[-5.0, 0.0], [-1.0, -25.0]]), clear_difference([[80.0, 20.0]])
    (5.0, 25.0)
    """
    table = np.asarray(gold, np.float64)
    scores = table[~np.isnan(table)]
    known = next((scale for scale in SCALES if len(scores) and scale.fits(scores)), None)
    if known is None:
        ends = f"from {scores.min():g} to {scores.max():g}" if len(scores) else "absent"
        raise DataError(
            f"human scores are {ends}: what is a clear difference on this scale is not known; "
            "give it, such as threshold=1"
        )
    return known.clear
