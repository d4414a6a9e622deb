r"""What the scores of documents say about the means of systems, as one normal distribution.

Choosing what to show next needs the whole covariance of the means, within milliseconds, from the
first score on. So this is no model that ranks (see ``aggregate.scalar`` for those): its means are
pulled towards each other by a prior, its uncertainty is a formula, and it never fails for want of
data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.posterior import difference_variances, drawn_leaderboard
from rankwise.types import Assessments, Leaderboard
from rankwise.types.judging.assessments import REAL_ROLES

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: How many values the first guess of a variance is worth, how many steps are made, and how close
#: variances must be to stop, as a share of them.
_GUESS, _STEPS, _CLOSE = 4.0, 40, 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScores:
    """The mean score that a judge gave a system's column of a document; codes from 0.

    ``system`` numbers ``systems``. ``copies`` is how many judges scored the same column: what is
    good or bad about it they all see, so that together they count as one.
    """

    systems: tuple[str, ...]
    system: Codes
    document: Codes
    judge: Codes
    value: Floats
    copies: Floats

    @classmethod
    def of(
        cls, assessments: Assessments | None, systems: tuple[str, ...] | None = None
    ) -> "DocumentScores":
        """The columns that *assessments* score; segments are documents where none are named."""
        if assessments is None or not len(assessments):
            none = np.empty(0, np.int64)
            return cls(systems or (), none, none, none, np.empty(0), np.empty(0))
        names = assessments.systems if systems is None else systems
        number = {name: place for place, name in enumerate(names)}
        codes = np.array([number.get(name, -1) for name in assessments.systems], np.int64)
        real = np.array([role in REAL_ROLES for role in assessments.roles], np.bool_)
        keep = real[assessments.role] & ~np.isnan(assessments.value)
        keep &= codes[assessments.system] >= 0
        named = assessments.info.get("document", assessments.segment)
        document = np.unique(np.asarray(named)[keep].astype(str), return_inverse=True)[1]
        system, judge = codes[assessments.system[keep]], assessments.judge[keep].astype(np.int64)
        return cls._joined(names, system, document, judge, assessments.value[keep])

    @classmethod
    def _joined(
        cls, names: tuple[str, ...], system: Codes, document: Codes, judge: Codes, value: Floats
    ) -> "DocumentScores":
        """One score for all segments of a column, by every judge."""
        cell = document * len(names) + system
        judges = int(judge.max(initial=0)) + 1
        found, place = np.unique(cell * judges + judge, return_inverse=True)
        means = np.bincount(place, value) / np.bincount(place)
        cell, judge = found // judges, found % judges
        copies = np.unique(cell, return_inverse=True, return_counts=True)
        document = np.unique(cell // len(names), return_inverse=True)[1]
        judge = np.unique(judge, return_inverse=True)[1]
        times = copies[2][copies[1]].astype(np.float64)
        return cls(names, cell % len(names), document, judge, means, times)

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class ScorePosterior:
    """Means of systems: a normal distribution with this mean and covariance.

    ``noise[s]`` is the variance of one column's score of system s, ``shared`` that of a document
    and its judge, which all columns of a screen have in common.
    """

    systems: tuple[str, ...]
    mean: Floats
    covariance: Floats
    noise: Floats
    shared: float

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def variances(self) -> Floats:
        """The variances (S, S) of the differences of two means."""
        return difference_variances(self.covariance)

    def expecting(self, shown: Sequence[int]) -> "ScorePosterior":
        r"""The distribution after a screen of some systems whose scores are not known yet.

        .. math:: \Sigma' = \Sigma - \Sigma_{A}^T (\Sigma_{AA} + N_A + s 1 1^T)^{-1} \Sigma_{A}

        with N the noise of the systems A and s what their columns share.
        """
        rows = list(shown)
        total = self.covariance[np.ix_(rows, rows)] + np.diag(self.noise[rows]) + self.shared
        taken = self.covariance[:, rows] @ np.linalg.solve(total, self.covariance[rows])
        return replace(self, covariance=self.covariance - (taken + taken.T) / 2)

    def leaderboard(self, *, level: float = 0.95) -> Leaderboard:
        """The systems with rank ranges and clusters, by the rule that ``rank`` uses.

        The runs are draws from the distribution, by one fixed list of random numbers.
        """
        return drawn_leaderboard(self.systems, self.mean, self.covariance, level=level)

    def pair_gains(self, contrast: Floats) -> Floats:
        """How much a screen of two systems (P, S, S) takes from the variances of contrasts (P, S).

        A contrast is the covariance of a difference with every mean. The diagonal is what a screen
        of the one system takes.
        """
        own = np.diag(self.covariance) + self.noise + self.shared
        both = self.covariance + self.shared
        determinant = own[:, None] * own[None, :] - both**2
        np.fill_diagonal(determinant, 1.0)
        one, other = contrast[:, :, None], contrast[:, None, :]
        found = own[None, None, :] * one**2 - 2 * both * one * other + own[None, :, None] * other**2
        found = found / determinant
        places = np.arange(len(self))
        found[:, places, places] = contrast**2 / own
        return np.asarray(found, np.float64)

    def gains_with(self, chosen: Sequence[int], contrast: Floats) -> Floats:
        """The same (P, S) for a screen of the systems *chosen* and one more; 0 for those chosen."""
        found = np.zeros(contrast.shape)
        for more in range(len(self)):
            if more not in chosen:
                rows = [*chosen, more]
                total = self.covariance[np.ix_(rows, rows)] + self.shared
                total += np.diag(self.noise[rows])
                part = contrast[:, rows]
                found[:, more] = (part * np.linalg.solve(total, part.T).T).sum(axis=1)
        return found


def score_posterior(scores: DocumentScores) -> ScorePosterior:
    r"""The means :math:`\theta` that *scores* speak for.

    .. math:: y = \mu + \theta_s + a_j + b_d + e, \quad \theta \sim N(0, t^2),\
              a \sim N(0, \sigma_a^2),\ b \sim N(0, \sigma_b^2),\ e \sim N(0, \sigma_s^2)

    with effects of judges and documents, and a noise of its own for every system: bad systems
    vary more. All variances are learned, by steps of expectation-maximisation from a guess that is
    worth a few values. Without scores all means are equal and the prior remains.

    >>> rows = [(s, str(d), "ann", "TGT", 50.0 + 9 * (s == "A") + d % 3) for s in "AB"
    ...         for d in range(12)]
    >>> found = score_posterior(DocumentScores.of(Assessments.from_rows(rows)))
    >>> bool(found.mean[0] - found.mean[1] > 8)
    True
    """
    size = len(scores.systems)
    if not len(scores):
        return ScorePosterior(scores.systems, np.zeros(size), np.eye(size), np.full(size, 4.0), 4.0)
    centre = float(scores.value.mean())
    total = float(scores.value.var()) or 1.0
    fit = _Fit(np.full(size, total / 2), total / 4, total / 8, total / 8)
    for _ in range(_STEPS):
        mean, covariance, later = _step(scores, scores.value - centre, fit, total)
        far = max(
            abs(later.document - fit.document),
            abs(later.judge - fit.judge),
            abs(later.system - fit.system),
            float(np.abs(later.noise - fit.noise).max()),
        )
        fit = later
        if far < _CLOSE * total:
            break
    return ScorePosterior(
        scores.systems, mean + centre, covariance, fit.noise, fit.document + fit.judge
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """The variances: of a column's noise by system, of documents, judges and systems."""

    noise: Floats
    document: float
    judge: float
    system: float


