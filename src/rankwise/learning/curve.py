"""From margins to scores along points of a curve, where human scores say how it runs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.learning.scorers import LARGEST

Floats = NDArray[np.float64]

#: Points (distance from a perfect output, score), both rising, up to (0, 1).
Curve = tuple[tuple[float, float], ...]

# Points nearer than this to each other are one, and no score is as near to 0.
_LEAST_STEP = 1e-4


def along(curve: Curve, distance: Floats, *, slope: float) -> Floats:
    r"""Scores of distances, none of them above 0.

    Between points a straight line; below the first, (x, y), the score falls off as
    :math:`y e^{\text{slope} (d - x)}`, and so never to 0.

    >>> along(((-1.0, 0.5), (0.0, 1.0)), np.array([-1.5, -0.5, 0.0]), slope=2.0).round(3).tolist()
    [0.184, 0.75, 1.0]
    """
    places, scores = np.array(curve).T
    tail = scores[0] * np.exp(slope * np.minimum(0.0, distance - places[0]))
    found = np.where(distance < places[0], tail, np.interp(distance, places, scores))
    return np.asarray(found, np.float64)


def fitted_curve(distance: Floats, human: Floats, *, points: int) -> Curve:
    """The means of equal shares of the human scores, made to rise, and (0, 1).

    Outputs that are perfect are left out: they score 1 whatever people said of them. Means that
    fall where they should rise are pooled (Barlow et al., 1972).

    >>> fitted_curve(np.array([-2.0, -2.0, -1.0, -1.0]), np.array([0.1, 0.3, 0.6, 0.4]), points=2)
    ((-2.0, 0.2), (-1.0, 0.5), (0.0, 1.0))
    """
    from scipy.optimize import isotonic_regression

    below = distance < 0
    order = np.argsort(distance[below], kind="stable")
    shares = [share for share in np.array_split(order, points) if len(share)]
    places = np.array([distance[below][share].mean() for share in shares])
    scores = np.array([human[below][share].mean() for share in shares])
    found = [(0.0, 1.0)]
    if shares:
        rising = isotonic_regression(scores, weights=[len(share) for share in shares]).x
        for place, score in zip(places[::-1].tolist(), rising[::-1].tolist(), strict=True):
            right, above = found[-1]
            if place < right - _LEAST_STEP and _LEAST_STEP < score < above - _LEAST_STEP:
                found.append((round(place, 4), round(score, 4)))
    return tuple(found[::-1])


def checked_curve(found: Any) -> Curve:
    """The curve that a file holds; none is an empty list."""
    try:
        table = np.array(found, np.float64).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError("'curve' is not a list of [distance, score]") from error
    if not len(table):
        return ()
    is_sound = (np.abs(table) <= LARGEST).all() and (np.diff(table, axis=0) > 0).all()
    if not is_sound or table[0, 1] <= 0 or table[-1].tolist() != [0.0, 1.0]:
        raise DataError("'curve' does not rise from above 0 to [0, 1]")
    return tuple((float(place), float(score)) for place, score in table)
