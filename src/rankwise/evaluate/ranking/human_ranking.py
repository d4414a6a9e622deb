"""A ranking of systems from human judgments, together with the counts that it rests on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.connected import joined_groups
from rankwise.aggregate.models.outcomes import count_outcomes
from rankwise.aggregate.ranker import Ranker
from rankwise.aggregate.run_batch import Progress
from rankwise.evaluate.odd.odd_systems import judged_little
from rankwise.evaluate.ranking.human_parts import Part
from rankwise.evaluate.ranking.judge_agreement import JudgeAgreement
from rankwise.significance.few_items import LEAST
from rankwise.significance.sign_test import SignTests, sign_tests
from rankwise.types import Leaderboard

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HumanRanking:
    """One part of the judgments, ranked.

    ``wins[i, j]`` says how often system i of ``board`` beat system j, ``ties[i, j]`` how often they
    were tied; ``tests`` is the sign test of every two. ``runs[r, i]`` is the score of system i in
    run r, where those that the ranges of ranks rest on were kept.
    """

    part: Part
    board: Leaderboard
    wins: Counts
    ties: Counts
    tests: SignTests | None
    agreement: JudgeAgreement | None = None
    runs: NDArray[np.float64] | None = None

    @property
    def compared(self) -> Counts:
        """How often every two systems were compared."""
        return self.wins + self.wins.T + self.ties

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of decided comparisons of i and j that i won; nan where there are none."""
        decided = self.wins + self.wins.T
        shares: NDArray[np.float64] = np.full(self.wins.shape, np.nan)
        np.divide(self.wins, decided, out=shares, where=decided > 0)
        return shares

    @property
    def undecided(self) -> int:
        """How many pairs of systems were never compared, or only tied."""
        above = np.triu_indices(len(self.wins), 1)
        return int(np.count_nonzero((self.wins + self.wins.T)[above] == 0))

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The systems by what comparisons join, directly or through others; one group is good."""
        names = self.board.systems
        return [tuple(names[i] for i in group) for group in joined_groups(self.wins, self.ties)]

    @property
    def judged_little(self) -> list[str]:
        """A sentence that names systems with hardly any comparisons, where there are such."""
        counts = dict(zip(self.board.systems, self.compared.sum(axis=1).tolist(), strict=True))
        return judged_little(counts, "comparisons")

    @property
    def few(self) -> int:
        """How many rankings there are, if those that all agree could do so by chance; else 0."""
        rankings = int(np.count_nonzero(~self.part.judgments.is_skipped))
        return rankings if rankings < LEAST else 0

    @property
    def warning(self) -> str:
        """A sentence where no comparison says which of two groups of systems is better, or none."""
        groups = self.groups
        if len(groups) < 2:
            return ""
        listed = "; ".join(", ".join(group) for group in groups)
        return (
            f"the systems fall into {len(groups)} groups that were never compared with each other "
            f"({listed}): only the order within a group rests on judgments"
        )


def human_ranking(
    part: Part,
    ranker: Ranker,
    *,
    agreement: JudgeAgreement | None = None,
    progress: Progress | None = None,
) -> HumanRanking:
    """A part of the judgments ranked, with the runs and with who beat whom how often."""
    board, runs = ranker.board_and_runs(part.judgments, progress=progress)
    return with_counts(part, board, agreement, runs=runs)


def with_counts(
    part: Part,
    board: Leaderboard,
    agreement: JudgeAgreement | None = None,
    *,
    runs: NDArray[np.float64] | None = None,
) -> HumanRanking:
    """The ranking *board* of a part of the judgments, with who beat whom how often."""
    systems, *counts = count_outcomes(part.judgments)
    places = {name: place for place, name in enumerate(systems)}
    order = [places[name] for name in board.systems]
    wins, ties = (matrix[np.ix_(order, order)] for matrix in counts)
    tests = sign_tests(board.systems, wins, ties) if len(board) > 1 else None
    return HumanRanking(part, board, wins, ties, tests, agreement, runs)
