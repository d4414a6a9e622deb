"""The machines of a campaign: what each did, and how far it agrees with people.

A machine is compared with people one at a time, so that two machines that think alike lend each
other nothing.
"""

from collections.abc import Sequence
from statistics import median

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import plain
from rankwise.server.campaign.standings.campaign_agreement import AgreementByJudge, JudgeMeasure
from rankwise.server.campaign.standings.contents import JudgesPanel, MachinesPanel
from rankwise.server.campaign.standings.judge_quality import people
from rankwise.server.campaign.standings.judged_columns import JudgedColumns, agreed
from rankwise.server.records import StoredJudgment


def machines_panel(
    plan: Plan, current: Sequence[StoredJudgment], persons: JudgesPanel | None, *, seed: int
) -> MachinesPanel:
    """Every machine of *current*, which has the judgments of everybody that were not revised.

    *persons* are the people, with whose agreement among themselves a machine is compared.
    """
    own = [judgment for judgment in current if judgment.is_machine]
    counting = [one for one in current if not (one.is_machine or one.is_excluded)]
    others: dict[str, JudgeMeasure] = {}
    selves: dict[str, JudgeMeasure] = {}
    for name in dict.fromkeys(judgment.judge for judgment in own):
        both = [*counting, *(judgment for judgment in own if judgment.judge == name)]
        work = [one for one in both if one.role == "work" and one.kind == "answer"]
        _, found, _ = agreed(JudgedColumns(plan, [o for o in work if not o.surplus]), both, seed)
        others[name], selves[name] = found.with_others(name), found.with_self(name)
    rows = people(plan, own, AgreementByJudge(others, selves), is_paced=False)["rows"]
    usual = [row["kappa_others"] for row in (persons["rows"] if persons else ())]
    known = [value for value in usual if value is not None]
    panel: MachinesPanel = {
        "n": len(own),
        "measure": "r" if plan.rules.is_scalar else "kappa",
        "rows": rows,
        "people": len(known),
        "people_median": median(known) if known else None,
    }
    return plain(panel)
