"""Cohen's kappa of every two judges, on the pairs of texts that both compared."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.judge_labels import Codes, Labels, labels
from rankwise.types import Judgments


@dataclass(frozen=True, slots=True, eq=False)
class PairKappas:
    """Two judges a row: ``kappa`` of ``first`` and ``second``, who number ``judges``.

    ``shared`` is how many pairs of texts both compared, at least one. Kappa is undefined (nan)
    where both always said "equal".
    """

    judges: tuple[str, ...]
    first: Codes
    second: Codes
    shared: Codes
    kappa: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean over rows, each weighted by what the two share; nan without any."""
        defined = ~np.isnan(self.kappa)
        if not defined.any():
            return float("nan")
        return float(np.average(self.kappa[defined], weights=self.shared[defined]))


def pair_kappas(judgments: Judgments) -> PairKappas:
    """Cohen's kappa of the preferences of every two judges.

    A thing is two texts of one segment; a judge's first look at them counts. Which of the two comes
    first is arbitrary, so every thing counts once from either side, and chance is that of two
    judges with their own shares of ties. Cohen (1960).

    >>> from rankwise.types import Ranking
    >>> seen = [Ranking("1", judge, ("A", "B"), (1, 2)) for judge in ("ann", "bob")]
    >>> pair_kappas(Judgments.from_rankings(seen)).kappa
    array([1.])
    """
    from scipy.sparse import triu  # slow to import

    said = _said(labels(judgments))
    everything = sum(said[1:], said[0])
    rows = np.divmod(_places(triu(everything @ everything.T, k=1)), max(1, len(judgments.judges)))
    if len(rows[0]) == 0:
        nobody = np.empty(0, np.int64)
        return PairKappas(judgments.judges, nobody, nobody, nobody, np.empty(0))
    # table[a, b, k]: how often the first of the k-th two judges says a, and the second b
    counts = [[(one @ other.T).tocsr()[rows] for other in said] for one in said]
    table = np.array(counts, np.float64).reshape(3, 3, -1)
    table += table[::-1, ::-1]
    total = table.sum(axis=(0, 1))
    chance = (table.sum(axis=1) * table.sum(axis=0)).sum(axis=0)
    same = np.trace(table)
    kappa = np.full(len(total), np.nan)
    np.divide(same * total - chance, total**2 - chance, out=kappa, where=total**2 > chance)
    shared = np.rint(total / 2).astype(np.int64)
    return PairKappas(judgments.judges, *rows, shared, kappa)


def _places(matrix: Any) -> Codes:
    """Where a sparse matrix is not 0: the places of its cells, row by row."""
    cells = matrix.tocoo()
    return np.sort(cells.row.astype(np.int64) * matrix.shape[1] + cells.col)


def _said(found: Labels) -> list[Any]:
    """Who said of what that the first text is worse, equal, better: matrices (judges, items)."""
    from scipy.sparse import csr_matrix  # slow to import

    first = np.unique(found.item * max(1, found.judges) + found.judge, return_index=True)[1]
    item, judge, sign = found.item[first], found.judge[first], found.sign[first]
    shape = (found.judges, len(found.segment_of))
    return [
        csr_matrix((np.ones(here.sum()), (judge[here], item[here])), shape=shape)
        for here in (sign == one for one in (-1, 0, 1))
    ]
