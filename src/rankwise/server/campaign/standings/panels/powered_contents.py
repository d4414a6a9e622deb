"""What the dashboard shows of people's judgments and a metric's scores together."""

from typing import TypedDict


class PoweredRow(TypedDict):
    """One system by people and a metric together, and by people ``alone``."""

    system: str
    score: float
    low: float
    high: float
    rank_low: int
    rank_high: int
    cluster: int
    alone: float
    alone_low: float
    alone_high: float
    n: int


class PoweredPlan(TypedDict):
    """How many judgments intervals of a width take, ``together`` with the metric and ``alone``.

    ``of`` is means or differences; ``None`` is more than there are segments with scores.
    """

    of: str
    half_width: float
    together: int | None
    alone: int | None
    saved: float | None


class PoweredPanel(TypedDict):
    """Prediction-powered estimates, where scores of a metric are attached."""

    metric: str
    measure: str
    level: float
    problem: str | None
    signature: str
    rows: list[PoweredRow]
    correlations: dict[str, float | None]
    plan: list[PoweredPlan]
    n: int
    counted: str
    judged_segments: int
    scored_segments: int
    notes: list[str]
