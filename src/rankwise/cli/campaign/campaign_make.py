"""``rankwise campaign check``, ``create`` and ``invite``."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.campaign import ACTOR, asset_limits, asset_options, opened, store_options
from rankwise.cli.common.output import echo, format_option, note, print_table
from rankwise.cli.common.progress import working

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.server.campaign.launch.check_list import CheckList
    from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import PearmutCampaign
    from rankwise.server.campaign.plan.size_limits import AssetLimits
    from rankwise.server.records import JudgeKind
    from rankwise.server.store.campaign_store import CampaignStore

BASE_URL = "http://127.0.0.1:8000"
_PLAN = click.argument("plan", type=click.Path(path_type=Path))
base_url_option = click.option(
    "--base-url", default=BASE_URL, show_default=True, help="The address that judges will type."
)
_PAIR = click.option(
    "--language-pair",
    metavar="PAIR",
    help="Like cs-en: of a campaign of Pearmut whose id does not say it.",
)
sheet_option = click.option(
    "-o", "--output", help="Write the links to this CSV file, for you alone."
)


@click.command("check")
@_PLAN
@_PAIR
@asset_options
@format_option
def check_command(
    plan: Path,
    language_pair: str | None,
    asset_limit: float,
    assets_limit: float,
    output_format: str,
) -> None:
    """Check the PLAN (TOML, or JSON of Pearmut) and its texts; exit 1 if it cannot be launched.

    Counts, identical outputs, outputs that name their system, empty, missing and very long texts,
    hidden characters, and what it will cost.
    """
    _, found = _checked(plan, language_pair, asset_limits(asset_limit, assets_limit))
    print_table(_findings(found), output_format)
    for words, value in found.numbers:
        note(f"{words}: {value}")
    if not found.can_launch:
        raise click.exceptions.Exit(1)


@click.command("create")
@click.argument(
    "plans", nargs=-1, required=True, metavar="PLAN...", type=click.Path(path_type=Path)
)
@click.option("--event", metavar="NAME", help="Campaigns of this event, which is made if need be.")
@click.option("--open", "is_open", is_flag=True, help="Open it at once; otherwise it is a draft.")
@base_url_option
@_PAIR
@asset_options
@sheet_option
@store_options
def create_command(
    plans: tuple[Path, ...],
    event: str | None,
    is_open: bool,
    base_url: str,
    language_pair: str | None,
    asset_limit: float,
    assets_limit: float,
    output: str | None,
    folder: Path,
    database: str | None,
) -> None:
    """Make a campaign from each PLAN (TOML) and invite the judges it names.

    With --event they belong together, one for each language pair for instance; a judge who is named
    in several plans gets one link for all of them. A folder stands for the plans in it. A PLAN that
    ends in .json is a campaign of Pearmut, with its texts in it; what has no counterpart here is
    said, one line for every key.

    Prints one line per judge: pseudonym, name, address, link. Links are shown this once.
    """
    from rankwise.errors import DataError

    limits = asset_limits(asset_limit, assets_limit)
    ready = [_launchable(plan, language_pair, limits) for plan in _plans_in(plans)]
    plan_of = [made.plan for made, _ in ready]
    with opened(folder, database, make=True) as store:
        slugs = [made.slug for made in plan_of]
        for slug in slugs:  # all or none
            store.campaigns.refuse_taken(slug)
            if slugs.count(slug) > 1:
                raise DataError(f"two plans are called {slug!r}; expected different slugs")
        states = [_created(store, made, found, is_open=is_open) for made, found in ready]
        rows: list[tuple[str, ...]] = []
        if event is not None:
            from rankwise.cli.campaign.campaign_event import joined

            rows = joined(store, event, plan_of, base_url)
        else:
            for made in plan_of:
                campaign = store.campaigns.get(made.slug)
                rows += invite_all(store, campaign.id, _persons(made.judges), base_url)
        if rows:
            print_sheet(rows, output)
        if "draft" in states:
            note("nobody gets a screen before it is launched: by its page Check list, where "
                 "rankwise serve shows it, or at once by --open")  # fmt: skip


def _plans_in(paths: Sequence[Path]) -> list[Path]:
    """The plans themselves; a folder stands for those in it, by name."""
    from rankwise.errors import DataError

    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not inside:
            raise DataError(f"{path}: no plan in this folder; expected files that end in .toml")
        found += inside
    return found


def _launchable(
    plan: Path, language_pair: str | None, limits: "AssetLimits"
) -> "tuple[PearmutCampaign, CheckList]":
    """What a plan holds; an error if its check list has one."""
    from rankwise.errors import DataError

    made, found = _checked(plan, language_pair, limits)
    for finding in found.findings:
        note(f"{finding.level}: {finding.message}")
    if not found.can_launch:
        raise DataError(f"{plan}: it cannot be launched; see the errors above")
    return made, found


def _created(
    store: "CampaignStore",
    made: "PearmutCampaign",
    found: "CheckList",
    *,
    is_open: bool,
) -> str:
    """Make the campaign of a plan; the state it is in."""
    # names of people belong to the identities, which can be erased, and to nothing else
    added = store.campaigns.add(
        replace(made.plan, judges=()),
        made.testset,
        given=made.given,
        media=made.media,
        actor=ACTOR,
    )
    if is_open:
        added = store.campaigns.set_state(added.slug, "open", actor=ACTOR)
    note(f"campaign {added.slug!r} is {added.state}; {found.counts['segments']} segments")
    return added.state


@click.command("invite")
@click.argument("slug")
@click.argument("names", nargs=-1)
@click.option("--count", type=click.IntRange(min=0), default=0, help="So many without a name.")
@click.option("--event", "is_event", is_flag=True, help="SLUG is an event: one link for all of it.")
@click.option(
    "--campaign", "only", multiple=True, help="Of an event only this campaign; may be repeated."
)
@click.option(
    "--machine", is_flag=True, help="They are machines, called as their models; see rankwise judge."
)
@base_url_option
@sheet_option
@store_options
def invite_command(
    slug: str,
    names: tuple[str, ...],
    count: int,
    is_event: bool,
    only: tuple[str, ...],
    machine: bool,
    base_url: str,
    output: str | None,
    folder: Path,
    database: str | None,
) -> None:
    """Invite judges to the campaign SLUG: one for each of NAMES, and --count more.

    Prints pseudonym, name, address and link as CSV. Only a hash of the link is kept, so it cannot
    be printed again. A machine takes nobody's place, and what it judges is kept apart in every
    number.
    """
    if not names and not count:
        raise click.UsageError("give names, or --count")
    if (only and not is_event) or (machine and is_event):
        raise click.UsageError("--campaign is for --event, which is for people alone")
    if is_event:
        from rankwise.cli.campaign.campaign_event import invite_to_event

        with opened(folder, database) as store:
            people = _persons([*names, *[None] * count])
            rows = invite_to_event(store, slug, people, only, base_url)
            print_sheet(rows, output)
        note(f"{len(rows)} invited to the event {slug!r}; the links are shown this once")
        return
    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        people = _persons([*names, *[None] * count])
        kind: JudgeKind = "machine" if machine else "person"
        rows = invite_all(store, found.id, people, base_url, kind=kind)
        print_sheet(rows, output)
    note(f"{len(rows)} invited to {slug!r}; the links are shown this once")


def _checked(
    path: Path, language_pair: str | None, limits: "AssetLimits"
) -> "tuple[PearmutCampaign, CheckList]":
    from rankwise.server.campaign.launch.check_list import check
    from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import is_pearmut

    if language_pair is not None and not is_pearmut(path):
        raise click.UsageError("--language-pair: a plan in TOML names its languages itself")
    with working("reading"):
        made = _read(path, language_pair, limits)
        media = [place for place, row in enumerate(made.media.rows) if row is not None]
        found = check(made.plan, made.testset, media=media)
    for warning in made.warnings:
        note(f"{path}: {warning}")
    return made, found


def _read(path: Path, language_pair: str | None, limits: "AssetLimits") -> "PearmutCampaign":
    """What a file in TOML, or of Pearmut, holds."""
    from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import (
        PearmutCampaign,
        is_pearmut,
        read_pearmut,
    )
    from rankwise.server.campaign.plan.plan_files import (
        load_given,
        load_media,
        load_testset,
        read_plan,
    )

    if is_pearmut(path):
        return read_pearmut(path, language_pair=language_pair, limits=limits)
    plan = read_plan(path)
    testset = load_testset(plan, path.parent)
    given = load_given(plan, testset, path.parent)
    media = load_media(plan, testset, path.parent, limits)
    return PearmutCampaign(plan, testset, (), given, media)


def _findings(found: "CheckList") -> "Table":
    from rankwise.present.tables import Column, Table

    rows = [
        (
            finding.level,
            finding.message,
            ", ".join("/".join(filter(None, w)) for w in finding.where),
        )
        for finding in found.findings
    ]
    columns = [Column("level"), Column("finding"), Column("segment/system")]
    return Table(columns, rows, facts=found.to_json())


def invite_all(
    store: "CampaignStore",
    campaign_id: int,
    people: Iterable[tuple[str | None, str | None]],
    base_url: str,
    *,
    kind: "JudgeKind" = "person",
) -> list[tuple[str, ...]]:
    """Invite *people*, given by name and address; the rows of the sheet of links."""
    rows: list[tuple[str, ...]] = []
    for name, email in people:
        judge, token = store.judges.invite(
            campaign_id, name=name, email=email, kind=kind, actor=ACTOR
        )
        link = f"{base_url.rstrip('/')}/j/{token}"
        rows.append((judge.pseudonym, name or "", email or "", link))
    return rows


def _persons(lines: Sequence[str | None]) -> list[tuple[str | None, str | None]]:
    from rankwise.server.campaign.plan.plan import person

    return [person(line or "") for line in lines]


def print_sheet(rows: list[tuple[str, ...]], output: str | None) -> None:
    """Print the links as CSV, or write them to a file that nobody else can read."""
    from rankwise.io.files import write_text
    from rankwise.server.campaign.exchange.spreadsheets import guarded

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("judge", "name", "email", "link"))
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    if output is None:
        echo(text.getvalue().rstrip("\n"))
        return
    with write_text(output, private=True) as stream:  # whoever has a link is that judge
        stream.write(text.getvalue())
