"""Kappa of two judges (Cohen) and of many (Fleiss), for labels of any kind with gaps."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.judges.label_tables import coded, label_counts, label_list
from rankwise.errors import DataError
from rankwise.types.named import check_choice

Weights = Literal["none", "linear", "quadratic"]

#: What a disagreement costs, by how many labels lie between.
_COSTS: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "none": lambda distance: distance > 0,
    "linear": lambda distance: distance,
    "quadratic": lambda distance: distance**2,
}


def cohen_kappa(first: ArrayLike, second: ArrayLike, *, weights: Weights = "none") -> float:
    r"""Agreement of two judges on the same things beyond what their habits alone would give.

    .. math:: \kappa = 1 - \frac{\sum_{ab} w_{ab}\, p_{ab}}
              {\sum_{ab} w_{ab}\, p_{a\cdot} p_{\cdot b}}

    where :math:`p_{ab}` is the share of things labelled a by the one and b by the other, and
    :math:`w_{ab}` is 1 for different labels; with *weights* it is the distance of the labels in
    their order, or its square. Things that one of them did not label (``None`` or nan) are left
    out. Undefined (nan) without things, or if both always gave the same label. Cohen (1960, 1968).

    >>> round(cohen_kappa(["y", "y", "n", "n", None], ["y", "n", "n", "n", "y"]), 4)
    0.5
    """
    check_choice("cohen_kappa", "weights", weights, _COSTS)
    (one, here), (other, there) = label_list(first), label_list(second)
    if len(one) != len(other):
        raise DataError(f"{len(one)} and {len(other)} labels; expected one each of every thing")
    both = here & there
    code = coded(np.concatenate([one[both], other[both]]))
    size, count = int(code.max(initial=-1)) + 1, int(both.sum())
    table = np.bincount(code[:count] * size + code[count:], minlength=size**2).reshape(size, size)
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    cost = _COSTS[weights](distance)
    chance = float((cost * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return 1 - count * float((cost * table).sum()) / chance if chance > 0 else float("nan")


def fleiss_kappa(table: ArrayLike) -> float:
    r"""Agreement of many judges beyond chance on a table of labels, judges by units.

    .. math:: \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \quad
              P_u = \frac{\sum_c n_{uc} (n_{uc} - 1)}{n_u (n_u - 1)}, \quad
              \bar P_e = \sum_c \Bigl(\frac{1}{U} \sum_u \frac{n_{uc}}{n_u}\Bigr)^2

    where :math:`n_{uc}` judges gave the unit u the label c. A missing label is ``None`` or nan.
    Units may have different numbers of labels: those with fewer than two have no :math:`P_u`, and
    those without any are left out, after Gwet (2014), Handbook of Inter-Rater Reliability, chapter
    2; with equal numbers this is Fleiss (1971), Psychological Bulletin 76. Undefined (nan) if no
    unit has two labels, or all labels are the same.

    >>> round(fleiss_kappa([["a", "b", "a"], ["a", "b", "a"], ["a", "b", "b"]]), 4)
    0.55
    """
    counts = label_counts(table)
    size = counts.sum(axis=1)
    counts, size = counts[size > 0], size[size > 0]
    several = size > 1
    if not several.any():
        return float("nan")
    alike = (counts * (counts - 1))[several].sum(axis=1) / (size * (size - 1))[several]
    chance = float(((counts / size[:, np.newaxis]).mean(axis=0) ** 2).sum())
    return (float(alike.mean()) - chance) / (1 - chance) if chance < 1 else float("nan")
