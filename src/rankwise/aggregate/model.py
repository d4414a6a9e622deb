"""What a model of preference is: scores of systems from how often they won and tied."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.types.named import Named


@dataclass(frozen=True)
class CountModel(Named):
    """A model that needs no more than counts of wins and ties; its fields are its options.

    Models that look at judgments one by one, in an order, are another family.
    """

    kind: ClassVar[str] = "model"

    @abstractmethod
    def scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Scores (..., S) from matrices (..., S, S): row beat column, row and column tied."""
