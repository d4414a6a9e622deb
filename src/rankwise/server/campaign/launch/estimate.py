r"""What a campaign will take: screens, hours, money, by rules of thumb that are stated.

Ranking: neighbouring systems that would win 60 to 40 are to be told apart. Their gap is
:math:`m = \log(0.6 / 0.4)`, a comparison tells :math:`q = 1/4`, and with S systems asked evenly

.. math:: N = S z^2 / (m^2 q), \qquad \text{screens} = N \Big/ \frac{3 k (k - 1)}{2 (k + 1)}

because the pairs of a screen of k are worth that many independent ones. Adaptive strategies need
fewer. Values: means are to be told apart that differ by a fifth of the deviation of single values,
:math:`n = 2 z^2 / 0.2^2` of each system; every segment of a document counts as one. Screens of the
coverage floor are the least of all. To these the shares of repeated and control screens are added.
"""

import math
from dataclasses import dataclass

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import QUANTILE

_GAP = math.log(0.6 / 0.4)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Judgments to reach the goal, and their time and price; ``goal`` says what it is."""

    goal: str
    judgments: int
    hours: float
    cost: float | None
    currency: str
    per_judge: int | None


def estimate(
    plan: Plan, systems: int, *, judges: int | None = None, segments: float = 1.0
) -> Estimate:
    """The estimate for a plan with so many systems; a limit of the stop rule caps it.

    The limit counts screens of work; repeats and controls come on top of it. *judges* share the
    work; if not given, those that the plan names. *segments* is how many a document has on a
    screen, in the mean.
    """
    goal, screens = _goal(plan, systems, segments)
    work, most = math.ceil(screens * plan.redundancy), plan.stop.max_judgments
    if most is not None and most < work:
        goal, work = f"{most} judgments, the limit of the stop rule", most
    extra = 1 - plan.repeat_share - plan.control_share
    judgments = math.ceil(work / extra) if extra > 0 else work
    hours = judgments * plan.seconds_per_screen / 3600
    cost = None if plan.pay_per_hour is None else round(hours * plan.pay_per_hour, 2)
    people = len(plan.judges) if judges is None else judges
    share = math.ceil(judgments / people) if people else None
    return Estimate(goal, judgments, round(hours, 2), cost, plan.currency, share)


def _goal(plan: Plan, systems: int, segments: float) -> tuple[str, int]:
    if plan.rules.is_scalar:
        values = 2 * (QUANTILE / 0.2) ** 2
        goal = "tell apart means that differ by a fifth of the deviation of single values"
        return goal, math.ceil(values * systems / (plan.k * segments))
    k = max(2, min(plan.k, systems))
    worth = 3 * k * (k - 1) / (2 * (k + 1))
    comparisons = systems * QUANTILE**2 / (_GAP**2 * 0.25)
    floor = plan.coverage_floor * systems / k
    goal = "tell apart neighbouring systems that win 60 to 40"
    return goal, math.ceil(max(comparisons / worth, floor))
