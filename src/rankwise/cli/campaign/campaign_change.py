"""``rankwise campaign open``, ``pause``, ``close``, ``edit``, ``clone`` and ``delete``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.campaign import ACTOR, opened, store_options
from rankwise.cli.campaign.campaign_make import (
    base_url_option,
    invite_all,
    print_sheet,
    sheet_option,
)
from rankwise.cli.common.output import note

if TYPE_CHECKING:
    from rankwise.server.store.campaign_store import CampaignStore

_SLUG = click.argument("slug")
_IS_EVENT = click.option(
    "--event", "is_event", is_flag=True, help="SLUG is an event: all of its campaigns."
)


@click.command("open")
@_SLUG
@_IS_EVENT
@store_options
def open_command(slug: str, is_event: bool, folder: Path, database: str | None) -> None:
    """Open the campaign SLUG: a draft is launched, a paused or closed one goes on.

    One that was never open is not launched while its check list has errors.
    """
    with opened(folder, database) as store:
        for one in _slugs(store, slug, is_event=is_event):
            if store.campaigns.get(one).opened_at is None:
                _refuse_errors(store, one)
            _move(store, one, "open")


@click.command("pause")
@_SLUG
@_IS_EVENT
@store_options
def pause_command(slug: str, is_event: bool, folder: Path, database: str | None) -> None:
    """Pause the campaign SLUG: screens in hand may still be sent, nobody gets a new one."""
    with opened(folder, database) as store:
        for one in _slugs(store, slug, is_event=is_event):
            _move(store, one, "paused")


@click.command("close")
@_SLUG
@_IS_EVENT
@store_options
def close_command(slug: str, is_event: bool, folder: Path, database: str | None) -> None:
    """Close the campaign SLUG: screens in hand may still be sent, nobody gets a new one."""
    with opened(folder, database) as store:
        for one in _slugs(store, slug, is_event=is_event):
            _move(store, one, "closed")


@click.command("edit")
@_SLUG
@click.argument("changes", nargs=-1, metavar="KEY=VALUE...")
@click.option(
    "--file", "path", type=click.Path(path_type=Path), help="TOML with the keys that change."
)
@store_options
def edit_command(
    slug: str, changes: tuple[str, ...], path: Path | None, folder: Path, database: str | None
) -> None:
    """Change keys of the plan of the campaign SLUG, such as sitting=20 or stop.max_judgments=900.

    While nobody has judged, everything but the texts may change, unless the campaign is open. After
    that only what decides no answer: name, instructions, sitting, lease_seconds, stop, recruiting,
    seconds_per_screen, pay_per_hour, currency. A key without a value gets its usual one.
    """
    if not changes and path is None:
        raise click.UsageError("give KEY=VALUE, or --file")
    with opened(folder, database) as store:
        from rankwise.server.campaign.plan.plan_edits import changes_of
        from rankwise.server.campaign.plan.plan_files import read_keys

        wanted = ({} if path is None else read_keys(path)) | changes_of(changes)
        done = store.changes.edit(slug, wanted, actor=ACTOR)
    for key, words in done.items():
        note(f"{key}: {words}")
    note(f"campaign {slug!r}: {len(done)} {'key' if len(done) == 1 else 'keys'} changed")


@click.command("clone")
@_SLUG
@click.option("--name", required=True, help="The name of the new campaign.")
@click.option("--judges", is_flag=True, help="Invite its judges to the new one, by new links.")
@base_url_option
@sheet_option
@store_options
def clone_command(
    slug: str,
    name: str,
    judges: bool,
    base_url: str,
    output: str | None,
    folder: Path,
    database: str | None,
) -> None:
    """Make a draft with the plan and the texts of the campaign SLUG, but without its judgments.

    Instructions, tutorial and checks come along. With --judges everybody who was invited and may
    still work is invited again; prints pseudonym, name, address and link as CSV, this once.
    """
    with opened(folder, database) as store:
        made = store.changes.clone(slug, name, actor=ACTOR)
        people = store.changes.people(store.campaigns.get(slug)) if judges else []
        if people:
            print_sheet(invite_all(store, made.id, people, base_url), output)
    note(f"campaign {made.slug!r} is {made.state}; a clone of {slug!r}, {len(people)} invited")


@click.command("delete")
@_SLUG
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
def delete_command(slug: str, yes: bool, folder: Path, database: str | None) -> None:
    """Delete the campaign SLUG with its texts, judges and links; it must have no judgments.

    A line about it stays in the audit trail.
    """
    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        judges = len(store.judges.judges(found.id))
        if not yes and not store.changes.judgments(found):
            words = f"Delete {slug!r} ({found.name}; {found.systems} systems, {judges} judges)?"
            click.confirm(words, abort=True, err=True)
        store.changes.delete(slug, actor=ACTOR)
    note(f"campaign {slug!r} is deleted")


def _slugs(store: "CampaignStore", slug: str, *, is_event: bool) -> list[str]:
    """The campaigns that a command is about: one, or those of an event."""
    if not is_event:
        return [slug]
    return [campaign.slug for campaign in store.groups.campaigns(store.groups.get(slug))]


def _move(store: "CampaignStore", slug: str, state: str) -> None:
    if store.campaigns.get(slug).state == state:
        note(f"campaign {slug!r} is {state} already")
        return
    moved = store.campaigns.set_state(slug, state, actor=ACTOR)
    note(f"campaign {moved.slug!r} is {moved.state}")


def _refuse_errors(store: "CampaignStore", slug: str) -> None:
    from rankwise.errors import DataError
    from rankwise.server.campaign.launch.check_list import check

    campaign = store.campaigns.get(slug)
    found = check(campaign.plan, store.campaigns.testset(campaign.id))
    wrong = [finding.message for finding in found.findings if finding.level == "error"]
    if wrong:
        raise DataError(f"campaign {slug!r} cannot be launched: {wrong[0]}")
