"""The items of a campaign: where judges differ, what they wrote, and the history of one segment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import WORK, kept
from rankwise.server.campaign.standings.verdicts import slot_values
from rankwise.server.records import StoredJudgment
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.asset_answers import asset_answer
from rankwise.server.web.campaign_parts import OwnCampaign
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.judge.asset_routes import Key
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}")
#: How the list may be sorted, and what an unknown value counts as.
ORDERS = {"disagreement": -1.0, "median_s": -1.0, "skips": 0, "comments": 0, "n": 0}
PAGE = 50


@router.get("/items")
def items(
    request: Request,
    store: CurrentStore,
    campaign: OwnCampaign,
    sort: str = "disagreement",
    search: str = "",
    page: int = 1,
) -> Response:
    """Segments, those that judges differ on most first."""
    order = sort if sort in ORDERS else "disagreement"
    standing = store.standings.get(campaign.id, "items")
    rows = list(standing.content["rows"]) if standing else []
    testset = store.campaigns.testset(campaign.id)
    sources = {segment.id: segment.source for segment in testset.segments}
    wanted = search.casefold().strip()
    rows = [r for r in rows if not wanted or _matches(r["segment"], sources, wanted)]
    rows.sort(key=lambda row: _weight(row, order), reverse=True)
    last = max(1, -(-len(rows) // PAGE))
    page = min(max(page, 1), last)
    context = {
        "campaign": campaign,
        "standing": standing,
        "rows": rows[PAGE * (page - 1) : PAGE * page],
        "sources": sources,
        "total": len(rows),
        "order": order,
        "orders": list(ORDERS),
        "search": search[:200],
        "page": page,
        "last": last,
    }
    return render(request, "manage/items.html", context)


def _matches(segment: str, sources: Mapping[str, str], wanted: str) -> bool:
    return wanted in segment.casefold() or wanted in sources.get(segment, "").casefold()


def _weight(row: Mapping[str, Any], order: str) -> float:
    value = row.get(order)
    return float(ORDERS[order] if value is None else value)


@router.get("/items/{position}")
def item(request: Request, store: CurrentStore, campaign: OwnCampaign, position: int) -> Response:
    """One segment with every judgment of it, revisions and skips included."""
    testset = store.campaigns.testset(campaign.id)
    if not 0 <= position < len(testset):
        raise Refusal(404, "no_segment", f"There is no segment {position}.")
    segment = testset.segments[position]
    found = list(_judgments(store, campaign, segment.id))
    judgments = [_shown(judgment) for judgment in found]
    said = output_scores(campaign.plan, found)
    outputs = [(name, texts[position], said.get(name)) for name, texts in testset.outputs.items()]
    context = {
        "campaign": campaign,
        "segment": segment,
        "position": position,
        "size": len(testset),
        "outputs": outputs,
        "judgments": judgments,
        "is_scalar": campaign.plan.rules.is_scalar,
        "shown": store.campaigns.assets(campaign.id).get(position),
    }
    return render(request, "manage/item.html", context)


@router.head("/assets/{key}")
@router.get("/assets/{key}")
def asset(request: Request, store: CurrentStore, campaign: OwnCampaign, key: Key) -> Response:
    """A picture, sound or video of the campaign, as its judges get it."""
    return asset_answer(request, store.assets, store.assets.get(campaign.id, key))


@dataclass(slots=True)
class OutputScores:
    """What people said of one output: a value each, or of ranks the pairs won, tied and lost."""

    values: list[tuple[str, float]] = field(default_factory=list)
    won: int = 0
    tied: int = 0
    lost: int = 0
    errors: int | None = None

    @property
    def mean(self) -> float:
        """The mean value."""
        return sum(value for _, value in self.values) / len(self.values)

    @property
    def share(self) -> float:
        """The share of pairs won, a tie counted half."""
        return (self.won + self.tied / 2) / (self.won + self.tied + self.lost)


def output_scores(plan: Plan, judgments: Sequence[StoredJudgment]) -> dict[str, OutputScores]:
    """What the judgments of one segment that count on the leaderboard say of every system."""
    found: dict[str, OutputScores] = {}
    rules = plan.rules
    for judgment in kept(judgments, replace(WORK, skips=False)).judgments:
        values = slot_values(rules, judgment)
        slots = list(zip(judgment.slots, values, strict=True))
        spans = judgment.answer.get("spans")
        for number, (slot, value) in enumerate(slots):
            for name in slot.systems if slot.role == "TGT" else ():
                one = found.setdefault(name, OutputScores())
                if rules.is_scalar:
                    one.values.append((judgment.judge, value))
                if spans is not None:
                    one.errors = (one.errors or 0) + len(spans[number])
                others = [v for n, (s, v) in enumerate(slots) if n != number and s.role == "TGT"]
                one.won += sum(value > other for other in others)
                one.tied += sum(value == other for other in others)
                one.lost += sum(value < other for other in others)
    return found


def _judgments(store: CampaignStore, campaign: Campaign, segment: str) -> Iterator[StoredJudgment]:
    """Every judgment of a segment; of a document what was said about that segment."""
    rules = campaign.plan.rules
    if not rules.is_document:
        yield from store.log.stored(campaign.id, superseded=True, segment=segment)
        return
    for judgment in store.log.stored(campaign.id, superseded=True):
        is_skip = judgment.kind == "skip" and segment in judgment.segments
        parts = rules.parts(judgment)
        yield from (part for part in parts if is_skip or part.segment == segment)


def _shown(judgment: StoredJudgment) -> dict[str, object]:
    """A judgment for the table: whose texts got what, in words."""
    return {
        "judgment": judgment,
        "answer": in_words(judgment),
        "seconds": round(judgment.active_ms / 1000, 1),
    }


def in_words(judgment: StoredJudgment) -> str:
    """What the judge said, with the names of systems.

    Rankings read ``A > B = C``; values read ``A 80, B 75``.
    """
    names = ["+".join(slot.systems) + _mark(slot.role) for slot in judgment.slots]
    answer = judgment.answer
    if judgment.kind == "skip":
        return f"skipped: {answer.get('reason', '')}"
    if "ranks" in answer:
        return _order(names, answer["ranks"])
    if "choice" in answer:
        return _choice(names, str(answer["choice"]))
    keys = [key for key in ("scores", "fluency", "adequacy") if key in answer]
    said = [
        ", ".join(f"{name} {value}" for name, value in zip(names, answer[key], strict=True))
        + ("" if key == "scores" else f" ({key})")
        for key in keys
    ]
    return "; ".join([*said, *_errors(names, answer.get("spans", ()))])


def _errors(names: list[str], columns: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """The errors of every text: where, how severe, of which kind."""
    for name, spans in zip(names, columns, strict=False):
        words = [
            " ".join(filter(None, (span["severity"], span.get("category"), _where(span))))
            for span in spans
        ]
        if words:
            yield f"{name}: {', '.join(words)}"


def _where(span: Mapping[str, Any]) -> str:
    return str(span["mark"]) if "mark" in span else f"{span['start']}–{span['end']}"


def _order(names: list[str], ranks: list[int]) -> str:
    places = sorted(range(len(names)), key=lambda place: ranks[place])
    words = names[places[0]]
    for before, place in pairwise(places):
        words += (" = " if ranks[before] == ranks[place] else " > ") + names[place]
    return words


def _choice(names: list[str], choice: str) -> str:
    left, right = names
    said = {"left": f"{left} > {right}", "right": f"{right} > {left}"}
    return said.get(choice, f"{left} = {right}" + (" (both bad)" if choice == "both_bad" else ""))


def _mark(role: str) -> str:
    return {"REF": "#ref", "BAD": "#bad"}.get(role, "")
