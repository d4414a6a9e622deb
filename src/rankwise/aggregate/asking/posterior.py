"""What the judgments say about the strengths of systems, as one normal distribution.

Choosing what to ask next needs the whole covariance of the strengths, within milliseconds, from
the first judgment on; the models of preference that rank systems need neither. So this is no
member of ``MODELS``: its strengths are pulled towards each other by a prior, its uncertainty is a
formula instead of resampled runs, and it never fails for want of data.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.clusters import leaderboard

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Before any judgment: the variance of strengths (log odds), and how many systems that is worth.
PRIOR_VARIANCE, PRIOR_WEIGHT = 0.1, 2.0
_ITERATIONS, _TOLERANCE, _LONGEST_STEP = 50, 1e-7, 2.0
_DRAWS = 1000
_FACTORS: dict[int, Floats] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Comparisons of numbered systems: ``sign`` is +1, 0, -1 where left won, tied, lost.

    ``screen`` numbers the looks from 0; comparisons of one look are not independent.
    """

    systems: tuple[str, ...]
    left: Codes
    right: Codes
    sign: NDArray[np.int8]
    screen: Codes

    @classmethod
    def of(cls, judgments: Judgments | None, systems: tuple[str, ...] | None = None) -> "Evidence":
        """The comparisons of *judgments* between *systems* (all of them, if not given).

        Two systems with the same text on a screen are no comparison: that they tie was known
        before anybody looked.
        """
        if judgments is None or len(judgments) == 0:
            none = np.empty(0, np.int64)
            return cls(systems or (), none, none, np.empty(0, np.int8), none)
        names = judgments.systems if systems is None else systems
        code = {name: number for number, name in enumerate(names)}
        codes = np.array([code.get(name, -1) for name in judgments.systems], np.int64)
        pairs = judgments.pairs(within_outputs=False)
        left, right = codes[pairs.left], codes[pairs.right]
        screen, sign = judgments.screen[pairs.ranking], pairs.sign
        if (codes < 0).any():
            known = (left >= 0) & (right >= 0)
            left, right, screen, sign = left[known], right[known], screen[known], sign[known]
        return cls(names, left, right, sign, _numbered(screen))

    def __len__(self) -> int:
        return len(self.sign)

    def select(self, rows: NDArray[np.bool_] | Codes) -> "Evidence":
        """Some of the comparisons."""
        left, right = self.left[rows], self.right[rows]
        return Evidence(self.systems, left, right, self.sign[rows], self.screen[rows])

    def wins_and_ties(self) -> tuple[Floats, Floats]:
        """Matrices (S, S): how often row beat column, and how often they were tied."""
        size = len(self.systems)
        ahead = np.where(self.sign > 0, self.left, self.right) * size
        ahead += np.where(self.sign > 0, self.right, self.left)
        is_tie = self.sign == 0
        wins = np.bincount(ahead[~is_tie], minlength=size * size).reshape(size, size)
        ties = np.bincount(ahead[is_tie], minlength=size * size).reshape(size, size)
        return wins.astype(np.float64), (ties + ties.T).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Strengths of systems: a normal distribution with this mean and covariance.

    ``information[i, j]`` is what one more comparison of i and j would add to the precision of
    their difference; ``compared[i, j]`` is how often they were compared.
    """

    systems: tuple[str, ...]
    mean: Floats
    covariance: Floats
    information: Floats
    compared: Floats

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def variances(self) -> Floats:
        """The variances (S, S) of the differences of two strengths."""
        return difference_variances(self.covariance)

    def expecting(self, left: int, right: int, comparisons: float = 1.0) -> "Posterior":
        r"""The distribution after comparisons whose answers are not known yet.

        The mean is expected to stay; the covariance shrinks by a formula without the answers:

        .. math:: \Sigma' = \Sigma - \frac{\Sigma x x^\top \Sigma}{1/(n q) + x^\top \Sigma x},
                  \quad x = e_i - e_j

        with q the information of one comparison.
        """
        column = self.covariance[:, left] - self.covariance[:, right]
        spread = column[left] - column[right] + 1 / (comparisons * self.information[left, right])
        compared = self.compared.copy()
        compared[[left, right], [right, left]] += comparisons
        covariance = self.covariance - np.outer(column, column) / spread
        return replace(self, covariance=covariance, compared=compared)

    def expecting_screens(self, screens: Iterable[Sequence[int]]) -> "Posterior":
        r"""The same after screens of k systems each, in any order.

        The pairs of a screen share one look, so that each counts as 3 / (k + 1) comparisons. All of
        them together add the Laplacian L of their information to the precision:

        .. math:: \Sigma' = (\Sigma^{-1} + L)^{-1} = (I + \Sigma L)^{-1} \Sigma
        """
        more = np.zeros_like(self.compared)
        for shown in screens:
            more[np.ix_(shown, shown)] += 3 / (len(shown) + 1)
        np.fill_diagonal(more, 0)
        added = more * self.information
        laplacian = np.diag(added.sum(axis=1)) - added
        found = np.linalg.solve(np.eye(len(self)) + self.covariance @ laplacian, self.covariance)
        return replace(self, covariance=(found + found.T) / 2, compared=self.compared + more)

    def draws(self, standard: Floats) -> Floats:
        """Strengths drawn from the distribution; *standard* are standard normal numbers."""
        return _draws(self.mean, self.covariance, standard)

    def leaderboard(self, *, level: float = 0.95) -> Leaderboard:
        """The systems with rank ranges and clusters, by the rule that ``rank`` uses.

        The runs are draws from the distribution; they come from one fixed list of random numbers,
        so equal distributions have equal clusters.
        """
        return drawn_leaderboard(self.systems, self.mean, self.covariance, level=level)


def difference_variances(covariance: Floats) -> Floats:
    """The variances (S, S) of the differences of two of S normal numbers."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 1e-12)


