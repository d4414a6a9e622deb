"""The judgments of a campaign as columns, made once for all that is computed from them."""

from collections.abc import Mapping, Sequence, Set
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import VALUE_MODELS, ranking_board, value_board
from rankwise.server.campaign.standings.campaign_agreement import (
    AgreementByJudge,
    ranking_agreement,
    repeated_only,
    value_agreement,
)
from rankwise.server.campaign.standings.contents import AgreementPanel, LiveBoard
from rankwise.server.campaign.standings.counted import EVERYTHING, assessments_of, judgments_of
from rankwise.server.records import StoredJudgment
from rankwise.types import Assessments, Judgments

Agreed = tuple[AgreementPanel, AgreementByJudge, Mapping[str, tuple[float, int]]]


class JudgedColumns:
    """Judgments that were chosen, as columns that are made when they are first asked for."""

    def __init__(self, plan: Plan, judgments: Sequence[StoredJudgment]) -> None:
        self.plan, self._judgments = plan, judgments

    def __len__(self) -> int:
        return len(self._judgments)

    @cached_property
    def rankings(self) -> Judgments:
        """The rankings; none where texts are given values one by one."""
        chosen = self._judgments if self.plan.compares else ()
        return judgments_of(chosen, self.plan, keep=EVERYTHING)

    @cached_property
    def values(self) -> Assessments:
        """The values of a protocol that has them."""
        return assessments_of(self._judgments, self.plan, keep=EVERYTHING)

    def board(self, model: str, seed: int, segments: Set[str] | None = None) -> LiveBoard:
        """The leaderboard by a model, of some *segments* if they are given."""
        if model in VALUE_MODELS:
            values = self.values
            if segments is not None:
                values = values.select(_among(values.segments, segments)[values.segment])
            return value_board(values, model, seed=seed)
        rankings = self.rankings
        if segments is not None:
            rankings = rankings.select(_among(rankings.segments, segments)[rankings.segment])
        return ranking_board(rankings, model, seed=seed)


def _among(names: Sequence[str], wanted: Set[str]) -> NDArray[np.bool_]:
    return np.array([name in wanted for name in names], np.bool_)


def agreed(work: JudgedColumns, current: Sequence[StoredJudgment], seed: int) -> Agreed:
    """The panel of agreement, that of every judge, and the disagreement by segment.

    Judges are compared with others on *work*, with themselves on what *current* repeats.
    """
    repeated = JudgedColumns(work.plan, repeated_only(current))
    if work.plan.rules.is_scalar:
        return value_agreement(work.values, repeated.values, seed=seed)
    content, by_judge, compared = ranking_agreement(work.rankings, repeated.rankings, seed=seed)
    disagreement = {name: (1 - same / n, n) for name, (same, n) in compared.items() if n}
    return content, by_judge, disagreement
