"""Lines between clusters that another seed may draw otherwise, in sentences."""

import numpy as np

from rankwise.types import Leaderboard


def unsure_notes(board: Leaderboard) -> list[str]:
    """Sentences on lines that are drawn or not by the luck of the seed."""
    if board.boundary_unsure is None or board.boundary_support is None:
        return []
    drawn, notes = np.diff(board.clusters) > 0, []
    for place in np.flatnonzero(board.boundary_unsure).tolist():
        share = f"in {100 * board.boundary_support[place]:.1f} % of resamples"
        name = board.systems[place]
        line = f"the line below {name} held" if drawn[place] else f"a line below {name} would hold"
        luck = "may not draw it" if drawn[place] else "may draw it"
        notes.append(f"unsure: {line} {share}; another seed {luck}")
    return notes
