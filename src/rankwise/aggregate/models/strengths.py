"""Strengths of systems under two models of ties: chances, and how sure the most likely ones are.

A point (..., S + 1) holds the log-strengths of S systems, which sum to 0, and after them one
parameter of the ties. Both log-likelihoods are concave; the native core finds their maximum.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Likelihood(Protocol):
    """A concave log-likelihood of points (..., S + 1)."""

    def derivatives(self, point: Floats) -> tuple[Floats, Floats]:
        """The gradient and the observed information, the matrix of -1 times second derivatives."""

    def probabilities(self, point: Floats) -> Floats:
        """Chances (..., S, S, 3) that row beats column, that they tie, that column beats row."""


class _Counts:
    """Wins (..., S, S) and ties; a model of ties needs no parameter where there are none."""

    def __init__(self, wins: NDArray[Any], ties: NDArray[Any]) -> None:
        self.wins, self.ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
        self.tied = self.ties.sum(axis=(-1, -2)) / 2
        self.decided = self.wins.sum(axis=(-1, -2))
        self.has_ties = self.tied > 0

    def _joined(
        self, weights: Floats, mixed: Floats, last: Floats, slopes: Floats, slope: Floats
    ) -> tuple[Floats, Floats]:
        """Gradient and information from their parts; -*weights* couples the systems."""
        count = weights.shape[-1]
        information = np.zeros((*weights.shape[:-2], count + 1, count + 1))
        information[..., :count, :count] = -weights
        diagonal = np.arange(count)
        information[..., diagonal, diagonal] = weights.sum(axis=-1)
        mixed = np.where(self.has_ties[..., None], mixed, 0.0)
        information[..., :count, count] = information[..., count, :count] = mixed
        information[..., count, count] = np.where(self.has_ties, last, 1.0)
        return np.concatenate([slopes, np.where(self.has_ties, slope, 0.0)[..., None]], -1), (
            information
        )


class Davidson(_Counts):
    r"""Ties as likely as :math:`\nu` times the geometric mean of the chances to win.

    .. math:: P(i \succ j) \propto \pi_i, \quad P(i = j) \propto \nu \sqrt{\pi_i \pi_j}

    The last parameter is :math:`\log \nu`; without ties :math:`\nu = 0`. Davidson (1970), JASA 65.
    """

    def derivatives(self, point: Floats) -> tuple[Floats, Floats]:
        """The gradient and the observed information."""
        win, tie, _ = np.moveaxis(self.probabilities(point), -1, 0)
        games = self.wins + np.swapaxes(self.wins, -1, -2) + self.ties
        share = win + tie / 2  # a tie as half a win
        slopes = (self.wins + self.ties / 2 - games * share).sum(axis=-1)
        weights = games * (win + tie / 4 - share**2)
        mixed = (games * tie * (0.5 - share)).sum(axis=-1)
        last = (games * tie * (1 - tie)).sum(axis=(-1, -2)) / 2
        slope = self.tied - (games * tie).sum(axis=(-1, -2)) / 2
        return self._joined(weights, mixed, last, slopes, slope)

    def probabilities(self, point: Floats) -> Floats:
        """Chances (..., S, S, 3) that row beats column, that they tie, that column beats row."""
        half = _differences(point) / 2
        tie = np.broadcast_to(self._log_nu(point)[..., None, None], half.shape)
        logs = np.stack([half, tie, -half], axis=-1)
        chances = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=-1, keepdims=True))

    def _log_nu(self, point: Floats) -> Floats:
        return np.where(self.has_ties, point[..., -1], -np.inf)


class RaoKupper(_Counts):
    r"""Ties where the difference of two judged strengths is below a threshold.

    .. math:: P(i \succ j) = \frac{\pi_i}{\pi_i + \kappa \pi_j}, \quad
              P(i = j) = (\kappa^2 - 1)\, P(i \succ j)\, P(j \succ i)

    The last parameter is :math:`\eta = \log \kappa \ge 0`; without ties it is 0, which is the model
    of Bradley and Terry. Rao and Kupper (1967), JASA 62.
    """

    def derivatives(self, point: Floats) -> tuple[Floats, Floats]:
        """The gradient and the observed information."""
        win = _logistic(self._margins(point))
        at_least = self.wins + self.ties
        short = at_least * (1 - win)
        bends = short * win
        slopes = short.sum(axis=-1) - short.sum(axis=-2)
        mixed = bends.sum(axis=-2) - bends.sum(axis=-1)
        shrink = np.where(self.has_ties, -np.expm1(-2 * point[..., -1]), 1.0)
        last = bends.sum(axis=(-1, -2)) + self.tied * 4 * (1 - shrink) / shrink**2
        slope = 2 * self.tied / shrink - short.sum(axis=(-1, -2))
        return self._joined(bends + np.swapaxes(bends, -1, -2), mixed, last, slopes, slope)

    def probabilities(self, point: Floats) -> Floats:
        """Chances (..., S, S, 3) that row beats column, that they tie, that column beats row."""
        win = _logistic(self._margins(point))
        loss = np.swapaxes(win, -1, -2)
        tie = np.expm1(2 * point[..., -1])[..., None, None] * win * loss
        return np.stack([win, tie, loss], axis=-1)

    def _margins(self, point: Floats) -> Floats:
        """How far each row is above each column and the threshold; a system is not below itself."""
        margins: Floats = _differences(point) - point[..., -1, None, None]
        return margins


def strength_deviations(likelihood: Likelihood, point: Floats) -> Floats:
    """Standard errors (..., S) of strengths that sum to 0, from the observed information."""
    anchored, anchor = _anchored(likelihood.derivatives(point)[1])
    count = anchored.shape[-1] - 1
    variances = np.diagonal(np.linalg.inv(anchored), axis1=-2, axis2=-1)[..., :count]
    return np.asarray(np.sqrt(np.maximum(variances - 1 / (anchor[..., None] * count**2), 0.0)))


def _anchored(information: Floats) -> tuple[Floats, Floats]:
    """*information* with a weight on the sum of strengths, which it says nothing about."""
    count = information.shape[-1] - 1
    anchor = np.trace(information, axis1=-2, axis2=-1) / count**2
    held = information.copy()
    held[..., :count, :count] += anchor[..., None, None]
    return held, anchor


def _differences(point: Floats) -> Floats:
    strengths = point[..., :-1]
    return np.asarray(strengths[..., :, None] - strengths[..., None, :])


def _logistic(x: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))