def drawn_leaderboard(
    systems: tuple[str, ...], mean: Floats, covariance: Floats, *, level: float
) -> Leaderboard:
    """Systems ranked by draws of a normal distribution, from one fixed list of random numbers."""
    size = len(systems)
    if size not in _FACTORS:
        _FACTORS[size] = np.random.default_rng(1).standard_normal((_DRAWS, size))
    runs = _draws(mean, covariance, _FACTORS[size])
    return leaderboard(systems, mean, runs, level=level)


def _draws(mean: Floats, covariance: Floats, standard: Floats) -> Floats:
    jitter = 1e-12 * np.eye(len(mean))
    return mean + standard @ np.linalg.cholesky(covariance + jitter).T


def _numbered(screen: Codes) -> Codes:
    """Screens numbered without gaps."""
    if (np.diff(screen) < 0).any():
        return np.unique(screen, return_inverse=True)[1]
    return np.cumsum(np.diff(screen, prepend=screen[:1]) > 0)


def unjudged(systems: tuple[str, ...]) -> Posterior:
    """What is known of *systems* before any judgment: the prior, at no cost.

    >>> bool(unjudged(("A", "B")).variances[0, 1] == 2 * PRIOR_VARIANCE)
    True
    """
    mean = np.zeros(len(systems))
    prior = PRIOR_VARIANCE * np.eye(len(systems))
    # half a tie and half a win either way make the tie parameter 1
    return Posterior(systems, mean, prior, _information(mean, 1.0), np.zeros_like(prior))


def posterior(evidence: Evidence) -> Posterior:
    r"""The strengths :math:`\theta` that *evidence* speaks for.

    Bradley and Terry's model with Davidson's ties and a normal prior whose variance is learned:

    .. math:: P(i \succ j) = \frac{e^{d/2}}{2\cosh(d/2) + \nu}, \quad
              P(i \sim j) = \frac{\nu}{2\cosh(d/2) + \nu}, \quad d = \theta_i - \theta_j,
              \quad \theta_i \sim N(0, s^2)

    The comparisons of one screen share its judge and its texts (ten pairs of a five-way screen are
    worth about five), so the covariance is the sandwich :math:`C (J / \phi^2 + s^{-2}) C` with
    :math:`J` the scatter of the gradients of whole screens, :math:`\phi` its mean ratio to the
    information H, and :math:`C = (H / \phi + s^{-2})^{-1}`; with few screens J is pulled towards
    :math:`\phi H`. Without evidence all strengths are 0 and the prior remains. Davidson (1970),
    JASA 65; Huber (1967) for the sandwich.

    >>> one = np.zeros(30, np.int64)
    >>> found = posterior(Evidence(("A", "B"), one, one + 1, one.astype(np.int8) + 1, one))
    >>> bool(found.mean[0] > 0.3 > 0 > found.mean[1])
    True
    """
    if len(evidence.systems) < 2:
        raise DataError(f"{len(evidence.systems)} systems; expected at least 2 to compare")
    wins, ties = evidence.wins_and_ties()
    compared = wins + wins.T + ties
    theta, tie, variance = _fit(wins, ties, 1.0)
    scale, scatter = _dispersion(evidence, compared, theta, tie, variance)
    theta, tie, variance = _fit(wins, ties, scale, (theta, tie, variance))
    information = _information(theta, tie)
    prior = np.eye(len(theta)) / variance
    inverse = np.linalg.inv(_laplacian(compared * information) / scale + prior)
    covariance = inverse @ (scatter / scale**2 + prior) @ inverse
    return Posterior(
        evidence.systems, theta, (covariance + covariance.T) / 2, information, compared
    )


