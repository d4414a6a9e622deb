"""How many items it takes to tell two systems apart, and which difference so many would find."""

import math
from statistics import NormalDist

#: The level of the test and the chance of finding a difference that is there.
ALPHA, POWER = 0.05, 0.8


def items_needed(
    difference: float, error: float, items: int, *, alpha: float = ALPHA, power: float = POWER
) -> float:
    r"""How many items a test needs to find *difference* with the chance *power*.

    .. math:: n \, (z_{1 - \alpha / 2} + z_{\text{power}})^2 \, e^2 / d^2

    with :math:`e` the standard *error* of the difference on :math:`n` *items*, which shrinks with
    the root of their number. The test is two-sided at the level *alpha*. It is the number for
    :math:`d` being the true difference. Without a difference no number is enough (infinity); a
    difference that never varies needs one item. nan where either is not known.

    >>> round(items_needed(2.0, 1.0, 100))  # (1.96 + 0.84)² / 4 times as many
    196
    """
    if math.isnan(difference) or math.isnan(error):
        return math.nan
    if difference == 0:
        return math.inf
    return max(1.0, items * (smallest_found(error, alpha=alpha, power=power) / difference) ** 2)


def smallest_found(error: float, *, alpha: float = ALPHA, power: float = POWER) -> float:
    r"""The smallest difference that is found with the chance *power*, given its standard *error*.

    .. math:: (z_{1 - \alpha / 2} + z_{\text{power}}) \, e

    >>> round(smallest_found(1.0), 3)
    2.802
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * error
