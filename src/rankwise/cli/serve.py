"""``rankwise serve``: the campaign server."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.campaign import asset_limits, asset_options
from rankwise.cli.campaign.campaign_mail import chosen_server, mail_options
from rankwise.cli.common.output import echo, note

if TYPE_CHECKING:
    from rankwise.server.store.campaign_store import CampaignStore

DATABASE = "rankwise.db"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
@click.option("--database", metavar="URL", help="postgresql://… in place of a file in FOLDER.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="PostgreSQL only."
)
@click.option("--base-url", metavar="URL", help="The address people type, such as https://…")
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Believe X-Forwarded-For and -Proto from this address.",
)
@click.option(
    "--connections-per-address",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Connections at once from one address; a trusted proxy has no limit.",
)
@click.option(
    "--backups",
    type=click.Path(path_type=Path, file_okay=False),
    help="Put a backup into this folder every hour; old ones are thinned out.",
)
@asset_options
@mail_options
@click.option("--example/--no-example", default=True, help="Offer the example in an empty store.")
def serve(
    folder: Path, database: str | None, base_url: str | None, example: bool, **options: Any
) -> None:
    """Serve campaigns: pages for judges and organisers, and an API.

    The database is FOLDER/rankwise.db (FOLDER: where you are). The first start makes it, prints a
    link that sets the owner's password, and offers the bundled example as a campaign to try.
    """
    names = ("mail_url", "sender", "password_file", "pace")
    mail = chosen_server(**{name: options.pop(name) for name in names}, base_url=base_url)
    _check(folder, database, base_url, options["workers"])
    from rankwise.server import runner
    from rankwise.server.settings import Settings
    from rankwise.server.store.campaign_store import CampaignStore
    from rankwise.server.store.database.database import Database, sqlite_url

    url = database or sqlite_url(folder / DATABASE)
    proxies = tuple(options.pop("proxies"))
    limits = asset_limits(options.pop("asset_limit"), options.pop("assets_limit"))
    options |= {"asset_limit": limits.file, "assets_limit": limits.campaign}
    settings = Settings(folder=folder, url=url, trusted_proxies=proxies, mail=mail, **options)
    with runner.bind(settings) as listening:
        settings = runner.at_port(settings, listening, base_url)
        store = CampaignStore(Database.open(url))
        try:
            _print(runner.first_steps(store, settings, example=example), settings)
            runner.run(store, settings, listening)
        except KeyboardInterrupt:
            pass  # it ended as it was asked to
        finally:
            _close(store)
    note("Stopped.")


def _check(folder: Path, database: str | None, base_url: str | None, workers: int) -> None:
    """Refuse what cannot work, before anything is made."""
    from rankwise.errors import DataError, MissingExtra

    missing = [name for name in ("fastapi", "uvicorn", "sqlalchemy") if find_spec(name) is None]
    if missing:
        raise MissingExtra(
            f"serve needs {missing[0]}; install it with: pip install rankwise[serve]"
        )
    if base_url and not base_url.startswith(("http://", "https://")):
        raise DataError(
            f"--base-url is {base_url!r}; expected it to begin with http:// or https://"
        )
    if workers > 1 and not (database or "").startswith("postgresql"):
        raise DataError("--workers needs PostgreSQL (--database URL): SQLite serves one process")
    if database is None:
        _make_folder(folder)


def _make_folder(folder: Path) -> None:
    from rankwise.errors import StoreError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot use the folder {folder}: {error.strerror or error}") from error


def _print(first: Any, settings: Any) -> None:
    echo(f"Rankwise is at {settings.base_url}")
    if first.setup:
        echo(f"Set the owner's password, once:  {first.setup}")
    if first.demo:
        echo(f"Judge the example:               {first.demo}")
    is_open = settings.host not in ("127.0.0.1", "::1", "localhost")
    if is_open and not settings.secure:
        note("People beyond this machine come by plain http: links and passwords can be read.")
        note("Put a proxy with TLS before it and say --base-url https://…")
    note("Stop with Ctrl-C.")


def _close(store: "CampaignStore") -> None:
    store.database.close()
