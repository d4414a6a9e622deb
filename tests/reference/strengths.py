"""The most likely strengths by Newton's method on whole matrices, and paths by trying all of them.

Log-likelihoods are concave, so that steps halved until they climb find the one maximum.
"""

import numpy as np

from rankwise.aggregate.models import strengths

_STEPS = 200
_HALVINGS = 60
_CLOSE = 1e-9  # the next Newton step would be about the square of this


class Davidson(strengths.Davidson):
    """With its value, and where the search for the maximum starts."""

    def start(self):
        """A point with all systems equally strong and the observed share of ties."""
        share = np.where(self.has_ties, self.tied, 1.0) / np.maximum(self.decided, 1e-300)
        return first_point(self, np.log(2 * share))

    def value(self, point):
        """The log-likelihood."""
        half = strengths._differences(point) / 2
        total = np.logaddexp(half, -half)
        total = np.logaddexp(total, self._log_nu(point)[..., None, None])
        tie = np.where(self.has_ties, point[..., -1], 0.0)
        won = (self.wins * (half - total) - self.ties * total / 2).sum(axis=(-1, -2))
        return np.asarray(won + self.tied * tie)


class RaoKupper(strengths.RaoKupper):
    """The same of the other model."""

    def start(self):
        """A point with all systems equally strong and the observed share of ties."""
        games = self.decided + self.tied
        share = (games + self.tied) / np.maximum(games - self.tied, 1e-300)
        return first_point(self, np.log(share))

    def value(self, point):
        """The log-likelihood, -inf where the threshold is not above 0 but there are ties."""
        excess = np.expm1(2 * point[..., -1])
        inside = excess > 0
        of_ties = self.tied * np.log(np.where(inside, excess, 1.0))
        logs = -np.logaddexp(0.0, -self._margins(point))
        total = ((self.wins + self.ties) * logs).sum(axis=(-1, -2)) + of_ties
        return np.where(self.has_ties & ~inside, -np.inf, total)


def first_point(likelihood, parameter):
    """Equal strengths, and the parameter of ties where there are any."""
    point = np.zeros((*likelihood.wins.shape[:-2], likelihood.wins.shape[-1] + 1))
    point[..., -1] = np.where(likelihood.has_ties, parameter, 0.0)
    return point


def most_likely(likelihood):
    """The point at which *likelihood*, which must have a maximum, is largest."""
    point = likelihood.start()
    value = likelihood.value(point)
    is_found = np.zeros(value.shape, np.bool_)
    for _ in range(_STEPS):
        gradient, information = likelihood.derivatives(point)
        solved = np.linalg.solve(strengths._anchored(information)[0], gradient[..., None])
        # What is found stays, so that no result depends on the others that are sought with it.
        step = np.where(is_found[..., None], 0.0, solved[..., 0])
        point, value = _climbed(likelihood, point, value, step)
        is_found |= np.abs(step).max(axis=-1) < _CLOSE
        if is_found.all():
            return point
    raise AssertionError(f"strengths of systems were not found within {_STEPS} steps")


def _climbed(likelihood, point, value, step):
    """The end of the step, halved for as long as it leads down by more than rounding."""
    size = np.ones(value.shape)
    floor = value - 1e-12 * (1 + np.abs(value))
    for _ in range(_HALVINGS):
        end = point + size[..., None] * step
        reached = likelihood.value(end)
        if (reached >= floor).all():
            break
        size = np.where(reached >= floor, size, size / 2)
    return end, reached


def reachable(arrows):
    """Whether a path of *arrows* (S, S) leads from row to column; always to itself."""
    paths = arrows | np.eye(len(arrows), dtype=bool)
    for via in range(len(arrows)):
        paths |= paths[:, via, None] & paths[None, via, :]
    return paths


def has_finite_estimate(wins, ties):
    """Whether all systems reach each other and, with ties, a circle holds more wins than ties."""
    if not reachable((wins > 0) | (ties > 0)).all():
        return False
    if not ties.any():
        return True
    steps = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    for via in range(len(wins)):
        # The limit keeps circles gone round again and again from growing without end.
        detour = steps[:, via, None] + steps[None, via, :]
        steps = np.maximum(np.minimum(steps, detour), -2.0 * len(wins))
    return bool((np.diagonal(steps) < 0).any())


def joined_groups(wins, ties):
    """The groups of systems that comparisons join."""
    met = wins + ties > 0
    return sorted({tuple(np.flatnonzero(row).tolist()) for row in reachable(met | met.T)})
