"""Confidence intervals of correlations of independent things, by Fisher's transformation."""

import math
from statistics import NormalDist

from rankwise.errors import DataError
from rankwise.types.named import check_choice

#: The variance of the transformed correlation r of n things.
VARIANCES = {
    "pearson": lambda r, n: 1 / (n - 3),  # noqa: ARG005 - one signature for all
    "spearman": lambda r, n: (1 + r * r / 2) / (n - 3),
    "kendall": lambda r, n: 0.437 / (n - 4),  # noqa: ARG005
}


def fisher_interval(
    value: float, count: int, *, kind: str = "pearson", level: float = 0.95
) -> tuple[float, float]:
    r"""The interval of a correlation of *count* things that were drawn independently.

    .. math:: \tanh(\text{artanh}\, r \pm z_{(1 + \text{level})/2}\, \sigma)

    with :math:`\sigma^2 = 1/(n-3)` for Pearson (Fisher, 1921), :math:`(1 + r^2/2)/(n-3)` for
    Spearman (Bonett and Wright, 2000) and :math:`0.437/(n-4)` for Kendall (Fieller et al., 1957).
    Apt for systems; segments of one table depend on each other, for them resample. Undefined
    (nan) for fewer than five things, or a correlation that is nan or perfect.

    >>> low, high = fisher_interval(0.8, 12)
    >>> round(low, 3), round(high, 3)
    (0.418, 0.942)
    """
    check_choice("interval", "kind", kind, VARIANCES)
    if not 0 < level < 1:
        raise DataError(f"level {level} is no share between 0 and 1; 0.95 means 95 %")
    if count < 5 or math.isnan(value) or abs(value) >= 1:
        return math.nan, math.nan
    deviation = math.sqrt(VARIANCES[kind](value, count))
    reach = NormalDist().inv_cdf((1 + level) / 2) * deviation
    centre = math.atanh(value)
    return math.tanh(centre - reach), math.tanh(centre + reach)
