"""What a learner is: examples in, a scorer out."""

import importlib
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.learning.examples import Examples
from rankwise.learning.scorers import Scorer
from rankwise.types.named import Named

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Learner(Named):
    """A learning method; its fields are its options."""

    kind: ClassVar[str] = "learner"

    @abstractmethod
    def fit(self, examples: Examples, *, seed: int = 1) -> Scorer:
        """A scorer whose margins follow the examples; same seed, same scorer."""


def standardisation(rows: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation of each column; a constant column keeps the deviation 1."""
    if not len(rows):
        raise DataError("no examples to learn from")
    centre, scale = rows.mean(axis=0), rows.std(axis=0)
    is_constant = scale <= 1e-12 * np.abs(centre)
    return centre, np.where(is_constant | (scale == 0), 1.0, scale)


def check_option(learner: Learner, option: str, *, low: float, high: float) -> None:
    """Raise unless an option is from *low* to *high*: beyond, solvers fail or never end."""
    value = getattr(learner, option)
    if not low <= value <= high:
        raise DataError(
            f"{learner.name}: {option} is {value}; expected a number from {low:g} to {high:g}"
        )


def checked_preferences(examples: Examples) -> None:
    """Raise unless there is a preference to learn from."""
    if not len(examples.better):
        raise DataError("no preference to learn from: every pair is tied or too close")


def checked_scores(examples: Examples) -> NDArray[np.bool_]:
    """Which rows have a human score; raise unless two do."""
    known = ~np.isnan(examples.human)
    if known.sum() < 2:
        raise DataError(f"{known.sum()} outputs have a human score; regression needs at least 2")
    return known


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep linear algebra to one thread in this block.

    Sums over threads round differently with their number, and a model should not depend on it; for
    few features more threads are slower, too.
    """
    scikit_learn("base")  # says how to install it; threadpoolctl comes with it
    with importlib.import_module("threadpoolctl").threadpool_limits(1):
        yield


def scikit_learn(module: str) -> Any:
    """A module of scikit-learn, or a sentence on how to install it."""
    try:
        return importlib.import_module(f"sklearn.{module}")
    except ImportError as error:
        raise MissingExtra("learning needs scikit-learn: pip install 'rankwise[learn]'") from error
