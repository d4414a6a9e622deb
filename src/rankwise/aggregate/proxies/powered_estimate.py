r"""Means of human judgments, corrected by scores that a machine gave to everything.

With the value :math:`y_i` that a person gave, what the machine says of the same output as columns
:math:`x_i`, and their means :math:`\bar x_N` over everything,

.. math:: r_i = y_i - \lambda^T (x_i - \bar x_N)

has the mean of :math:`y`, whatever :math:`\lambda` and however wrong the machine is: over texts
that were drawn by chance the correction is 0. Where people and the machine go together, it takes
away what the texts that people happened to see have of their own. It is prediction-powered
inference with a tuned weight: Angelopoulos, Duchi and Zrnic (2023), PPI++.

:math:`\lambda` is fitted to the judgments, and fitted to the same ones it would make their scatter
look too small. So a document is corrected with the weights that the *other* documents gave
(cross-fitting): what is left of it is as large as of documents that nobody has seen. And few
documents may say little about a machine that mostly says the same. So one document is added that
varies as everything does and in which people do not follow the machine (a ridge).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.clustered_errors import ClusteredErrors, clustered_errors
from rankwise.aggregate.scalar.judged_values import Codes, Floats

#: Into how many parts documents are cut, to fit the weights of each part on the others.
FOLDS = 20
#: How many documents in which people do not follow the machine are added.
DOUBT = 0.25

#: From values (N,): means (S,) and the influence (S, N) of every judgment on them.
Fit = Callable[[Floats], tuple[Floats, Floats]]
#: From rows as indices: the weight of every column.
Tune = Callable[[Codes], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class MachineColumns:
    """What the machine says, minus its mean over everything, in one or more ``names``d columns.

    ``judged`` (K, N) stands beside the judgments; ``everywhere`` (K, S, M) is the part that every
    one of M segments has in the mean of every system, and ``document`` (M,) its document, in the
    numbers of the judgments; those without a judgment have higher numbers. ``spread`` (K,) is the
    variance of every column over everything.
    """

    names: tuple[str, ...]
    judged: Floats
    everywhere: Floats
    document: Codes
    spread: Floats

    def doubt(self, rows: Codes, document: Codes) -> Floats:
        """What the ridge adds to the squares of every column in these *rows* of the judgments."""
        documents = int(np.count_nonzero(np.bincount(document[rows])))
        added: Floats = DOUBT * self.spread * len(rows) / max(1, documents)
        return added


@dataclass(frozen=True, slots=True, eq=False)
class PoweredEstimate:
    """Means of systems by people and a machine, beside those by people alone.

    ``weights`` are those of the machine's columns, and ``correlations`` say how far each goes with
    what it may explain of the values; nan where one of the two does not vary. ``machine`` is the
    covariance (S, S) that more judgments would not make smaller: that of what the machine says of
    so many documents. Of systems that are ``unknown`` nothing tells how sure their means are.
    """

    means: Floats
    errors: ClusteredErrors
    alone: Floats
    alone_errors: ClusteredErrors
    weights: Floats
    correlations: Floats
    machine: Floats
    unknown: NDArray[np.bool_]

    @property
    def for_means(self) -> "Help":
        """What the machine does for the means of systems."""
        return self._help(_of_means)

    @property
    def for_differences(self) -> "Help":
        """What the machine does for the differences between two systems."""
        return self._help(_of_differences)

    def half_widths(self, level: float) -> dict[str, tuple[float, float]]:
        """Half of a usual interval, by people alone and together: of a mean, of a difference."""
        from scipy.stats import t  # slow to import

        both, share = (self.alone_errors, self.errors), (1 + level) / 2
        of_mean = [float(t.ppf(share, errors.mean_freedom)) for errors in both]
        of_difference = [float(t.ppf(share, errors.difference_freedom)) for errors in both]
        found = {}
        for name, help_, wide in (
            ("means", self.for_means, of_mean),
            ("differences", self.for_differences, of_difference),
        ):
            variances = np.maximum([help_.alone, help_.together], 0)  # rounding may go below
            alone, together = np.sqrt(variances) * wide
            found[name] = (float(alone), float(together))
        return found

    def _help(self, size: Callable[[Floats], float]) -> "Help":
        known = np.flatnonzero(~self.unknown)
        covariances = (self.alone_errors.covariance, self.errors.covariance, self.machine)
        return Help(*(size(matrix[np.ix_(known, known)]) for matrix in covariances))


@dataclass(frozen=True, slots=True)
class Help:
    """Mean variances: by people ``alone``, ``together``, and of the ``machine``'s own part of it.

    >>> help = Help(alone=4.0, together=2.0, machine=0.5)
    >>> help.worth, help.needed(1.0), help.needed(0.5)
    (2.0, (1.0, 2.0), (inf, 8.0))
    """

    alone: float
    together: float
    machine: float

    @property
    def worth(self) -> float:
        """How many judgments without the machine one with it is worth."""
        return self.alone / self.together if self.together > 0 else float("nan")

    def after(self, times: float) -> tuple[float, float]:
        """The errors with so many *times* the judgments, as shares of that together now.

        With the machine, and by people alone.
        """
        people = max(0.0, self.together - self.machine)
        with_machine = (people / times + self.machine) / self.together
        return with_machine**0.5, (self.alone / times / self.together) ** 0.5

    def needed(self, share: float) -> tuple[float, float]:
        """How many times the judgments give *share* of the error: with the machine, and without.

        What the machine itself leaves unknown, because it saw so many documents and no more, does
        not shrink with more judgments; where it is too much, the first is infinite.
        """
        wanted = self.together * share**2
        room = wanted - self.machine
        with_machine = (self.together - self.machine) / room if room > 0 else float("inf")
        return with_machine, self.alone / wanted if wanted > 0 else float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Values that people gave, each with its judge and document."""

    value: Floats
    judge: Codes
    document: Codes


