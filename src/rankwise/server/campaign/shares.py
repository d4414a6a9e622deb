"""Shares with intervals, a test of even counts, and numbers as JSON takes them."""

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, ndtri

#: The level of every interval on the dashboard.
LEVEL = 0.95
QUANTILE = float(ndtri((1 + LEVEL) / 2))

Value = TypeVar("Value")


class Share(TypedDict):
    """A part of ``n`` as a share with its interval; ``None`` where n is 0."""

    value: float | None
    low: float | None
    high: float | None
    part: float
    n: float


def share(part: float, whole: float) -> Share:
    r"""A share of n with Wilson's interval, ``None`` without any.

    .. math:: \frac{p + z^2/2n \pm z \sqrt{p(1-p)/n + z^2/4n^2}}{1 + z^2/n}

    Wilson (1927), JASA 22.

    >>> found = share(8, 10)
    >>> found["value"], round(found["low"], 3), round(found["high"], 3)
    (0.8, 0.49, 0.943)
    """
    if whole <= 0:
        return {"value": None, "low": None, "high": None, "part": part, "n": 0}
    p, z2 = part / whole, QUANTILE**2
    middle = (p + z2 / (2 * whole)) / (1 + z2 / whole)
    half = QUANTILE * math.sqrt(p * (1 - p) / whole + z2 / (4 * whole**2)) / (1 + z2 / whole)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return {"value": p, "low": low, "high": high, "part": part, "n": whole}


def uneven(
    counts: Sequence[float] | NDArray[np.float64], expected: Sequence[float] | None = None
) -> float:
    r"""The probability that counts as uneven as these, or more so, come by chance.

    .. math:: \chi^2 = \sum_i (n_i - e_i)^2 / e_i

    with one degree of freedom less than cells; *expected* shares are equal if not given. 1 with
    fewer than two cells or no counts. Pearson (1900).

    >>> round(uneven([30, 20, 10]), 4)  # chi-squared 10 with 2 degrees of freedom: exp(-5)
    0.0067
    """
    found = np.asarray(counts, np.float64)
    weight = np.ones(len(found)) if expected is None else np.asarray(expected, np.float64)
    found, weight = found[weight > 0], weight[weight > 0]
    total = found.sum()
    if len(found) < 2 or total <= 0:
        return 1.0
    even = total * weight / weight.sum()
    return float(chdtrc(len(found) - 1, ((found - even) ** 2 / even).sum()))


def plain(value: Value) -> Value:
    """*value* as JSON takes it: plain numbers, an undefined one as ``None``.

    >>> plain({"low": np.float64("nan"), "n": [np.int64(2)]})
    {'low': None, 'n': [2]}
    """
    return cast(Value, _plain(value))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
