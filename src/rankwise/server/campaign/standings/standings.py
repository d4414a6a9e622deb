"""How a campaign stands: everything the dashboard shows, computed at one go.

Leaderboards are by trueskill, expected-wins and bradley-terry; of values by mixed, means-z and
means.
Every number comes with its n and, where one makes sense, an interval at the 95 % level. The rows of
a leaderboard also say how they would be with excluded judges (``score_all`` and so on), so that the
effect can be seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import (
    VALUE_MODELS,
    models_of,
    ranking_board,
    value_board,
)
from rankwise.server.campaign.standings.campaign_agreement import (
    AgreementByJudge,
    ranking_agreement,
    repeated_only,
    value_agreement,
)
from rankwise.server.campaign.standings.contents import (
    BOARD,
    PANELS,
    AgreementPanel,
    BoardRow,
    DonePanel,
    LiveBoard,
    Standings,
)
from rankwise.server.campaign.standings.counted import (
    ALL_ROLES,
    WORK,
    Keep,
    assessments_of,
    judgments_of,
    kept,
)
from rankwise.server.campaign.standings.evenness import coverage, heat
from rankwise.server.campaign.standings.item_trouble import items
from rankwise.server.campaign.standings.judge_quality import people
from rankwise.server.campaign.standings.marked_errors import error_counts
from rankwise.server.campaign.standings.outlook import ranking_outlook, value_outlook
from rankwise.server.records import StoredJudgment
from rankwise.types import Assessments, Judgments, TestSet

_CURRENT = Keep(ALL_ROLES, surplus=True, excluded=True)
_ANSWERS = replace(WORK, skips=False)


def kinds(plan: Plan) -> tuple[str, ...]:
    """The kinds of contents that a campaign of this plan has."""
    panels = [name for name in PANELS if name != "errors" or plan.rules.is_document]
    return (*(f"{BOARD}{model}" for model in models_of(plan)), *panels)


def compute(
    plan: Plan, testset: TestSet, stored: Iterable[StoredJudgment], *, seed: int
) -> Standings:
    """How a campaign stands by all its judgments."""
    every = list(stored)
    work = kept(every, _ANSWERS)
    current = kept(every, _CURRENT).judgments
    full = kept(every, replace(_ANSWERS, excluded=True)).judgments
    counted = _Records(plan, work.judgments)
    everybody = _Records(plan, full) if len(full) > len(work) else None
    boards = {
        model: _board(model, testset, counted, everybody, work.left_out, seed)
        for model in models_of(plan)
    }
    best = boards[models_of(plan)[0]]
    agreed, by_judge, disagreement = _agreement(counted, current, everybody, seed)
    asked = windows(testset, plan.window).testset if plan.rules.is_document else testset
    every_part = [part for one in kept(every, WORK).judgments for part in plan.rules.parts(one)]
    measure = "mean deviation" if plan.rules.is_scalar else "share of differing labels"
    return Standings(
        boards,
        done=_done(counted, testset, best, seed),
        heat=heat(counted.rankings, [row["system"] for row in best["rows"]] + best["unjudged"]),
        coverage=coverage(plan, asked, work.judgments),
        people=people(plan, current, by_judge),
        agreement=agreed,
        items=items(testset, every_part, disagreement, measure),
        errors=error_counts(plan, testset, work.judgments) if plan.rules.is_document else None,
    )


class _Records:
    """Judgments as columns, made when they are first asked for."""

    def __init__(self, plan: Plan, judgments: Sequence[StoredJudgment]) -> None:
        self.plan, self._judgments = plan, judgments

    def __len__(self) -> int:
        return len(self._judgments)

    @cached_property
    def rankings(self) -> Judgments:
        """The rankings; none where texts are given values one by one."""
        chosen = self._judgments if self.plan.compares else ()
        return judgments_of(chosen, self.plan, keep=_CURRENT)

    @cached_property
    def values(self) -> Assessments:
        """The values of a protocol that has them."""
        return assessments_of(self._judgments, self.plan, keep=_CURRENT)

    def board(self, model: str, seed: int) -> LiveBoard:
        """The leaderboard by a model."""
        if model in VALUE_MODELS:
            return value_board(self.values, model, seed=seed)
        return ranking_board(self.rankings, model, seed=seed)


def _board(
    model: str,
    testset: TestSet,
    work: _Records,
    everybody: _Records | None,
    left_out: Mapping[str, int],
    seed: int,
) -> LiveBoard:
    """The leaderboard by a model; *everybody* where somebody is excluded."""
    board = work.board(model, seed)
    others = [] if everybody is None else everybody.board(model, seed)["rows"]
    judged = {row["system"] for row in board["rows"]}
    return {
        **board,
        "rows": _with_excluded(board["rows"], others),
        "unjudged": [name for name in testset.systems if name not in judged],
        "left_out": dict(left_out),
        "n_excluded": left_out.get("excluded", 0),
    }


def _with_excluded(rows: Sequence[BoardRow], others: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows, with what each would be if nobody were excluded, where somebody is."""
    by_name = {row["system"]: row for row in others}
    return [
        {
            **row,
            "score_all": by_name[row["system"]]["score"],
            "rank_low_all": by_name[row["system"]]["rank_low"],
            "rank_high_all": by_name[row["system"]]["rank_high"],
            "cluster_all": by_name[row["system"]]["cluster"],
            "n_all": by_name[row["system"]]["n"],
        }
        if row["system"] in by_name
        else row
        for row in rows
    ]


def _done(work: _Records, testset: TestSet, board: LiveBoard, seed: int) -> DonePanel:
    if work.plan.rules.is_scalar:
        return value_outlook(work.plan, board, done=len(work))
    return ranking_outlook(work.plan, work.rankings, testset.systems, done=len(work), seed=seed)


_Agreed = tuple[AgreementPanel, AgreementByJudge, Mapping[str, tuple[float, int]]]


def _agreement(
    work: _Records, current: Sequence[StoredJudgment], everybody: _Records | None, seed: int
) -> _Agreed:
    """The panel, rows for every judge, excluded ones too, and the disagreement by segment."""
    counting = [judgment for judgment in current if not judgment.is_excluded]
    content, by_judge, by_segment = _agreed(work, counting, seed)
    content["with_excluded"] = None
    if everybody is not None:
        content["with_excluded"], of_all, _ = _agreed(everybody, current, seed)
        by_judge = of_all.replaced_by(by_judge)
    return content, by_judge, by_segment


def _agreed(work: _Records, current: Sequence[StoredJudgment], seed: int) -> _Agreed:
    repeated = _Records(work.plan, repeated_only(current))
    if work.plan.rules.is_scalar:
        return value_agreement(work.values, repeated.values, seed=seed)
    content, by_judge, compared = ranking_agreement(work.rankings, repeated.rankings, seed=seed)
    disagreement = {name: (1 - same / n, n) for name, (same, n) in compared.items() if n}
    return content, by_judge, disagreement
