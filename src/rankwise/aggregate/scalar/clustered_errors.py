r"""How sure means are, where the judgments of one judge and of one document go together.

With the influence :math:`u_i` of every judgment on the means, summed over judges, over documents
and over what a judge said about a document,

.. math:: V_J = \frac{J}{J - 1} \sum_j u_j u_j^T, \qquad
          V = V_D + (V_J - V_{JD})_+

where :math:`(\cdot)_+` drops what is negative. It is the two-way clustered covariance of Cameron,
Gelbach and Miller (2011), JBES 29, kept from being smaller than that of documents alone. What few
judges leave unknown is in the degrees of freedom, after Satterthwaite (1946), Biometrics 2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import Codes, Floats, numbered
from rankwise.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredErrors:
    """The covariance (S, S) of means, and degrees of freedom: of differences, and of the means.

    Those of the means are as few as the smallest group allows.
    """

    covariance: Floats
    difference_freedom: float
    mean_freedom: float

    @property
    def deviations(self) -> Floats:
        """The standard errors of the means."""
        return np.sqrt(np.diag(self.covariance))

    def intervals(self, means: Floats, *, level: float) -> tuple[Floats, Floats]:
        """The interval of every mean, by Student's distribution."""
        from scipy.stats import t  # slow to import

        wide = float(t.ppf((1 + level) / 2, self.mean_freedom)) * self.deviations
        return means - wide, means + wide

    def p_values(self, means: Floats) -> Floats:
        """The two-sided p-value (S, S) of every difference of two means; nan on the diagonal."""
        from scipy.stats import t

        variance = np.diag(self.covariance)
        scatter = np.sqrt(np.maximum(variance[:, None] + variance - 2 * self.covariance, 0))
        size = np.abs(means[:, None] - means)
        ratio = np.divide(size, scatter, out=np.where(size > 0, np.inf, 0.0), where=scatter > 0)
        p: Floats = 2 * t.sf(ratio, self.difference_freedom)
        np.fill_diagonal(p, np.nan)
        return p

    def draws(self, means: Floats, *, runs: int, seed: int) -> Floats:
        """Means (runs, S) as they might have been: Student's distribution around *means*."""
        if runs < 1:
            raise DataError(f"{runs} runs; expected at least 1")
        random = np.random.default_rng(seed)
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0))
        normal = random.standard_normal((runs, len(means)))
        scale = np.sqrt(self.difference_freedom / random.chisquare(self.difference_freedom, runs))
        drawn: Floats = means + scale[:, None] * (normal @ root.T)
        return drawn


def clustered_errors(influence: Floats, *groups: Codes) -> ClusteredErrors:
    """The errors of means of which every judgment has an *influence* (S, N).

    *groups* are what goes together: one of judges and one of documents, or one alone. A group of
    one member tells nothing and is left out.

    >>> values = np.array([3.0, 5.0, 4.0, 8.0])
    >>> found = clustered_errors((values - 5)[None] / 4, np.arange(4))
    >>> found.deviations.round(4), found.mean_freedom  # deviation / sqrt(4), and 4 - 1
    (array([1.0801]), 3.0)
    """
    useful = _coarsest([group for group in groups if len(group) and group.max() > 0])
    if not useful:
        raise DataError("one judge and one document leave nothing to tell chance by")
    parts = [_covariance(influence, group) for group in useful]
    covariance = parts[0]
    if len(useful) == 2:
        covariance = parts[1] + _not_negative(parts[0] - _covariance(influence, _joint(*useful)))
    sizes = [int(group.max()) + 1 for group in useful]
    # How mild judges are moves all means, so that few judges leave much unknown about them; of
    # differences between systems it takes nothing away.
    return ClusteredErrors(covariance, _freedom(covariance, parts, sizes), float(min(sizes) - 1))


def of_one_unit(system: Codes, *groups: Codes) -> NDArray[np.bool_]:
    """Which systems have values of one member of every group, and so nothing that varies.

    Groups that have one member for all systems say nothing. Numbers are from 0, and each occurs.

    >>> of_one_unit(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.array([0, 0, 0, 0]))
    array([False,  True])
    """
    alone = np.ones(int(system.max()) + 1, np.bool_)
    for group in groups:
        size = int(group.max()) + 1
        if size > 1:
            cells = np.unique(system * size + group)
            alone &= np.bincount(cells // size, minlength=len(alone)) < 2
    return alone


def _coarsest(groups: list[Codes]) -> list[Codes]:
    """Both groups; of one that lies within the other, as documents with one judge each, the other.

    The two-way covariance then is that of the coarser group.
    """
    if len(groups) < 2:
        return groups
    cells = int(_joint(*groups).max())
    within = [group for group in groups if int(group.max()) < cells]
    return within or groups[:1]


def _joint(one: Codes, other: Codes) -> Codes:
    """What lies in the same group of both."""
    return numbered(one * (int(other.max()) + 1) + other)


def _covariance(influence: Floats, group: Codes) -> Floats:
    count = int(group.max()) + 1
    sums = np.array([np.bincount(group, row, count) for row in influence])
    found: NDArray[np.float64] = count / (count - 1) * (sums @ sums.T)
    return found


def _not_negative(matrix: Floats) -> Floats:
    """The part of a symmetric matrix that adds variance."""
    values, vectors = np.linalg.eigh(matrix)
    kept: Floats = (vectors * np.maximum(values, 0)) @ vectors.T
    return kept


def _freedom(covariance: Floats, parts: list[Floats], sizes: list[int]) -> float:
    """Degrees of freedom of differences between means, by the variance of each part.

    At most those of the largest group, at least one.
    """
    look = np.eye(len(covariance)) - 1 / len(covariance)
    whole, *each = (float(np.trace(look @ part @ look)) for part in (covariance, *parts))
    doubt = sum(part**2 / (size - 1) for part, size in zip(each, sizes, strict=True))
    most = float(max(sizes) - 1)
    return most if doubt <= 0 else float(np.clip(whole**2 / doubt, 1.0, most))
