"""``rankwise campaign event``, and what other commands do with ``--event``."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.campaign import ACTOR, opened, store_options
from rankwise.cli.common.output import echo, format_option, note, print_table
from rankwise.cli.common.progress import working

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.server.campaign.plan.plan import Plan
    from rankwise.server.campaign.standings.counted import Keep
    from rankwise.server.campaign.standings.event_table import EventTable
    from rankwise.server.records import CampaignEvent
    from rankwise.server.store.campaign_store import CampaignStore
    from rankwise.server.store.campaigns.campaigns import Campaign


@click.command("event")
@click.argument("slug", required=False)
@format_option
@store_options
def event_command(slug: str | None, output_format: str, folder: Path, database: str | None) -> None:
    """Show all events, or the table over all campaigns of the event SLUG.

    The table has a row for each system: its mean rank, the mean of its scores where they can be
    compared, and the ranks it may have in each campaign. People alone count. `campaign create
    --event NAME` makes an event; invite, open, pause, close and export take --event.
    """
    with opened(folder, database, reading=True) as store:
        if slug is None:
            print_table(_events(store), output_format)
            return
        event = store.groups.get(slug)
        campaigns = store.groups.campaigns(event)
        with working("computing"):
            table = _standing(store, campaigns)
        people = len(store.groups.people(event))
        states = [(campaign.slug, campaign.state) for campaign in campaigns]
    print_table(_table(table), output_format)
    for name, state in states:
        note(f"campaign {name!r} is {state}")
    if table.why:
        note(f"scores are not averaged: {table.why}")
    note(f"event {slug!r}: {len(states)} campaigns, {people} people with one link each")


def _events(store: "CampaignStore") -> "Table":
    from rankwise.present.tables import Column, Table

    rows = [
        (
            event.slug,
            ", ".join(campaign.slug for campaign in store.groups.campaigns(event)),
            len(store.groups.people(event)),
        )
        for event in store.groups.all()
    ]
    return Table([Column("event"), Column("campaigns"), Column("people", "right")], rows)


def _standing(store: "CampaignStore", campaigns: "Sequence[Campaign]") -> "EventTable":
    from rankwise.server.campaign.standings.boards import models_of
    from rankwise.server.campaign.standings.event_table import event_table
    from rankwise.server.campaign.standings.standings import compute

    parts = []
    for campaign in campaigns:
        testset = store.campaigns.testset(campaign.id)
        stored = list(store.log.stored(campaign.id, superseded=True))
        found = compute(campaign.plan, testset, stored, seed=campaign.plan.seed)
        parts.append((campaign.plan, found.boards.get(models_of(campaign.plan)[0])))
    return event_table(parts)


def _table(table: "EventTable") -> "Table":
    from rankwise.present.tables import Column, Table

    columns = [Column("system"), Column("mean_rank", "right", ".1f")]
    columns += [Column("mean_score", "right", ".2f")]
    columns += [Column(name, "right") for name in table.campaigns]
    rows = [
        (
            row.system,
            row.mean_rank,
            row.mean_score,
            *(None if cell is None else cell.ranks.replace("–", "-") for cell in row.cells),
        )
        for row in table.rows
    ]
    return Table(columns, rows, facts=table.to_json())


def joined(
    store: "CampaignStore", name: str, plans: "Iterable[Plan]", base_url: str
) -> list[tuple[str, ...]]:
    """Put the campaigns of *plans* into the event *name*; the sheet of links of their judges.

    Whoever is named in several plans is one person with one link.
    """
    from rankwise.server.campaign.plan.plan import person, slug_of

    event = next((one for one in store.groups.all() if one.slug == slug_of(name)), None)
    made = list(plans)
    slugs = [plan.slug for plan in made]
    if event is None:
        event = store.groups.add(name, slugs, actor=ACTOR)
    else:
        store.groups.join(event, slugs, actor=ACTOR)
    where: dict[tuple[str | None, str | None], list[str]] = {}
    for plan in made:
        for line in plan.judges:
            where.setdefault(person(line), []).append(plan.slug)
    rows = [_invited(store, event, who, chosen, base_url) for who, chosen in where.items()]
    note(f"event {event.slug!r}: {len(store.groups.campaigns(event))} campaigns")
    return rows


def invite_to_event(
    store: "CampaignStore",
    slug: str,
    people: Iterable[tuple[str | None, str | None]],
    only: Sequence[str],
    base_url: str,
) -> list[tuple[str, ...]]:
    """Invite *people* to an event, or to some campaigns of it; the rows of the sheet of links."""
    event = store.groups.get(slug)
    return [_invited(store, event, who, only or None, base_url) for who in people]


def _invited(
    store: "CampaignStore",
    event: "CampaignEvent",
    who: tuple[str | None, str | None],
    slugs: Sequence[str] | None,
    base_url: str,
) -> tuple[str, ...]:
    name, email = who
    person, token = store.groups.invite(event, slugs, name=name, email=email, actor=ACTOR)
    pseudonyms = " ".join(pair.judge.pseudonym for pair in person.pairs)
    return pseudonyms, name or "", email or "", f"{base_url.rstrip('/')}/j/{token}"


def export_event(
    slug: str,
    formats: Sequence[str],
    output: Path,
    keep: "Keep",
    folder: Path,
    database: str | None,
    *,
    spreadsheet: bool,
) -> list[tuple[int, dict[str, Any]]]:
    """Write the judgments of all campaigns of an event; what is to be said in the audit trail."""
    from rankwise.server.campaign.exchange.event_export import EventPart, write_event

    with opened(folder, database, reading=True) as store:
        event = store.groups.get(slug)
        campaigns = store.groups.campaigns(event)
        output.mkdir(parents=True, exist_ok=True)
        parts = (
            EventPart(
                one.plan,
                store.campaigns.testset(one.id),
                list(store.log.stored(one.id, superseded=True)),
                store.campaigns.given(one.id),
            )
            for one in campaigns
        )
        with working("writing"):
            found = write_event(
                event.slug,
                parts,
                output,
                formats=formats,
                keep=keep,
                spreadsheet=spreadsheet,
            )
    echo("\n".join(str(path) for path in found.files))
    for name, count in found.judgments.items():
        note(f"{name}: {count} judgments")
    return [(one.id, {"event": slug, "judgments": found.judgments[one.slug]}) for one in campaigns]
