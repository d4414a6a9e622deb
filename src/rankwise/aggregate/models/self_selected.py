"""The matches that TrueSkill selects for itself, in order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.models.outcomes import Outcomes
from rankwise.aggregate.models.trueskill import TrueSkill
from rankwise.errors import DataError
from rankwise.types import Judgments
from rankwise.types.seeds import generator_state


@dataclass(frozen=True, slots=True, eq=False)
class SelectedPairs:
    """Match k is of systems ``left[k]``, chosen for its variance, and ``right[k]``, drawn."""

    systems: tuple[str, ...]
    left: NDArray[np.int32]
    right: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.left)


def selected_pairs(judgments: Judgments, model: TrueSkill, *, seed: int = 1) -> SelectedPairs:
    """What a *model* with ``selection="paper"`` compares when it rates *judgments* once.

    These are the matches behind ``model.ratings(judgments, seed=seed)``.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B"), (1, 2)) for i in range(3)]
    >>> found = selected_pairs(Judgments.from_rankings(screens), TrueSkill(selection="paper"))
    >>> len(found), found.systems[found.left[0]]
    (3, 'B')
    """
    if model.selection != "paper" or model.ways != 2:
        raise DataError(f"{model} does not select pairs; expected trueskill:selection=paper")
    outcomes = Outcomes.of(judgments)
    count = len(outcomes.systems)
    setting, matches = model._setting(outcomes, count, len(outcomes.cells))
    pairs, _ = _core.trace_selected_pairs(
        *outcomes.kinds,
        outcomes.counts()[np.newaxis],
        count,
        mean=model.mu0,
        variance=model.sigma0**2,
        beta=setting.beta,
        epsilon=setting.epsilon,
        tau=setting.tau,
        matches=matches,
        state=generator_state(seed),
        run=0,
    )
    return SelectedPairs(outcomes.systems, pairs[:, 0], pairs[:, 1])