def _fit(
    wins: Floats, ties: Floats, scale: float, start: tuple[Floats, float, float] | None = None
) -> tuple[Floats, float, float]:
    """Strengths, tie parameter and prior variance: Newton's method, with the likelihood tempered.

    The tie parameter makes the expected ties equal to the found ones (with half a tie and half a
    win added, so that it stays positive); the prior variance is that of expectation maximisation.
    """
    size, compared, ahead = len(wins), wins + wins.T + ties, (wins - wins.T) / 2
    tied, total = ties.sum() + 1.0, compared.sum() + 3.0
    theta, tie, variance = start or (np.zeros(size), 2 * tied / (total - tied), PRIOR_VARIANCE)
    for _ in range(_ITERATIONS):
        half = (theta[:, None] - theta[None, :]) / 2
        spread = 2 * np.cosh(half) + tie
        slope = (ahead - compared * np.sinh(half) / spread).sum(axis=1) / scale - theta / variance
        bend = _laplacian(compared * _information(theta, tie)) / scale + np.eye(size) / variance
        inverse = np.linalg.inv(bend)
        step = np.clip(inverse @ slope, -_LONGEST_STEP, _LONGEST_STEP)
        theta = theta + step - (theta + step).mean()
        tie *= tied / ((compared * tie / spread).sum() + 3 * tie / (2 + tie))
        squares = (theta**2).sum() + np.trace(inverse)
        before = variance
        variance = (PRIOR_WEIGHT * PRIOR_VARIANCE + squares) / (PRIOR_WEIGHT + size)
        if np.abs(step).max() < _TOLERANCE and abs(variance - before) < 1e-4 * before:
            break
    return theta, float(tie), float(variance)


def _information(theta: Floats, tie: float) -> Floats:
    """What one comparison of two systems says about their difference."""
    half = np.cosh((theta[:, None] - theta[None, :]) / 2)
    found: Floats = (1 + tie * half / 2) / (2 * half + tie) ** 2
    return found


def _laplacian(weights: Floats) -> Floats:
    found: Floats = np.diag(weights.sum(axis=1)) - weights
    return found


def _dispersion(
    evidence: Evidence, compared: Floats, theta: Floats, tie: float, variance: float
) -> tuple[float, Floats]:
    """How much more the gradients of screens scatter than the information says, and the scatter."""
    size = len(theta)
    information = _laplacian(compared * _information(theta, tie))
    if len(evidence) == 0:
        return 1.0, information
    screens, gradient = _gradients(evidence, theta, tie)
    scatter = gradient.T @ gradient
    inverse = np.linalg.inv(information + np.eye(size) / variance)
    share = screens / (screens + 5 * size)
    ratio = np.trace(inverse @ scatter) / np.trace(inverse @ information)
    scale = max(0.5, share * float(ratio) + (1 - share))
    return scale, share * scatter + (1 - share) * scale * information


def _gradients(evidence: Evidence, theta: Floats, tie: float) -> tuple[int, Floats]:
    """The number of screens with a comparison, and the gradient (screens, S) of each screen."""
    size = len(theta)
    half = (theta[:, None] - theta[None, :]) / 2
    expected = (np.sinh(half) / (2 * np.cosh(half) + tie)).ravel()
    residual = evidence.sign / 2 - expected[evidence.left * size + evidence.right]
    start = evidence.screen * size
    width = (int(evidence.screen.max()) + 1) * size
    plus = np.bincount(start + evidence.left, residual, width)
    minus = np.bincount(start + evidence.right, residual, width)
    gradient = np.asarray(plus - minus, np.float64).reshape(-1, size)
    return int(np.count_nonzero(np.bincount(evidence.screen))), gradient
