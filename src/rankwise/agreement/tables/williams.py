"""Williams' test, whether one metric's correlation with people is larger than another's."""

import math

from rankwise.errors import DataError


def williams(r12: float, r13: float, r23: float, count: int, *, one_sided: bool = True) -> float:
    r"""p-value of the difference of two correlations that share a variable.

    .. math:: t = \frac{(r_{12} - r_{13}) \sqrt{(n-1)(1+r_{23})}}
              {\sqrt{2 \frac{n-1}{n-3} K + \frac{(r_{12}+r_{13})^2}{4} (1-r_{23})^3}}

    with :math:`K = 1 - r_{12}^2 - r_{13}^2 - r_{23}^2 + 2 r_{12} r_{13} r_{23}` and n - 3 degrees
    of freedom. Variable 1 are people, 2 and 3 the metrics, n the number of things with all three.
    One-sided, it is the chance of so large a difference in the direction that was found.
    Undefined (nan) for fewer than four things, or where the metrics correlate perfectly with each
    other and so cannot be told apart. Williams (1959); Graham and Baldwin (2014), EMNLP.

    >>> round(williams(0.9, 0.8, 0.85, 12), 4)
    0.1198
    """
    for name, value in (("r12", r12), ("r13", r13), ("r23", r23)):
        if not -1 <= value <= 1 and not math.isnan(value):
            raise DataError(f"correlation {name} is {value}; expected one from -1 to 1")
    if count < 4:
        return math.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    squared = 2 * (count - 1) / (count - 3) * k + mean**2 * (1 - r23) ** 3
    if math.isnan(squared) or squared <= 0:
        return math.nan
    from scipy.special import stdtr  # slow, seldom needed

    t = (r12 - r13) * math.sqrt((count - 1) * (1 + r23)) / math.sqrt(squared)
    return float((1 if one_sided else 2) * stdtr(count - 3, -abs(t)))
