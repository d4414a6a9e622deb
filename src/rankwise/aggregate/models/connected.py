"""Which comparisons let a likelihood of strengths have a maximum, and what to say if they do not.

Draw an arrow from every system to those that it beat, and both ways between tied ones. Strengths
have a finite estimate where each system can be reached from each other one (Ford, 1957).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.models.met_pairs import MetPairs

Flags = NDArray[np.bool_]


def has_finite_estimate(wins: NDArray[Any], ties: NDArray[Any]) -> Flags:
    """Whether strengths, and how readily people tie, have a finite most likely value.

    Besides the paths, ties need a circle of systems that holds more wins than ties: otherwise
    making all differences and the readiness to tie larger together never makes the outcomes less
    likely. (One win and one tie of two systems are most likely where ties are as good as certain.)
    """
    found: Flags = finite_runs(MetPairs.of_matrices(wins, ties)).reshape(wins.shape[:-2])
    return found


def finite_runs(pairs: MetPairs) -> Flags:
    """Whether there is a finite estimate in each run of *pairs*."""
    found: Flags = _core.finite_estimates(*pairs.native())[0].astype(np.bool_)
    return found


def main_group(wins: NDArray[Any], ties: NDArray[Any]) -> Flags:
    """The systems (..., S) of the largest group that comparisons join; the first of equal ones."""
    found: Flags = main_groups(MetPairs.of_matrices(wins, ties)).reshape(wins.shape[:-1])
    return found


def main_groups(pairs: MetPairs) -> Flags:
    """The same (runs, S) for each run of *pairs*."""
    return _core.main_groups(*pairs.native()).astype(np.bool_)


def joined_groups(wins: NDArray[Any], ties: NDArray[Any]) -> list[tuple[int, ...]]:
    """The groups of systems that comparisons (S, S) join, however many steps that takes.

    >>> wins = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0]])
    >>> joined_groups(wins, np.zeros_like(wins))
    [(0, 1), (2,)]
    """
    left, right = (column.astype(np.int32) for column in np.nonzero(wins + ties > 0))
    return _parts(_core.joined_groups(left, right, len(wins)))


def why_not_finite(systems: Sequence[str], wins: NDArray[Any], ties: NDArray[Any]) -> str:
    """A clause that names the systems that stand in the way of a finite estimate."""
    parts = joined_groups(wins, ties)
    if len(parts) > 1:
        listed = " and ".join(_names(systems, part) for part in parts)
        return f"no comparison joins {listed}"
    arrows = (wins > 0) | (ties > 0)
    or_tied = " or tied with" if ties.any() else ""
    clauses = [
        f"{_names(systems, part)} never lost to{or_tied} the other systems"
        for part in _ends(arrows.T)
    ] + [
        f"{_names(systems, part)} never won against{or_tied} the other systems"
        for part in _ends(arrows)
    ]
    return "; ".join(clauses) or "no circle of systems holds more wins than ties"


def _ends(arrows: Flags) -> list[tuple[int, ...]]:
    """Groups of systems that reach one another and nobody else; none if that is everybody."""
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    tails, heads = np.nonzero(arrows)
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=arrows.shape)
    _, labels = connected_components(graph, connection="strong")
    leads_on = np.unique(labels[tails][labels[tails] != labels[heads]])
    ends = [part for part in _parts(labels) if labels[part[0]] not in leads_on]
    return [part for part in ends if len(part) < len(arrows)]


def _parts(labels: NDArray[np.int32]) -> list[tuple[int, ...]]:
    """The systems that have a label in common, in their order."""
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return sorted(tuple(part.tolist()) for part in np.split(order, cuts))


def _names(systems: Sequence[str], part: Sequence[int]) -> str:
    return ", ".join(systems[system] for system in part)
