"""``rankwise campaign``: set up campaigns, invite judges, look, export, back up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rankwise.cli.common.lazy_group import LazyGroup

if TYPE_CHECKING:
    from rankwise.server.campaign.plan.size_limits import AssetLimits
    from rankwise.server.store.campaign_store import CampaignStore

F = TypeVar("F", bound=Callable[..., object])

DATABASE = "rankwise.db"
#: Who acts, in the audit log.
ACTOR = "command line"

#: Every command: the module that holds it, and its line in the help.
COMMANDS = {
    "check": ("campaign_make", "Check a plan and its texts before anybody sees them."),
    "create": ("campaign_make", "Make a campaign from a plan."),
    "invite": ("campaign_make", "Invite judges and print their links, this once."),
    "mail": ("campaign_mail", "Send judges their links by mail, or show how that went."),
    "add": ("campaign_add", "Add a system to a campaign that is under way."),
    "extend": ("campaign_add", "Add documents to a campaign that is under way."),
    "event": ("campaign_event", "Show the events, or the table over one of them."),
    "status": ("campaign_look", "Show the campaigns, or how one of them stands."),
    "pay": ("campaign_look", "Write how long every judge worked, to pay by."),
    "scores": ("campaign_scores", "Attach a metric's scores, which make people's surer."),
    "export": ("campaign_data", "Write the judgments of a campaign to files."),
    "publish": ("campaign_data", "Write a finished campaign as pages to browse."),
    "import": ("campaign_data", "Add judgments that were made elsewhere."),
    "backup": ("campaign_data", "Write everything to one file."),
    "restore": ("campaign_data", "Put a backup into an empty folder or database."),
    "open": ("campaign_change", "Open a campaign: judges can begin, or go on."),
    "pause": ("campaign_change", "Pause a campaign: nobody gets a new screen."),
    "close": ("campaign_change", "Close a campaign: nobody judges any more."),
    "edit": ("campaign_change", "Change the plan of a campaign."),
    "clone": ("campaign_change", "Make the same campaign once more, without judgments."),
    "delete": ("campaign_change", "Delete a campaign that nobody has judged in."),
}


def _command(name: str) -> Any:
    module = import_module(f"rankwise.cli.campaign.{COMMANDS[name][0]}")
    return getattr(module, f"{name}_command")


@click.group(
    cls=LazyGroup, lines={name: line for name, (_, line) in COMMANDS.items()}, find=_command
)
def campaign() -> None:
    """Set up campaigns of human judgments; invite, look, export, back up.

    The database is rankwise.db in the folder where you are, or in --folder, or at --database. While
    `rankwise serve` runs on an SQLite file, status, export and backup work beside it; make changes
    on its pages, because only one process may write to the file.
    """


def store_options(function: F) -> F:
    """Add the options that say where the campaigns are."""
    for option in (
        click.option("--database", metavar="URL", help="postgresql://… in place of a file."),
        click.option(
            "--folder",
            type=click.Path(path_type=Path),
            default=Path(),
            help="Where rankwise.db is; here if not given.",
        ),
    ):
        function = option(function)
    return function


def asset_options(function: F) -> F:
    """Add the options that say how large pictures, sounds and videos may be."""
    for name, usual, whose in (
        ("--assets-limit", 1024, "all pictures, sounds and videos of a campaign may have"),
        ("--asset-limit", 64, "a picture, sound or video may have"),
    ):
        words = f"How many MiB {whose}."
        kind = click.FloatRange(0, 1 << 20)
        option = click.option(
            name, metavar="MIB", type=kind, default=usual, show_default=True, help=words
        )
        function = option(function)
    return function


def asset_limits(file: float, campaign: float) -> "AssetLimits":
    """The limits that the options say."""
    from rankwise.server.campaign.plan.size_limits import AssetLimits

    return AssetLimits(int(file * (1 << 20)), int(campaign * (1 << 20)))


def database_url(folder: Path, database: str | None) -> str:
    """The URL of the database that the options name."""
    from rankwise.errors import MissingExtra

    if find_spec("sqlalchemy") is None:
        raise MissingExtra(
            "campaigns need sqlalchemy; install it with: pip install rankwise[serve]"
        )
    from rankwise.server.store.database.database import sqlite_url

    return database or sqlite_url(folder / DATABASE)


@contextmanager
def opened(
    folder: Path, database: str | None, *, make: bool = False, reading: bool = False
) -> "Iterator[CampaignStore]":
    """The store; without *make* it must be there already, *reading* leaves it as it is."""
    url = database_url(folder, database)
    from rankwise.errors import StoreError
    from rankwise.server.store.campaign_store import CampaignStore
    from rankwise.server.store.database.database import Database

    if database is None and not make and not (folder / DATABASE).is_file():
        raise StoreError(
            f"there is no {DATABASE} in {folder.resolve()}; `campaign create` makes one"
        )
    if database is None and make:
        folder.mkdir(parents=True, exist_ok=True)
    with not_beside_a_server():
        store = CampaignStore(Database.open(url, read_only=reading))
    try:
        yield store
    finally:
        store.database.close()


@contextmanager
def not_beside_a_server() -> Iterator[None]:
    """Say what to do where a server has the SQLite file in its hands."""
    from rankwise.server.store.database.store_errors import DatabaseBusy

    try:
        yield
    except DatabaseBusy as error:
        message = "the server holds this database; do this on its pages, or stop it first"
        raise DatabaseBusy(message) from error


def counted(counts: Any) -> str:
    """Counts by reason for a sentence: ``3 excluded, 1 surplus``."""
    return ", ".join(f"{number} {name}" for name, number in counts.items()) or "nothing"
