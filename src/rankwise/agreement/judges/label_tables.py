"""Labels that judges gave, as lists and tables with gaps: what the general coefficients take."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.errors import DataError

Labels = NDArray[Any]
Mask = NDArray[np.bool_]


def label_list(labels: ArrayLike) -> tuple[Labels, Mask]:
    """One judge's labels as numbers or objects, and which of them are there."""
    return _present(labels, 1, "one list of labels")


def label_table(labels: ArrayLike) -> tuple[Labels, Mask]:
    """Labels of judges (rows) for units (columns), and which of them are there."""
    return _present(labels, 2, "a table, judges by units")


def label_counts(table: ArrayLike) -> NDArray[np.int64]:
    """How often every unit (row) of a table, judges by units, got every label (column).

    The columns are the labels that occur, in order.

    >>> label_counts([["a", "b", None], ["a", "a", "b"]])
    array([[2, 0], [1, 1], [0, 1]])
    """
    labels, present = label_table(table)
    code = coded(labels[present])
    width = int(code.max(initial=-1)) + 1
    cell = np.nonzero(present)[1] * width + code
    return np.bincount(cell, minlength=labels.shape[1] * width).reshape(labels.shape[1], width)


def coded(labels: Labels) -> NDArray[np.int64]:
    """Numbers of labels in their order, from 0."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _present(labels: ArrayLike, dimensions: int, expected: str) -> tuple[Labels, Mask]:
    array = labels if isinstance(labels, np.ndarray) else np.array(labels, object)
    if array.dtype.kind not in "biuf":
        array = _checked_objects(array.astype(object), expected)
    if array.ndim != dimensions:
        raise DataError(f"labels have shape {array.shape}; expected {expected}")
    if array.dtype == object:
        missing: Mask = array == None  # noqa: E711 - element by element
        return array, ~missing
    array = array.astype(np.float64)
    if np.isinf(array).any():
        raise DataError("a label is infinite; expected finite numbers, nan where there is none")
    return array, ~np.isnan(array)


def _checked_objects(array: Labels, expected: str) -> Labels:
    """Texts and None as they are, numbers and None as floats."""
    kinds = {type(label) for label in array.flat if label is not None}
    if kinds & {list, tuple, np.ndarray}:
        raise DataError(f"rows of labels differ in length; expected {expected}")
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return array
    try:
        if any(issubclass(kind, str) for kind in kinds):
            raise TypeError
        return array.astype(np.float64)  # None becomes nan
    except (TypeError, ValueError) as error:
        found = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise DataError(f"labels are {found}; expected all texts or all numbers") from error
