"""Compositions people repeat, still without I/O: score every system, compare with people.

Names are loaded when they are first used: whoever scores does not wait for what compares.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankwise.evaluate.matrix import score_matrix
    from rankwise.evaluate.people import Agreement, agreement_with_people
    from rankwise.evaluate.scores import SystemScores, score_systems

_HOME = {
    "Agreement": "people",
    "agreement_with_people": "people",
    "score_matrix": "matrix",
    "SystemScores": "scores",
    "score_systems": "scores",
}

__all__ = [
    "Agreement",
    "SystemScores",
    "agreement_with_people",
    "score_matrix",
    "score_systems",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rankwise.evaluate' has no attribute {name!r}")
    value = getattr(import_module(f"rankwise.evaluate.{_HOME[name]}"), name)
    globals()[name] = value
    return value
