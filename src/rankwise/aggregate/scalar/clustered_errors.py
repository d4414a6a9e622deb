r"""How sure means are, where the judgments of one judge and of one document go together.

With the influence :math:`u_i` of every judgment on the means, summed over judges, over documents
and over what a judge said about a document,

.. math:: V_J = \frac{J}{J - 1} \sum_j u_j u_j^T, \qquad
          V = V_D + (V_J - V_{JD})_+

where :math:`(\cdot)_+` drops what is negative. It is the two-way clustered covariance of Cameron,
Gelbach and Miller (2011), JBES 29, kept from being smaller than that of documents alone. What few
judges leave unknown is in the degrees of freedom, after Satterthwaite (1946), Biometrics 2.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import Codes, Floats, numbered
from rankwise.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredErrors:
    """The covariance (S, S) of means, and degrees of freedom: of differences, and of the means.

    Those of the means are as few as the smallest group allows. ``of_pairs`` (S, S) are the most
    that two systems have of which one was judged less than others, ``of_systems`` (S,) the most
    that a mean has; absent where all were judged alike. Of systems that are ``unknown`` (S,), with
    one document, or one judge where documents do not count, nothing tells how sure their means are.
    """

    covariance: Floats
    difference_freedom: float
    mean_freedom: float
    of_pairs: Floats | None = None
    of_systems: Floats | None = None
    unknown: NDArray[np.bool_] | None = None

    @property
    def deviations(self) -> Floats:
        """The standard errors of the means."""
        return np.sqrt(np.diag(self.covariance))

    def intervals(self, means: Floats, *, level: float) -> tuple[Floats, Floats]:
        """The interval of every mean, by Student's distribution."""
        from scipy.stats import t  # slow to import

        freedom = _at_most(self.mean_freedom, self.of_systems)
        wide = t.ppf((1 + level) / 2, freedom) * self.deviations
        return means - wide, means + wide

    def p_values(self, means: Floats) -> Floats:
        """The two-sided p-value (S, S) of every difference of two means; nan on the diagonal."""
        from scipy.stats import t

        scatter = np.sqrt(_of_differences(self.covariance))
        size = np.abs(means[:, None] - means)
        ratio = np.divide(size, scatter, out=np.where(size > 0, np.inf, 0.0), where=scatter > 0)
        p: Floats = 2 * t.sf(ratio, _at_most(self.difference_freedom, self.of_pairs))
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
        chances = random.chisquare(self.difference_freedom, runs)
        drawn: Floats = means + self._scales(chances) * (normal @ root.T)
        return drawn

    def _scales(self, squares: Floats) -> Floats:
        """How far every run is from the means, (runs, 1) or (runs, S), in normal deviations.

        Systems of fewer degrees of freedom are far where the others are, and farther.
        """
        usual: Floats = np.sqrt(self.difference_freedom / squares)[:, None]
        if self.of_pairs is None:
            return usual
        from scipy.stats import chi2

        freedom = np.minimum(self.difference_freedom, self.of_pairs).max(axis=1)
        scales: Floats = np.repeat(usual, len(freedom), axis=1)
        below = chi2.cdf(squares, self.difference_freedom)
        for place in np.flatnonzero(freedom < self.difference_freedom).tolist():
            own = chi2.ppf(np.maximum(below, 1e-9), freedom[place])
            scales[:, place] = np.sqrt(freedom[place] / own)
        return scales


def clustered_errors(
    influence: Floats, *groups: Codes, system: Codes | None = None
) -> ClusteredErrors:
    """The errors of means of which every judgment has an *influence* (S, N).

    *groups* are what goes together: one of judges and one of documents, or one alone. A group of
    one member tells nothing and is left out. *system* is the one that each judgment is of; without
    it all count as judged by all members of the groups.

    >>> values = np.array([3.0, 5.0, 4.0, 8.0])
    >>> found = clustered_errors((values - 5)[None] / 4, np.arange(4))
    >>> found.deviations.round(4), found.mean_freedom  # deviation / sqrt(4), and 4 - 1
    (array([1.0801]), 3.0)
    """
    useful = _coarsest([group for group in groups if len(group) and group.max() > 0])
    if not useful:
        raise DataError("one judge and one document leave nothing to tell chance by")
    parts = [_covariance(influence, group, system) for group in useful]
    covariance = parts[0]
    if len(useful) == 2:
        rest = parts[0] - _covariance(influence, _joint(*useful), system)
        covariance = parts[1] + _not_negative(rest)
    sizes = [int(group.max()) + 1 for group in useful]
    # How mild judges are moves all means, so that few judges leave much unknown about them; of
    # differences between systems it takes nothing away.
    found = ClusteredErrors(covariance, _freedom(covariance, parts, sizes), float(min(sizes) - 1))
    return found if system is None else _unequal(found, parts, sizes, useful, system)


def members_of(system: Codes, group: Codes) -> Codes:
    """How many members of a group every system has.

    >>> members_of(np.array([0, 0, 0, 1]), np.array([0, 1, 1, 1]))
    array([2, 1])
    """
    size = int(group.max()) + 1
    cells = np.unique(system * size + group)
    return np.bincount(cells // size).astype(np.int64)


def _unequal(
    errors: ClusteredErrors,
    parts: list[Floats],
    sizes: list[int],
    groups: list[Codes],
    system: Codes,
) -> ClusteredErrors:
    """The errors with the degrees of freedom of systems that few members of a group know.

    Of a group that a system has one member of, it knows nothing; the others then count alone.
    """
    held = np.array([members_of(system, group) for group in groups])
    if all((own == size).all() for own, size in zip(held, sizes, strict=True)):
        return errors
    of_systems = np.where(held > 1, held - 1, np.inf).min(axis=0)
    freedom = np.minimum(held[:, :, None], held[:, None, :]) - 1
    whole, *each = (_of_differences(part) for part in (errors.covariance, *parts))
    doubt = sum(
        np.where(own > 0, part**2 / np.maximum(own, 1), 0.0)
        for part, own in zip(each, freedom, strict=True)
    )
    most = np.maximum(freedom.max(axis=0), 1.0)
    found = np.divide(whole**2, doubt, out=most.copy(), where=doubt > 0)
    is_whole = np.all(held == np.array(sizes)[:, None], axis=0)
    of_pairs = np.where(is_whole[:, None] & is_whole, np.inf, np.clip(found, 1.0, most))
    return replace(
        errors,
        of_pairs=of_pairs,
        of_systems=np.where(np.isfinite(of_systems), of_systems, 1.0),
        unknown=held[-1] < 2,
    )


def _of_differences(covariance: Floats) -> Floats:
    """The variance (S, S) of the difference of every two means."""
    variance = np.diag(covariance)
    found: Floats = np.maximum(variance[:, None] + variance - 2 * covariance, 0)
    return found


def _at_most(freedom: float, own: Floats | None) -> Floats | float:
    return freedom if own is None else np.asarray(np.minimum(freedom, own), np.float64)


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


def _covariance(influence: Floats, group: Codes, system: Codes | None) -> Floats:
    """Products of sums over members, each mean's sums as much larger as its members are few."""
    count = int(group.max()) + 1
    sums = np.array([np.bincount(group, row, count) for row in influence])
    if system is None:
        found: Floats = count / (count - 1) * (sums @ sums.T)
        return found
    held = members_of(system, group)
    larger = np.where(held > 1, held / np.maximum(held - 1, 1), count / (count - 1))
    scale = np.sqrt(larger)
    scaled: Floats = np.outer(scale, scale) * (sums @ sums.T)
    return scaled


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
