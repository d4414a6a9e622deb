"""One table over the campaigns of an event: where every system stands in each, and on average."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import models_of
from rankwise.server.campaign.standings.contents import LiveBoard
from rankwise.server.records import Json


@dataclass(frozen=True, slots=True)
class EventCell:
    """A system in one campaign; the ranks that its place may be."""

    score: float
    rank_low: int
    rank_high: int
    cluster: int

    @property
    def ranks(self) -> str:
        """The ranks as people read them: ``2`` or ``2–4``."""
        few = self.rank_low == self.rank_high
        return str(self.rank_low) if few else f"{self.rank_low}–{self.rank_high}"


@dataclass(frozen=True, slots=True)
class EventRow:
    """A system in all campaigns, in their order; ``None`` where it is not.

    ``mean_rank`` is that of the middles of its ranks, over the campaigns that it is in.
    ``mean_score`` is there where the system is in every campaign and scores can be compared.
    """

    system: str
    cells: tuple[EventCell | None, ...]
    mean_rank: float
    mean_score: float | None

    @property
    def campaigns(self) -> int:
        """In how many campaigns it stands."""
        return sum(cell is not None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class EventTable:
    """The rows, best mean rank first; ``why`` says why scores are not averaged, if they are not."""

    campaigns: tuple[str, ...]
    rows: tuple[EventRow, ...]
    why: str | None

    def to_json(self) -> dict[str, object]:
        """The table as JSON values."""
        return {
            "campaigns": list(self.campaigns),
            "scores_averaged": self.why is None,
            "why_not": self.why,
            "rows": [_row_json(self.campaigns, row) for row in self.rows],
        }


def _row_json(campaigns: Sequence[str], row: EventRow) -> Json:
    cells = {
        name: {
            "score": cell.score,
            "rank_low": cell.rank_low,
            "rank_high": cell.rank_high,
            "cluster": cell.cluster,
        }
        for name, cell in zip(campaigns, row.cells, strict=True)
        if cell is not None
    }
    return {
        "system": row.system,
        "campaigns": cells,
        "mean_rank": row.mean_rank,
        "mean_score": row.mean_score,
    }


def event_table(parts: Sequence[tuple[Plan, LiveBoard | None]]) -> EventTable:
    """The table of campaigns with their leaderboards, each by the model that its page shows first.

    Ranks can be put side by side whatever was asked. Scores are averaged where every campaign has a
    leaderboard of values by the same model, the same protocol and the same way to count errors.
    """
    boards = [board for _, board in parts]
    why = _why_apart(parts)
    names = {row["system"] for board in boards if board for row in board["rows"]}
    rows = [_row(name, boards, is_averaged=why is None) for name in names]
    rows.sort(key=lambda row: (row.mean_rank, -row.campaigns, row.system))
    return EventTable(tuple(plan.slug for plan, _ in parts), tuple(rows), why)


def _row(name: str, boards: Sequence[LiveBoard | None], *, is_averaged: bool) -> EventRow:
    cells = tuple(_cell(name, board) for board in boards)
    there = [cell for cell in cells if cell is not None]
    mean_rank = fmean((cell.rank_low + cell.rank_high) / 2 for cell in there)
    whole = is_averaged and len(there) == len(cells)
    return EventRow(name, cells, mean_rank, fmean(c.score for c in there) if whole else None)


def _cell(name: str, board: LiveBoard | None) -> EventCell | None:
    for row in board["rows"] if board else ():
        if row["system"] == name:
            return EventCell(row["score"], row["rank_low"], row["rank_high"], row["cluster"])
    return None


def _why_apart(parts: Sequence[tuple[Plan, LiveBoard | None]]) -> str | None:
    """Why scores of different campaigns cannot be averaged; ``None`` if they can."""
    plans = [plan for plan, _ in parts]
    if len(plans) < 2:
        return "there is one campaign"
    if not all(plan.rules.is_scalar for plan in plans):
        return "ratings of rankings have no common scale; their ranks have"
    if len({plan.protocol for plan in plans}) > 1:
        return "the campaigns have different protocols"
    if len({str(plan.spans.to_json()) for plan in plans}) > 1:
        return "the campaigns count errors differently"
    if len({models_of(plan)[0] for plan in plans}) > 1:
        return "the campaigns have different models"
    if any(board is None or not board["rows"] for _, board in parts):
        return "not every campaign has a leaderboard yet"
    return None
