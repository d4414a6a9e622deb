"""How a campaign stands: everything the dashboard shows, as JSON values, computed at one go.

Kinds: ``leaderboard:MODEL`` (expected-wins, trueskill, bradley-terry; means-z, means for values),
``done``, ``heat``, ``coverage``, ``people``, ``agreement``, ``items``. Every number comes with its
n and, where one makes sense, an interval at the 95 % level. The rows of a leaderboard also say how
they would be with excluded judges (``score_all`` and so on), so that the effect can be seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankwise.server.campaign.agreement import (
    AgreementByJudge,
    ranking_agreement,
    repeated_only,
    value_agreement,
)
from rankwise.server.campaign.boards import (
    RANKING_MODELS,
    VALUE_MODELS,
    ranking_board,
    value_board,
)
from rankwise.server.campaign.items import items
from rankwise.server.campaign.outlook import ranking_outlook, value_outlook
from rankwise.server.campaign.people import people
from rankwise.server.campaign.plan import Plan
from rankwise.server.campaign.results import (
    ALL_ROLES,
    WORK,
    Keep,
    assessments_of,
    judgments_of,
    kept,
)
from rankwise.server.campaign.spread import coverage, heat
from rankwise.server.records import StoredJudgment
from rankwise.types import Judgments, TestSet

Content = dict[str, Any]
_CURRENT = Keep(ALL_ROLES, surplus=True, excluded=True)


def kinds(plan: Plan) -> tuple[str, ...]:
    """The kinds of contents that a campaign of this plan has."""
    models = VALUE_MODELS if plan.rules.is_scalar else RANKING_MODELS
    boards = tuple(f"leaderboard:{model}" for model in models)
    return (*boards, "done", "heat", "coverage", "people", "agreement", "items")


def compute(
    plan: Plan, testset: TestSet, stored: Iterable[StoredJudgment], *, seed: int
) -> dict[str, Content]:
    """Every kind of contents, from all judgments of a campaign."""
    every = list(stored)
    work = kept(every, WORK)
    current = kept(every, _CURRENT).judgments
    counting = [judgment for judgment in current if not judgment.is_excluded]
    is_excluding = len(counting) < len(current)
    parts = _values if plan.rules.is_scalar else _rankings
    found, by_judge, disagreement = parts(plan, testset, work.judgments, counting, seed)
    for kind in [name for name in found if name.startswith("leaderboard:")]:
        found[kind] |= {"left_out": dict(work.left_out)}
        found[kind]["n_excluded"] = work.left_out.get("excluded", 0)
        judged = {row["system"] for row in found[kind]["rows"]}
        found[kind]["unjudged"] = [name for name in testset.systems if name not in judged]
        _add_excluded(found[kind], plan, every if is_excluding else (), seed)
    answered = [judgment for judgment in work.judgments if judgment.kind == "answer"]
    found["coverage"] = coverage(plan, testset, answered)
    found["people"] = people(plan, current, by_judge)
    measure = "mean deviation" if plan.rules.is_scalar else "share of differing labels"
    found["items"] = items(testset, work.judgments, disagreement, measure)
    return found


_Parts = tuple[dict[str, Content], AgreementByJudge, Mapping[str, tuple[float, int]]]


def _rankings(
    plan: Plan,
    testset: TestSet,
    work: Sequence[StoredJudgment],
    counting: Sequence[StoredJudgment],
    seed: int,
) -> _Parts:
    judgments = judgments_of(work, plan)
    repeated = judgments_of(repeated_only(counting), plan, keep=_CURRENT)
    found: dict[str, Content] = {
        f"leaderboard:{model}": ranking_board(judgments, model, seed=seed)
        for model in RANKING_MODELS
    }
    rows = found["leaderboard:expected-wins"]["rows"]
    order = [row["system"] for row in rows]
    order += [name for name in testset.systems if name not in order]
    done = sum(judgment.kind == "answer" for judgment in work)
    found["done"] = ranking_outlook(plan, judgments, testset.systems, done=done, seed=seed)
    found["heat"] = heat(judgments, order)
    found["agreement"], by_judge, compared = ranking_agreement(judgments, repeated, seed=seed)
    disagreement = {name: (1 - same / n, n) for name, (same, n) in compared.items() if n}
    return found, by_judge, disagreement


def _values(
    plan: Plan,
    testset: TestSet,
    work: Sequence[StoredJudgment],
    counting: Sequence[StoredJudgment],
    seed: int,
) -> _Parts:
    values = assessments_of(work, plan)
    repeated = assessments_of(repeated_only(counting), plan, keep=_CURRENT)
    found: dict[str, Content] = {
        f"leaderboard:{model}": value_board(values, model, seed=seed) for model in VALUE_MODELS
    }
    done = sum(judgment.kind == "answer" for judgment in work)
    found["done"] = value_outlook(plan, found["leaderboard:means-z"], done=done)
    found["heat"] = heat(Judgments.from_rankings([]), testset.systems)
    found["agreement"], by_judge, spread = value_agreement(values, repeated, seed=seed)
    return found, by_judge, spread


def _add_excluded(board: Content, plan: Plan, every: Sequence[StoredJudgment], seed: int) -> None:
    """What every row would be if nobody were excluded; ``None`` where nobody is."""
    keep, full = replace(WORK, excluded=True), {}
    if every and plan.rules.is_scalar:
        full = value_board(assessments_of(every, plan, keep=keep), board["model"], seed=seed)
    elif every:
        full = ranking_board(judgments_of(every, plan, keep=keep), board["model"], seed=seed)
    others = {row["system"]: row for row in full.get("rows", [])}
    for row in board["rows"]:
        for name in ("score", "rank_low", "rank_high", "cluster", "n"):
            row[f"{name}_all"] = others.get(row["system"], {}).get(name)
