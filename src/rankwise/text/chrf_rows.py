"""Rows of chrF, as the native core counts them, and the F-score that metric and features share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankwise._lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")


def mean_f_score(rows: "NDArray[Any]", beta: float) -> "NDArray[np.float64]":
    r"""The F-score of the mean precision and recall over the orders that both sides have, 0 to 1.

    *rows* hold ``[hypothesis, reference, shared]`` n-grams of every order along their last axis. No
    order, or no match, gives 0.

    >>> float(mean_f_score(np.array([2, 4, 2, 1, 3, 1]), 1.0).round(4))  # P = 1, R = 5/12
    0.5882
    """
    counts = by_order(np.asarray(rows, np.float64))
    orders = np.zeros(counts.shape[2:])
    precision, recall = np.zeros_like(orders), np.zeros_like(orders)
    for hypothesis, reference, shared in counts:
        exists = (hypothesis > 0) & (reference > 0)
        precision += ratio_or(shared, hypothesis, exists, 0.0)
        recall += ratio_or(shared, reference, exists, 0.0)
        orders += exists
    precision /= np.maximum(orders, 1)
    recall /= np.maximum(orders, 1)
    numerator = (1 + beta**2) * precision * recall
    return ratio_or(numerator, beta**2 * precision + recall, precision + recall > 0, 0.0)


def plain_f_score(orders: Sequence[tuple[float, float, float]], beta: float) -> float:
    """The same of one row without arrays: ``(hypothesis, reference, shared)`` of every order."""
    precision = recall = 0.0
    count = 0
    for hypothesis, reference, shared in orders:
        if hypothesis > 0 and reference > 0:
            precision += shared / hypothesis
            recall += shared / reference
            count += 1
    if precision + recall == 0:
        return 0.0
    precision, recall = precision / count, recall / count
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def by_order(rows: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Shape (orders, 3, ...)."""
    triples = rows.reshape(*rows.shape[:-1], rows.shape[-1] // 3, 3)
    return np.asarray(np.moveaxis(triples, (-2, -1), (0, 1)))


def ratio_or(
    numerator: "NDArray[np.float64]",
    denominator: "NDArray[np.float64]",
    is_defined: "NDArray[np.bool_]",
    otherwise: float,
) -> "NDArray[np.float64]":
    """The ratio where it is defined, and *otherwise* elsewhere."""
    result = np.full(np.shape(numerator), otherwise)
    np.divide(numerator, denominator, out=result, where=is_defined)
    return result