def powered_estimate(
    said: Values,
    columns: MachineColumns,
    fit: Fit,
    tune: Tune,
    *,
    correlations: Floats,
    unknown: NDArray[np.bool_],
) -> PoweredEstimate:
    """The estimate of what people *said*, helped by the *columns* of the machine.

    Where people saw one document, no other tells how much the machine may count: it does not.
    """
    alone, influence = fit(said.value)
    alone_errors = careful_errors(influence, said.judge, said.document)
    weights = _cross_fitted(tune, said.document, len(columns.names))
    means, influence = fit(said.value - (weights * columns.judged).sum(axis=0))
    errors = careful_errors(influence, said.judge, said.document)
    everywhere = np.tensordot(weights.mean(axis=1), columns.everywhere, axes=1)
    machine = _machine_part(influence, said.document, everywhere, columns.document)
    whole = replace(errors, covariance=_not_negative(errors.covariance + machine))
    every_row = np.arange(len(said.value))
    fitted = tune(every_row) if said.document.max() > 0 else np.zeros(len(columns.names))
    return PoweredEstimate(
        means, whole, alone, alone_errors, fitted, correlations, machine, unknown
    )


def careful_errors(influence: Floats, judge: Codes, document: Codes) -> ClusteredErrors:
    r"""Clustered errors that know how unequal few documents are.

    A document with the share :math:`h` of all judgments pulls the means towards itself, so that too
    little of it is left. Its sum counts :math:`(1 - 1/D) / (1 - h)` times, which makes the errors
    those of leaving out one document at a time; and unequal documents tell as little as
    :math:`1 / \sum h^2` equal ones, by which the degrees of freedom go. Documents of one size have
    the errors of :func:`clustered_errors`.

    >>> values = np.array([3.0, 5.0, 4.0, 8.0])
    >>> rows, judge = (values - 5)[None] / 4, np.zeros(4, int)
    >>> careful_errors(rows, judge, np.arange(4)).deviations.round(4)
    array([1.0801])
    >>> found = careful_errors(rows, judge, np.array([0, 1, 2, 2]))
    >>> found.deviations.round(4), round(found.mean_freedom, 2)
    (array([0.9813]), 1.67)
    """
    shares = np.bincount(document) / len(document)
    if len(shares) < 2:
        return clustered_errors(influence, judge, document)
    pull = (1 - 1 / len(shares)) / (1 - shares)
    found = clustered_errors(influence * pull[document], judge, document)
    most = max(1.0, float(1 / (shares**2).sum()) - 1)
    return replace(
        found,
        difference_freedom=min(found.difference_freedom, most),
        mean_freedom=min(found.mean_freedom, most),
    )


def _cross_fitted(tune: Tune, document: Codes, count: int) -> Floats:
    """The weights (K, N) beside every judgment, from the judgments of other documents.

    They are 0 where there is no other document.
    """
    folds = document % min(FOLDS, int(document.max()) + 1)
    found = np.zeros((count, len(document)))
    for fold in range(int(folds.max()) + 1):
        rest = np.flatnonzero(folds != fold)
        if len(rest):
            found[:, folds == fold] = tune(rest)[:, None]
    return found


def _machine_part(
    influence: Floats, document: Codes, everywhere: Floats, documents: Codes
) -> Floats:
    """The covariance of the machine's means, and what it has in common with the judgments'."""
    count = int(max(document.max(), documents.max())) + 1
    machine = sums_over(everywhere, documents, count)
    both = sums_over(influence, document, count) @ machine.T
    return np.asarray(machine @ machine.T + both + both.T, np.float64)


def sums_over(rows: Floats, codes: Codes, count: int) -> Floats:
    """Every row (R, N) added up by *codes*: (R, count)."""
    return np.array([np.bincount(codes, row, count) for row in rows], np.float64)


def solved(products: Floats, with_values: Floats, doubt: Floats) -> Floats:
    """The weights of normal equations with a ridge; 0 for a column that does not vary.

    >>> solved(np.array([[3.0, 0.0], [0.0, 0.0]]), np.array([2.0, 0.0]), np.array([1.0, 0.0]))
    array([0.5, 0. ])
    """
    varies = np.flatnonzero(doubt > 0)
    weights = np.zeros(len(doubt))
    within = products[np.ix_(varies, varies)] + np.diag(doubt[varies])
    weights[varies] = np.linalg.solve(within, with_values[varies])
    return weights


def correlation(one: Floats, other: Floats) -> float:
    """The correlation of what is centred already; nan where one of the two does not vary.

    >>> round(correlation(np.array([1.0, -1.0]), np.array([2.0, -2.0])), 6)
    1.0
    """
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 1e-12 * len(one) else float("nan")


def _not_negative(matrix: Floats) -> Floats:
    values, vectors = np.linalg.eigh(matrix)
    kept: Floats = (vectors * np.maximum(values, 0)) @ vectors.T
    return kept


def _of_means(covariance: Floats) -> float:
    """The mean variance of the mean of a system."""
    return float(np.trace(covariance)) / len(covariance) if len(covariance) else float("nan")


def _of_differences(covariance: Floats) -> float:
    """The mean variance of the difference of two systems."""
    count = len(covariance)
    if count < 2:
        return float("nan")
    rest = float(covariance.sum()) - float(np.trace(covariance))
    return 2 * (float(np.trace(covariance)) / count - rest / (count * (count - 1)))
