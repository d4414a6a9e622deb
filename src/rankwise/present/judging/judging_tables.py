"""A model as judge, as tables: how the asking went, and what the order of outputs did."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rankwise.present.tables import Cell, Column, Table

if TYPE_CHECKING:
    from rankwise.evaluate.ranking.order_effects import (
        CountedShare,
        OrderEffects,
        RepeatedValues,
    )
    from rankwise.judging.campaign_judge import CampaignWork
    from rankwise.judging.model_judge import JudgingEstimate
    from rankwise.judging.model_verdicts import ModelVerdicts

_Row = tuple[Cell, Cell, Cell, Cell]


def verdicts_table(
    found: "ModelVerdicts",
    effects: "OrderEffects | RepeatedValues | None" = None,
    *,
    for_programs: bool = False,
) -> Table:
    """How the asking went; with *effects*, the place of outputs and the judge's consistency."""
    rows: list[_Row] = [("questions", found.questions, None, None)]
    rows += [(status, count, None, None) for status, count in found.statuses.items()]
    rows.append(("without a reply", found.unanswered, None, None))
    rows.append(("kept from before", found.kept_before, None, None))
    rows.append(("requests", found.spent.requests, None, None))
    rows.append(("tokens read", round(found.spent.tokens_in), None, None))
    rows.append(("tokens written", round(found.spent.tokens_out), None, None))
    rows += [] if found.cost is None else [("cost", found.cost, None, None)]
    rows += [("quotes not in the output", found.unplaced, None, None)] if found.unplaced else []
    rows += [] if effects is None else list(_consistency_rows(effects))
    facts = {"protocol": found.protocol, "model": found.model, "prompt": found.prompt}
    return _table(rows, ("value", "low", "high"), facts, for_programs=for_programs)


def work_table(done: "CampaignWork", *, for_programs: bool = False) -> Table:
    """How a model's work for a campaign went, in screens."""
    rows: list[_Row] = [("screens answered", done.answered, None, None)]
    rows.append(("screens skipped", sum(done.skipped.values()), None, None))
    rows += [(f"skipped: {why}", count, None, None) for why, count in done.skipped.items()]
    rows += [("errors that overlap, left out", done.unsaid, None, None)] if done.unsaid else []
    rows.append(("requests", done.spent.requests, None, None))
    rows.append(("tokens read", round(done.spent.tokens_in), None, None))
    rows.append(("tokens written", round(done.spent.tokens_out), None, None))
    rows += [] if done.cost is None else [("cost", done.cost, None, None)]
    facts = {"model": done.model, "prompt": done.prompt, "ending": done.ending}
    return _table(rows, ("value",), facts, for_programs=for_programs)


def effects_table(effects: "OrderEffects", *, for_programs: bool = False) -> Table:
    """How often each place was preferred, and how consistent the judges were."""
    facts = {"level": effects.level}
    rows = list(_effect_rows(effects))
    return _table(rows, ("value", "low", "high"), facts, for_programs=for_programs)


def estimate_table(found: "JudgingEstimate", *, for_programs: bool = False) -> Table:
    """What asking would take."""
    rows: list[_Row] = [
        ("questions", found.questions, None, None),
        ("kept from before", found.kept, None, None),
        ("to ask", found.questions - found.kept, None, None),
        ("tokens read, about", round(found.tokens_in), None, None),
        ("tokens written, about", round(found.tokens_out), None, None),
    ]
    if found.cost is not None:
        rows.append(("cost, about", found.cost, None, None))
        rows.append(("cost at most", found.most, None, None))
    return _table(rows, ("value",), {}, for_programs=for_programs)


def _consistency_rows(effects: "OrderEffects | RepeatedValues") -> Iterator[_Row]:
    from rankwise.evaluate.ranking.order_effects import RepeatedValues

    if not isinstance(effects, RepeatedValues):
        yield from _effect_rows(effects)
    elif effects.alike.total:
        yield _share_row("alike when repeated", effects.alike)
        yield ("apart when repeated", effects.difference, None, None)


def _effect_rows(effects: "OrderEffects") -> Iterator[_Row]:
    told = (
        effects.places[:1] if len(effects.places) == 2 else effects.places
    )  # of two, one says all
    for place, share in enumerate(told, 1):
        if share.total:
            yield _share_row(f"place {place} preferred", share)
    if effects.swapped.total:
        yield _share_row("alike in the other order", effects.swapped)
    if effects.repeated.total:
        yield _share_row("alike when repeated", effects.repeated)


def _share_row(what: str, share: "CountedShare") -> _Row:
    return (what, share.value, share.low, share.high)


def _table(
    rows: Sequence[_Row], columns: Sequence[str], facts: Mapping[str, object], *, for_programs: bool
) -> Table:
    """Rows of numbers of several kinds: counts whole, shares and money with digits."""
    if not for_programs:
        rows = [(what, _said(a), _said(b), _said(c)) for what, a, b, c in rows]
    return Table(
        [Column("what"), *(Column(name, "right") for name in columns)],
        [row[: len(columns) + 1] for row in rows],
        facts=dict(facts),
    )


def _said(cell: Cell) -> Cell:
    """A number for people: a count with commas, another with three digits."""
    if isinstance(cell, float):
        return f"{cell:,.3f}"
    return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell
