"""``rankwise campaign mail``, and the options that name a mail server."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.campaign import ACTOR, F, opened, store_options
from rankwise.cli.common.output import echo, format_option, note, print_table

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.server.campaign.launch.link_mail import MailWords
    from rankwise.server.mail_server import MailServer
    from rankwise.server.store.access.link_mails import LinkMail, LinkMails, Recipient, Whom
    from rankwise.server.store.campaign_store import CampaignStore

PASSWORD = "RANKWISE_MAIL_PASSWORD"


def mail_options(function: F) -> F:
    """Add the options that say by which server mail goes out."""
    for option in (
        click.option(
            "--mails-per-minute",
            "pace",
            type=click.FloatRange(0.1, 6000),
            default=30,
            show_default=True,
            help="So many mails, and no more.",
        ),
        click.option(
            "--mail-password-file",
            "password_file",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help=f"The password in its first line; otherwise it is in {PASSWORD}.",
        ),
        click.option(
            "--mail-from",
            "sender",
            envvar="RANKWISE_MAIL_FROM",
            show_envvar=True,
            metavar="SENDER",
            help="Like 'WMT <wmt@example.org>'.",
        ),
        click.option(
            "--mail-server",
            "mail_url",
            envvar="RANKWISE_MAIL_SERVER",
            show_envvar=True,
            metavar="URL",
            help="Like smtp://USER@HOST:587, which must offer STARTTLS, or smtps://USER@HOST.",
        ),
    ):
        function = option(function)
    return function


def chosen_server(
    mail_url: str | None,
    sender: str | None,
    password_file: Path | None,
    pace: float,
    base_url: str | None,
) -> "MailServer | None":
    """The mail server that the options name, or ``None``; links need an address to lead to."""
    if mail_url is None:
        if sender is not None or password_file is not None:
            raise click.UsageError("--mail-from and --mail-password-file need --mail-server")
        return None
    if sender is None:
        raise click.UsageError("--mail-server needs --mail-from")
    if base_url is None:
        raise click.UsageError("--mail-server needs --base-url: links in mails are made from it")
    from rankwise.server.mail_server import mail_server

    password = _password(password_file)
    return mail_server(mail_url, sender, password=password, per_minute=pace)


def _password(file: Path | None) -> str:
    from rankwise.errors import StoreError

    if file is None:
        return os.environ.get(PASSWORD, "")
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise StoreError(f"{file}: cannot be read: {why}") from error


@click.command("mail")
@click.argument("slug")
@click.option("--send", is_flag=True, help="Send; otherwise it shows how the mails stand.")
@click.option("--dry-run", is_flag=True, help="Show what --send would send, and send nothing.")
@click.option(
    "--to",
    "whom",
    type=click.Choice(["new", "silent"]),
    default="new",
    show_default=True,
    help="Who got no mail yet and has not come; or who got one a day ago and judged nothing.",
)
@click.option(
    "--words",
    "words_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The subject in its first line, then the text, with {link} once. [default: as last time, "
    "or an invitation in the campaign's language]",
)
@click.option("--base-url", metavar="URL", help="The address that judges will type.")
@click.option("--event", "is_event", is_flag=True, help="SLUG is an event: write to its people.")
@mail_options
@format_option
@store_options
def mail_command(
    slug: str,
    send: bool,
    dry_run: bool,
    whom: "Whom",
    words_file: Path | None,
    base_url: str | None,
    is_event: bool,
    output_format: str,
    folder: Path,
    database: str | None,
    **mail: Any,
) -> None:
    """Send judges of the campaign SLUG their personal links, or show how the mails stand.

    A mail goes to judges with an address (invited as 'Ann <ann@example.org>') and has a new link:
    when it goes out, the one before ends. With --event, people of the event SLUG get theirs, which
    is for all campaigns they judge in. Nobody gets the same mail twice; where a connection ended in
    the middle, the mail is unclear and stays so. What a server refuses for now is tried again by
    `rankwise serve` with the same options, or when this runs again. Exit 1 if a mail was not sent.
    """
    if send and dry_run:
        raise click.UsageError("--send or --dry-run, not both")
    server = chosen_server(**mail, base_url=base_url) if send else None
    if send and server is None:
        raise click.UsageError("--send needs --mail-server")
    with opened(folder, database, reading=not send) as store:
        mails: LinkMails = store.event_mails if is_event else store.mails
        owner = (store.groups if is_event else store.campaigns).get(slug).id
        if dry_run:
            _show(mails.whom(owner, whom), _words(mails, owner, words_file))
            return
        if server is not None:
            words = _words(mails, owner, words_file)
            asked = mails.ask(owner, [one.id for one in mails.whom(owner, whom)], words, ACTOR)
            note(f"{len(asked)} asked for")
            _deliver(store, server, base_url)
        found = mails.of(owner).values()
        print_table(_states(found, "person" if is_event else "judge"), output_format)
    if send and any(one.state != "sent" for one in found):
        raise click.exceptions.Exit(1)


def _words(mails: "LinkMails", owner: int, file: Path | None) -> "MailWords":
    from rankwise.errors import DataError
    from rankwise.io.files import read_lines
    from rankwise.server.campaign.launch.link_mail import checked_words

    if file is None:
        return mails.last_words(owner)
    lines = [line for _, line in read_lines(file)]
    try:
        return checked_words("".join(lines[:1]), "\n".join(lines[1:]))
    except DataError as error:
        raise DataError(f"{file}: {error}") from error


def _show(recipients: "list[Recipient]", words: "MailWords") -> None:
    said = f"Subject: {words.subject}\n\n{words.text}"
    for number, one in enumerate(recipients):
        echo(("---\n" if number else "") + f"To: {one.email}\n{said}")
    note(f"{len(recipients)} would be sent, each with a link of its own")


def _deliver(store: "CampaignStore", server: "MailServer", base_url: str | None) -> None:
    from rankwise.server.background.postman import Postman

    root = (base_url or "").rstrip("/")
    Postman(store, server, lambda path: root + path).deliver()


def _states(mails: "Iterable[LinkMail]", who: str) -> "Table":
    from datetime import UTC, datetime

    from rankwise.present.tables import Column, Table

    rows = [
        (
            mail.label,
            mail.state,
            datetime.fromtimestamp(mail.at / 1000, UTC).isoformat(timespec="seconds"),
            mail.tries,
            mail.why or "",
        )
        for mail in mails
    ]
    columns = [Column(name) for name in (who, "mail", "since", "tries", "answer")]
    return Table(columns, rows)
