"""Which comparisons let a likelihood of strengths have a maximum, and what to say if they do not.

Draw an arrow from every system to those that it beat, and both ways between tied ones. Strengths
have a finite estimate where each system can be reached from each other one (Ford, 1957).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]


def reachable(arrows: Flags) -> Flags:
    """Whether a path of *arrows* (..., S, S) leads from row to column; always to itself.

    >>> reachable(np.array([[False, True, False], [False, False, True], [False] * 3])).astype(int)
    array([[1, 1, 1], [0, 1, 1], [0, 0, 1]])
    """
    paths: Flags = arrows | np.eye(arrows.shape[-1], dtype=np.bool_)
    for via in range(arrows.shape[-1]):
        paths |= paths[..., :, via, None] & paths[..., None, via, :]
    return paths


def has_finite_estimate(wins: NDArray[Any], ties: NDArray[Any]) -> Flags:
    """Whether strengths, and how readily people tie, have a finite most likely value.

    Besides the paths, ties need a circle of systems that holds more wins than ties: otherwise
    making all differences and the readiness to tie larger together never makes the outcomes less
    likely. (One win and one tie of two systems are most likely where ties are as good as certain.)
    """
    joined = reachable((wins > 0) | (ties > 0)).all(axis=(-1, -2))
    tied = (ties > 0).any(axis=(-1, -2))
    finite: Flags = joined & (~tied | _has_winning_circle(wins, ties))
    return finite


def _has_winning_circle(wins: NDArray[Any], ties: NDArray[Any]) -> Flags:
    """Whether a circle is shorter than nothing when a win is a step of -1 and a tie one of 1."""
    count = wins.shape[-1]
    steps = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    for via in range(count):
        detour = steps[..., :, via, None] + steps[..., None, via, :]
        # The limit keeps circles gone round again and again from growing without end.
        steps = np.maximum(np.minimum(steps, detour), -2.0 * count)
    return np.asarray((np.diagonal(steps, axis1=-2, axis2=-1) < 0).any(axis=-1))


def main_group(wins: NDArray[Any], ties: NDArray[Any]) -> Flags:
    """The systems (..., S) of the largest group that comparisons join; the first of equal ones."""
    met = wins + ties > 0
    groups = reachable(met | np.swapaxes(met, -1, -2))
    largest = groups.sum(axis=-1).argmax(axis=-1)
    chosen: Flags = np.take_along_axis(groups, largest[..., None, None], axis=-2)[..., 0, :]
    return chosen


def joined_groups(wins: NDArray[Any], ties: NDArray[Any]) -> list[tuple[int, ...]]:
    """The groups of systems that comparisons (S, S) join, however many steps that takes.

    >>> wins = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0]])
    >>> joined_groups(wins, np.zeros_like(wins))
    [(0, 1), (2,)]
    """
    met = wins + ties > 0
    groups = reachable(met | met.T)
    return sorted({tuple(np.flatnonzero(row).tolist()) for row in groups})


def why_not_finite(systems: Sequence[str], wins: NDArray[Any], ties: NDArray[Any]) -> str:
    """A clause that names the systems that stand in the way of a finite estimate."""
    parts = joined_groups(wins, ties)
    if len(parts) > 1:
        listed = " and ".join(_names(systems, part) for part in parts)
        return f"no comparison joins {listed}"
    paths = reachable((wins > 0) | (ties > 0))
    or_tied = " or tied with" if ties.any() else ""
    clauses = [
        f"{_names(systems, part)} never lost to{or_tied} the other systems"
        for part in _ends(paths.T)
    ] + [
        f"{_names(systems, part)} never won against{or_tied} the other systems"
        for part in _ends(paths)
    ]
    return "; ".join(clauses) or "no circle of systems holds more wins than ties"


def _ends(paths: Flags) -> list[tuple[int, ...]]:
    """Groups of systems that reach one another and nobody else; none if that is everybody."""
    mutual = paths & paths.T
    ends = {tuple(np.flatnonzero(row).tolist()) for row in mutual[(paths == mutual).all(axis=1)]}
    return sorted(part for part in ends if len(part) < len(paths))


def _names(systems: Sequence[str], part: Sequence[int]) -> str:
    return ", ".join(systems[system] for system in part)
