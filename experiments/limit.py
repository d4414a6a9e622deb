r"""How much choosing can gain: the best allocation of comparisons, if the strengths were known.

A boundary of clusters is found when every gap :math:`d_{ab}` across it is larger than
:math:`c` standard deviations (c = 1.96 for 95 %). With :math:`n_e` comparisons of each pair e of
systems, each worth the information :math:`q_e / \phi`, the precision of the strengths is

.. math:: M(n) = \sum_e n_e \frac{q_e}{\phi} x_e x_e^\top + s^{-2} I, \qquad
          x_e = e_i - e_j, \qquad v_{ab}(n) = x_{ab}^\top M(n)^{-1} x_{ab}

so the fewest judgments that show all boundaries are the solution of a convex programme:

.. math:: \min_{n \ge 0} \sum_e n_e \quad \text{with} \quad
          v_{ab}(n) \le d_{ab}^2 / c^2 \text{ for all gaps across boundaries}

Uniform sampling is the same with all :math:`n_e` equal, and needs what its hardest gap needs.

*One boundary.* In a balanced design of n comparisons of S systems, comparisons of two others say
nothing about a and b (by symmetry they carry no current between them), and
:math:`v = 2 / (S n_e q)` with :math:`n_e = 2n / S(S-1)`; asking only for a and b,
:math:`v = 1 / (n' q)`. Equal v means :math:`n' = n / (S - 1)`: the gain is at most S - 1.

*All boundaries, clusters of one.* The gaps need :math:`n_b \propto d_b^{-2}` each, uniform
sampling S - 1 times the largest: the ratio is :math:`\sum_b d_b^{-2} / ((S-1) \max_b d_b^{-2})`.
With equal gaps it is 1: nothing is gained. Choosing gains as far as the gaps differ, and as far as
there are places without a boundary.

*A finished campaign* has only so many comparisons of each pair, :math:`n_e \le N_e`. A boundary
that all data only just show needs all comparisons of its two systems with anybody:
:math:`(2S - 3)` of :math:`S(S-1)/2` pairs, 29 % for 13 systems, however they are chosen.
"""

import numpy as np
from scipy.optimize import minimize

from rankwise.aggregate.asking.posterior import Evidence, posterior


def limits(judgments, *, certain=1.96):
    """Judgments for all boundaries: (uniform, best of the campaign's, best of unlimited ones)."""
    known = posterior(Evidence.of(judgments))
    problem = _Problem(known, certain)
    return problem.uniform(), problem.best(capped=True), problem.best(capped=False)


class _Problem:
    def __init__(self, known, certain):
        size = len(known)
        pairs = np.argwhere(np.triu(known.compared > 0, 1))
        self.there = known.compared[pairs[:, 0], pairs[:, 1]]
        self.pairs = _contrasts(pairs, size)
        gaps = _gaps(known)
        self.gaps = _contrasts(gaps, size)
        self.allowed = ((known.mean[gaps[:, 0]] - known.mean[gaps[:, 1]]) / certain) ** 2
        # The information of a comparison such that all of them give the covariance that was found.
        nominal = known.information[pairs[:, 0], pairs[:, 1]]
        precision = (self.pairs * (self.there * nominal)[:, None]).T @ self.pairs
        own = np.trace(np.linalg.pinv(precision) @ precision)
        scale = np.trace(known.covariance @ precision) / own
        self.information = nominal / scale

    def variances(self, counts):
        weighted = self.pairs * (counts * self.information)[:, None]
        precision = weighted.T @ self.pairs + 1e-3 * np.eye(self.pairs.shape[1])
        solved = np.linalg.solve(precision, self.gaps.T)
        return (self.gaps.T * solved).sum(axis=0), solved

    def uniform(self):
        """Every pair in proportion to the campaign's counts."""
        share = (self.variances(self.there)[0] / self.allowed).max()
        return float(self.there.sum() * share)

    def best(self, *, capped):
        unit = self.there.mean()
        bound = np.maximum(self.allowed, self.variances(self.there)[0] if capped else 0.0)

        def slack(x):
            return np.log(bound) - np.log(self.variances(x * unit)[0])

        def slopes(x):
            found, solved = self.variances(x * unit)
            return ((self.pairs @ solved) ** 2 * self.information[:, None] * unit / found).T

        found = minimize(
            np.sum,
            self.there / unit * (1.0 if capped else self.uniform() / self.there.sum()),
            jac=np.ones_like,
            bounds=[(0, n / unit if capped else None) for n in self.there],
            constraints={"type": "ineq", "fun": slack, "jac": slopes},
            method="SLSQP",
            options={"maxiter": 300, "ftol": 1e-6},
        )
        is_solution = found.success or slack(found.x).min() > -1e-3
        return float(found.x.sum() * unit) if is_solution else float("nan")


def _contrasts(pairs, size):
    rows = np.zeros((len(pairs), size))
    rows[np.arange(len(pairs)), pairs[:, 0]] = 1
    rows[np.arange(len(pairs)), pairs[:, 1]] = -1
    return rows


def _gaps(known):
    """The pairs of systems in neighbouring clusters, the upper one first."""
    board = known.leaderboard()
    number = {name: place for place, name in enumerate(known.systems)}
    order = [number[name] for name in board.systems]
    cluster = board.clusters
    return np.array(
        [
            (order[i], order[j])
            for i in range(len(order))
            for j in range(i, len(order))
            if cluster[j] == cluster[i] + 1
        ]
    ).reshape(-1, 2)