def _step(
    scores: DocumentScores, value: Floats, fit: _Fit, total: float
) -> tuple[Floats, Floats, _Fit]:
    """Means of systems, their covariance, and the variances after a step.

    The effects of documents are eliminated; columns of the equations are systems and judges.
    """
    size, judges = len(scores.systems), int(scores.judge.max()) + 1
    documents, width = int(scores.document.max()) + 1, size + judges
    weight = 1 / (fit.noise[scores.system] * scores.copies)
    columns = (scores.system, scores.judge + size)
    shape = (documents, width)
    joint = np.sum([_table(scores.document, one, weight, shape) for one in columns], axis=0)
    design = sum(_table(a, b, weight, (width, width)) for a in columns for b in columns)
    diagonal = np.bincount(scores.document, weight, documents) + 1 / fit.document
    matrix = design - joint.T @ (joint / diagonal[:, None])
    matrix[np.arange(width), np.arange(width)] += np.repeat(
        [1 / fit.system, 1 / fit.judge], [size, judges]
    )
    inverse = np.linalg.inv(matrix)
    right = sum(np.bincount(one, weight * value, width) for one in columns)
    by_document = np.bincount(scores.document, weight * value, documents)
    effects = inverse @ (right - joint.T @ (by_document / diagonal))
    of_documents = (by_document - joint @ effects) / diagonal
    shares = joint / diagonal[:, None]
    along = shares @ inverse
    doubt = 1 / diagonal + (along * shares).sum(axis=1)
    # the variance of what is left of each value, given the scores
    system, judge, document = scores.system, scores.judge + size, scores.document
    own = np.diag(inverse)
    spread = own[system] + own[judge] + 2 * inverse[system, judge] + doubt[document]
    spread -= 2 * (along[document, system] + along[document, judge])
    rest = value - effects[system] - effects[judge] - of_documents[document]
    squares = (rest**2 + spread) / scores.copies
    noise = (np.bincount(system, squares, size) + _GUESS * _mean(squares)) / (
        np.bincount(system, minlength=size) + _GUESS
    )
    later = _Fit(
        np.maximum(noise, 1e-6 * total),
        _variance(of_documents**2 + doubt, total),
        _variance(effects[size:] ** 2 + own[size:], total),
        _variance(effects[:size] ** 2 + own[:size], total),
    )
    return effects[:size], inverse[:size, :size], later


def _variance(squares: Floats, total: float) -> float:
    """Their mean, with a few guesses at a small share of all variance."""
    return max((float(squares.sum()) + total / 8) / (len(squares) + 1), 1e-6 * total)


def _mean(values: Floats) -> float:
    return float(values.mean())


def _table(rows: Codes, columns: Codes, weight: Floats, shape: tuple[int, int]) -> Floats:
    cells = np.bincount(rows * shape[1] + columns, weight, shape[0] * shape[1])
    return np.asarray(cells, np.float64).reshape(shape)
