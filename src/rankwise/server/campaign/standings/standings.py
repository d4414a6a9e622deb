"""How a campaign stands: everything the dashboard shows, as JSON values, computed at one go.

Kinds: ``leaderboard:MODEL`` (trueskill, expected-wins, bradley-terry; means-z, means for values),
``done``, ``heat``, ``coverage``, ``people``, ``agreement``, ``items``. Every number comes with its
n and, where one makes sense, an interval at the 95 % level. The rows of a leaderboard also say how
they would be with excluded judges (``score_all`` and so on), so that the effect can be seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import models_of, ranking_board, value_board
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
from rankwise.server.campaign.standings.judge_agreement import (
    AgreementByJudge,
    ranking_agreement,
    repeated_only,
    value_agreement,
)
from rankwise.server.campaign.standings.judge_quality import people
from rankwise.server.campaign.standings.outlook import ranking_outlook, value_outlook
from rankwise.server.records import StoredJudgment
from rankwise.types import Assessments, Judgments, TestSet

Content = dict[str, Any]
_CURRENT = Keep(ALL_ROLES, surplus=True, excluded=True)
_ANSWERS = replace(WORK, skips=False)


def kinds(plan: Plan) -> tuple[str, ...]:
    """The kinds of contents that a campaign of this plan has."""
    boards = tuple(f"leaderboard:{model}" for model in models_of(plan))
    return (*boards, "done", "heat", "coverage", "people", "agreement", "items")


def compute(
    plan: Plan, testset: TestSet, stored: Iterable[StoredJudgment], *, seed: int
) -> dict[str, Content]:
    """Every kind of contents, from all judgments of a campaign."""
    every = list(stored)
    work = kept(every, _ANSWERS)
    current = kept(every, _CURRENT).judgments
    full = kept(every, replace(_ANSWERS, excluded=True)).judgments
    counted = _Records(plan, work.judgments)
    everybody = _Records(plan, full) if len(full) > len(work) else None
    found = _boards(testset, counted, everybody, seed)
    for kind in [name for name in found if name.startswith("leaderboard:")]:
        found[kind]["left_out"] = dict(work.left_out)
        found[kind]["n_excluded"] = work.left_out.get("excluded", 0)
    agreed, by_judge, disagreement = _agreement(counted, current, everybody, seed)
    measure = "mean deviation" if plan.rules.is_scalar else "share of differing labels"
    return found | {
        "agreement": agreed,
        "coverage": coverage(plan, testset, work.judgments),
        "people": people(plan, current, by_judge),
        "items": items(testset, kept(every, WORK).judgments, disagreement, measure),
    }


class _Records:
    """Judgments as columns, made when they are first asked for."""

    def __init__(self, plan: Plan, judgments: Sequence[StoredJudgment]) -> None:
        self.plan, self._judgments = plan, judgments

    def __len__(self) -> int:
        return len(self._judgments)

    @cached_property
    def rankings(self) -> Judgments:
        """The rankings; none of a protocol of values."""
        chosen = () if self.plan.rules.is_scalar else self._judgments
        return judgments_of(chosen, self.plan, keep=_CURRENT)

    @cached_property
    def values(self) -> Assessments:
        """The values of a protocol that has them."""
        return assessments_of(self._judgments, self.plan, keep=_CURRENT)

    def board(self, model: str, seed: int) -> Content:
        """The leaderboard by a model."""
        if self.plan.rules.is_scalar:
            return value_board(self.values, model, seed=seed)
        return ranking_board(self.rankings, model, seed=seed)


def _boards(
    testset: TestSet, work: _Records, everybody: _Records | None, seed: int
) -> dict[str, Content]:
    """Leaderboards and what is read off them; *everybody* where somebody is excluded."""
    plan, systems = work.plan, testset.systems
    models = models_of(plan)
    found = {f"leaderboard:{model}": work.board(model, seed) for model in models}
    for model in models:
        board = found[f"leaderboard:{model}"]
        judged = [row["system"] for row in board["rows"]]
        board["unjudged"] = [name for name in systems if name not in judged]
        _add_excluded(board, {} if everybody is None else everybody.board(model, seed))
    best = found[f"leaderboard:{models[0]}"]
    order = [row["system"] for row in best["rows"]] + best["unjudged"]
    found["heat"] = heat(work.rankings, order)
    if plan.rules.is_scalar:
        found["done"] = value_outlook(plan, best, done=len(work))
    else:
        found["done"] = ranking_outlook(plan, work.rankings, systems, done=len(work), seed=seed)
    return found


def _add_excluded(board: Content, full: Content) -> None:
    """What every row would be if nobody were excluded; ``None`` where nobody is."""
    others = {row["system"]: row for row in full.get("rows", [])}
    for row in board["rows"]:
        for name in ("score", "rank_low", "rank_high", "cluster", "n"):
            row[f"{name}_all"] = others.get(row["system"], {}).get(name)


_Agreed = tuple[Content, AgreementByJudge, Mapping[str, tuple[float, int]]]


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
