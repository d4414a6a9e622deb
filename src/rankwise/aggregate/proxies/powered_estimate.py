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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankwise.aggregate.scalar.clustered_errors import ClusteredErrors, clustered_errors
from rankwise.aggregate.scalar.judged_values import Codes, Floats

#: Into how many parts documents are cut, to fit the weights of each part on the others.
FOLDS = 20
#: How many documents in which people do not follow the machine are added.
DOUBT = 0.25

#: From values (N,): means (S,) and the influence (S, N) of every judgment on them.
Fit = Callable[[Floats], tuple[Floats, Floats]]
#: From rows as indices: the weight of every column, and how far each goes with the values.
Tune = Callable[[Codes], "TunedWeights"]


@dataclass(frozen=True, slots=True, eq=False)
class TunedWeights:
    """The weight of every column of the machine, and its correlation with what people said."""

    weights: Floats
    correlations: Floats


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
        documents = len(np.unique(document[rows]))
        added: Floats = DOUBT * self.spread * len(rows) / max(1, documents)
        return added


@dataclass(frozen=True, slots=True, eq=False)
class PoweredEstimate:
    """Means of systems by people and a machine, beside those by people alone.

    ``machine`` is the covariance (S, S) that more judgments would not make smaller: that of what
    the machine says of so many documents.
    """

    means: Floats
    errors: ClusteredErrors
    alone: Floats
    alone_errors: ClusteredErrors
    tuned: TunedWeights
    machine: Floats

    @property
    def for_means(self) -> "Help":
        """What the machine does for the means of systems."""
        return self._help(lambda matrix: float(np.trace(matrix)) / len(matrix))

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
            alone, together = np.sqrt([help_.alone, help_.together]) * wide
            found[name] = (float(alone), float(together))
        return found

    def _help(self, size: Callable[[Floats], float]) -> "Help":
        covariances = (self.alone_errors.covariance, self.errors.covariance, self.machine)
        return Help(*map(size, covariances))


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

    def needed(self, share: float) -> tuple[float, float]:
        """How many times the judgments give *share* of the error: with the machine, and without.

        What the machine itself leaves unknown, because it saw so many documents and no more, does
        not shrink with more judgments; where it is too much, the first is infinite.
        """
        wanted = self.together * share**2
        room = wanted - self.machine
        with_machine = (self.together - self.machine) / room if room > 0 else float("inf")
        return with_machine, self.alone / wanted if wanted > 0 else float("inf")


def powered_estimate(
    value: Floats, columns: MachineColumns, fit: Fit, tune: Tune, judge: Codes, document: Codes
) -> PoweredEstimate:
    """The estimate of judgments with a *value*, a *judge* and a *document* each."""
    alone, influence = fit(value)
    alone_errors = clustered_errors(influence, judge, document)
    tuned = tune(np.arange(len(value)))
    weights = _cross_fitted(tune, document, len(columns.names))
    means, influence = fit(value - (weights * columns.judged).sum(axis=0))
    errors = clustered_errors(influence, judge, document)
    everywhere = np.tensordot(weights.mean(axis=1), columns.everywhere, axes=1)
    own, shared = _machine_parts(influence, document, everywhere, columns.document)
    whole = replace(errors, covariance=_not_negative(errors.covariance + own + shared))
    return PoweredEstimate(means, whole, alone, alone_errors, tuned, own + shared)


def _cross_fitted(tune: Tune, document: Codes, count: int) -> Floats:
    """The weights (K, N) beside every judgment, from the judgments of other documents."""
    folds = document % min(FOLDS, int(document.max()) + 1)
    found = np.zeros((count, len(document)))
    for fold in range(int(folds.max()) + 1):
        rest = np.flatnonzero(folds != fold)
        found[:, folds == fold] = tune(rest).weights[:, None]
    return found


def _machine_parts(
    influence: Floats, document: Codes, everywhere: Floats, documents: Codes
) -> tuple[Floats, Floats]:
    """The covariance of the machine's means, and what it has in common with the judgments'."""
    count = int(max(document.max(), documents.max())) + 1
    machine = sums_over(everywhere, documents, count)
    people = sums_over(influence, document, count)
    both = people @ machine.T
    return machine @ machine.T, both + both.T


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


def correlations_of(products: Sequence[float], with_values: Sequence[float], own: float) -> Floats:
    """The correlation of every column with the values; nan where one of the two does not vary."""
    size = np.sqrt(np.maximum(np.asarray(products, np.float64) * own, 0))
    found: Floats = np.full(len(size), np.nan)
    return np.divide(np.asarray(with_values, np.float64), size, out=found, where=size > 0)


def _not_negative(matrix: Floats) -> Floats:
    values, vectors = np.linalg.eigh(matrix)
    kept: Floats = (vectors * np.maximum(values, 0)) @ vectors.T
    return kept


def _of_differences(covariance: Floats) -> float:
    """The mean variance of the difference of two systems."""
    count = len(covariance)
    if count < 2:
        return float("nan")
    rest = float(covariance.sum()) - float(np.trace(covariance))
    return 2 * (float(np.trace(covariance)) / count - rest / (count * (count - 1)))
