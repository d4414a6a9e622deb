"""Correction of p-values for many tests."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    r"""p-values of a family of tests, adjusted so that its chance of any false alarm is bounded.

    With the m defined p-values in rising order,

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})

    Equal p-values get equal results; nan stays nan and is no member of the family. Holm (1979),
    Scandinavian Journal of Statistics 6.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values: NDArray[Any] = np.asarray(p_values, np.float64)
    adjusted = np.full(values.shape, np.nan)
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, factors * values[order]))
    return adjusted
