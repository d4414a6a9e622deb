"""How a campaign stands: everything the dashboard shows, computed at one go.

Leaderboards are by trueskill, expected-wins and bradley-terry; of values by mixed, means-z and
means.
Every number comes with its n and, where one makes sense, an interval at the 95 % level. The rows of
a leaderboard also say how they would be with excluded judges (``score_all`` and so on), so that the
effect can be seen. Machines are in no number but those of ``machines`` and ``with_machines``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import models_of
from rankwise.server.campaign.standings.contents import (
    BOARD,
    PANELS,
    BoardRow,
    DonePanel,
    ErrorsPanel,
    LiveBoard,
    Standings,
)
from rankwise.server.campaign.standings.counted import ALL_ROLES, WORK, Keep, kept
from rankwise.server.campaign.standings.evenness import coverage, heat
from rankwise.server.campaign.standings.item_trouble import items
from rankwise.server.campaign.standings.judge_quality import people
from rankwise.server.campaign.standings.judged_columns import Agreed, JudgedColumns, agreed
from rankwise.server.campaign.standings.machine_judges import machines_panel
from rankwise.server.campaign.standings.marked_errors import error_counts
from rankwise.server.campaign.standings.outlook import ranking_outlook, value_outlook
from rankwise.server.campaign.standings.panels.domain_boards import domain_boards
from rankwise.server.campaign.standings.panels.judge_details import judge_details
from rankwise.server.campaign.standings.panels.pace import pace
from rankwise.server.campaign.standings.powered_panel import powered_panel
from rankwise.server.records import StoredJudgment
from rankwise.types import ScoreTable, TestSet

_CURRENT = Keep(ALL_ROLES, surplus=True, excluded=True)
_ANSWERS = replace(WORK, skips=False)
#: Of judgments that were chosen already.
_CHOSEN = replace(_CURRENT, machines=True)


def kinds(plan: Plan) -> tuple[str, ...]:
    """The kinds of contents that a campaign of this plan has, of people alone."""
    own = {"errors": isinstance(plan.rules, Documented), "machines": False, "powered": False}
    panels = [name for name in PANELS if own.get(name, True)]
    return (*(f"{BOARD}{model}" for model in models_of(plan)), *panels)


def compute(
    plan: Plan,
    testset: TestSet,
    stored: Iterable[StoredJudgment],
    *,
    seed: int,
    scores: ScoreTable | None = None,
) -> Standings:
    """How a campaign stands by all its judgments; *scores* of a metric make people's surer."""
    every = list(stored)
    found = _compute(plan, testset, every, seed=seed, machines=False)
    if scores is not None:
        counted = JudgedColumns(plan, kept(every, _ANSWERS).judgments)
        people = counted.values if plan.rules.is_scalar else counted.rankings
        found = replace(found, powered=powered_panel(plan, testset, people, scores, seed=seed))
    if not any(judgment.is_machine for judgment in every):
        return found
    panel = machines_panel(plan, kept(every, _CHOSEN).judgments, found.people, seed=seed)
    others = _compute(plan, testset, every, seed=seed, machines=True)
    return replace(found, machines=panel, with_machines=others)


def _compute(
    plan: Plan, testset: TestSet, every: Sequence[StoredJudgment], *, seed: int, machines: bool
) -> Standings:
    """How it stands by people, or with *machines* counted like them."""
    answers, everything, of_work = (
        replace(keep, machines=machines) for keep in (_ANSWERS, _CURRENT, WORK)
    )
    work = kept(every, answers)
    current = kept(every, everything).judgments
    full = kept(every, replace(answers, excluded=True)).judgments
    counted = JudgedColumns(plan, work.judgments)
    everybody = JudgedColumns(plan, full) if len(full) > len(work) else None
    boards = {
        model: _board(model, testset, counted, everybody, work.left_out, seed)
        for model in models_of(plan)
    }
    best = boards[models_of(plan)[0]]
    agreement, by_judge, disagreement = _agreement(counted, current, everybody, seed)
    asked = windows(testset, plan.window).testset if plan.rules.is_document else testset
    every_part = [part for one in kept(every, of_work).judgments for part in plan.rules.parts(one)]
    measure = "mean deviation" if plan.rules.is_scalar else "share of differing labels"
    return Standings(
        boards,
        done=_done(counted, testset, best, seed),
        heat=heat(counted.rankings, [row["system"] for row in best["rows"]] + best["unjudged"]),
        coverage=coverage(plan, asked, work.judgments),
        people=people(plan, current, by_judge),
        agreement=agreement,
        items=items(testset, every_part, disagreement, measure),
        errors=_errors(plan, testset, work.judgments, counted, seed),
        pace=pace(plan, testset, current, seed=seed),
        domains=domain_boards(counted, testset, models_of(plan)[0], seed),
        details=judge_details(plan, testset, current),
    )


def _errors(
    plan: Plan,
    testset: TestSet,
    work: Sequence[StoredJudgment],
    counted: JudgedColumns,
    seed: int,
) -> ErrorsPanel | None:
    if not isinstance(plan.rules, Documented):
        return None
    return error_counts(plan, testset, work, counted.values, seed=seed)


def _board(
    model: str,
    testset: TestSet,
    work: JudgedColumns,
    everybody: JudgedColumns | None,
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


def _done(work: JudgedColumns, testset: TestSet, board: LiveBoard, seed: int) -> DonePanel:
    if work.plan.rules.is_scalar:
        return value_outlook(work.plan, board, done=len(work))
    return ranking_outlook(work.plan, work.rankings, testset.systems, done=len(work), seed=seed)


def _agreement(
    work: JudgedColumns,
    current: Sequence[StoredJudgment],
    everybody: JudgedColumns | None,
    seed: int,
) -> Agreed:
    """The panel, rows for every judge, excluded ones too, and the disagreement by segment."""
    counting = [judgment for judgment in current if not judgment.is_excluded]
    content, by_judge, by_segment = agreed(work, counting, seed)
    content["with_excluded"] = None
    if everybody is not None:
        content["with_excluded"], of_all, _ = agreed(everybody, current, seed)
        by_judge = of_all.replaced_by(by_judge)
    return content, by_judge, by_segment
