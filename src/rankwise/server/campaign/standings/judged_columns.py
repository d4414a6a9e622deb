"""The judgments of a campaign as columns, made once for all that is computed from them."""

from collections.abc import Mapping, Sequence
from functools import cached_property

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

    def board(self, model: str, seed: int) -> LiveBoard:
        """The leaderboard by a model."""
        if model in VALUE_MODELS:
            return value_board(self.values, model, seed=seed)
        return ranking_board(self.rankings, model, seed=seed)


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
