"""``rankwise campaign export``, ``publish``, ``import``, ``backup`` and ``restore``."""

from pathlib import Path
from typing import Any

import click

from rankwise.cli.campaign import (
    ACTOR,
    counted,
    database_url,
    not_beside_a_server,
    opened,
    store_options,
)
from rankwise.cli.common.output import echo, note
from rankwise.cli.common.progress import working

_ROLES = ("work", "repeat", "control", "tutorial")
#: Formats that have the sources, but not the files that belong to them.
_WITH_SOURCES = ("testset", "pearmut", "appraise-batches", "mt-metrics-eval")


@click.command("export")
@click.argument("slug")
@click.option(
    "--to", "formats", multiple=True, default=("long",), help="A format; may be repeated."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path(), help="A folder.")
@click.option(
    "--event", "is_event", is_flag=True, help="SLUG is an event: one table of all, and each one's."
)
@click.option("--spreadsheet", is_flag=True, help="Guard cells that a spreadsheet would run.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(_ROLES),
    default=("work",),
    help="Screens of this role; may be repeated.  [default: work]",
)
@click.option("--surplus", is_flag=True, help="With late judgments that nobody needed.")
@click.option("--excluded", is_flag=True, help="With judgments of excluded judges.")
@click.option("--superseded", is_flag=True, help="With judgments that were revised later.")
@click.option("--skips/--no-skips", default=True, help="With skipped screens.")
@click.option("--machines", is_flag=True, help="With judgments of machines, marked as such.")
@click.option(
    "--media",
    "with_media",
    is_flag=True,
    help="With the pictures, sounds and videos of sources, and a list of them.",
)
@store_options
def export_command(
    slug: str,
    formats: tuple[str, ...],
    output: Path,
    is_event: bool,
    spreadsheet: bool,
    with_media: bool,
    folder: Path,
    database: str | None,
    **filters: Any,
) -> None:
    """Write the judgments of the campaign SLUG to a folder, each file with a side-car beside it.

    Formats: long (a tidy table), records (all there is), testset, and every format of rankings that
    `rankwise formats` lists (of assessments for a campaign of values). Prints the files written.
    With --event there is SLUG.csv besides, the long table of all its campaigns with a column for
    the campaign, and a folder for each of them. With --media the files of sources are in the folder
    SLUG.media, and SLUG.media.tsv is a list of them as `texts.media` of a plan has it.
    """
    from rankwise.server.campaign.exchange import export
    from rankwise.server.campaign.standings.counted import Keep

    if is_event:
        from rankwise.cli.campaign.campaign_event import export_event

        if with_media:
            raise click.UsageError("--media goes with one campaign, not with --event")

        keep = Keep(**filters)
        taken = export_event(slug, formats, output, keep, folder, database, spreadsheet=spreadsheet)
        for campaign, details in taken:
            _write_down(folder, database, campaign, [details])
        return
    with opened(folder, database, reading=True) as store:
        found = store.campaigns.get(slug)
        testset = store.campaigns.testset(found.id)
        given = store.campaigns.given(found.id)
        assets = store.campaigns.assets(found.id)
        with working("reading"):
            stored = list(store.log.stored(found.id, superseded=True))
    known = [format for format, _ in export.formats(found.plan)]
    unknown = next((name for name in formats if name not in known), None)
    if unknown is not None:
        raise click.UsageError(f"--to {unknown!r}: choose from {', '.join(known)}")
    output.mkdir(parents=True, exist_ok=True)
    if with_media:
        _write_media(slug, output, folder, database)
    written = []
    for name in formats:
        path = output / export.file_name(found.plan, name, spreadsheet=spreadsheet)
        keep = Keep(**filters)
        made = export.write(
            found.plan,
            testset,
            stored,
            path,
            format=name,
            keep=keep,
            spreadsheet=spreadsheet,
            given=given,
        )
        echo("\n".join(str(file) for file in made.files))
        note(f"{name}: {made.judgments} judgments; left out: {counted(made.left_out)}")
        for loss in made.losses:
            note(f"{name}: {loss}")
        if assets and name in _WITH_SOURCES and not with_media:
            note(f"{name}: {_without_media(len(assets))}")
        snapshot = made.about["snapshot"]
        written.append({"format": name, "judgments": made.judgments, "snapshot": snapshot})
    _write_down(folder, database, found.id, written)


def _write_down(
    folder: Path, database: str | None, campaign: int, taken: list[dict[str, Any]]
) -> None:
    """Say in the audit log what was taken away, unless a server has the file in its hands."""
    from rankwise.server.store.database.store_errors import DatabaseBusy

    try:
        with opened(folder, database) as store:
            for details in taken:
                store.events.add(ACTOR, "campaign.export", campaign=campaign, details=details)
    except DatabaseBusy:
        note("The server that runs on this database does not have this export in its audit log.")


def _write_media(slug: str, output: Path, folder: Path, database: str | None) -> None:
    """The files of a campaign's sources, and their list."""
    from rankwise.server.campaign.exchange.media_copies import write_media

    with opened(folder, database, reading=True) as store:
        found = store.campaigns.get(slug)
        count, assets = len(store.campaigns.testset(found.id)), store.campaigns.assets(found.id)
        copies = write_media(slug, assets, store.assets.content, count, output)
    echo("\n".join(str(path) for path in copies.paths))


def _without_media(count: int) -> str:
    """What is not in a file, or in pages, with the sources of a campaign."""
    whose = f"{count} segments" if count > 1 else "one segment"
    return f"The picture, sound or video of {whose} is not in it."


@click.command("publish")
@click.argument("slug")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="A folder for the pages."
)
@click.option("--machines", is_flag=True, help="With what machines judged, marked as such.")
@click.option(
    "--no-media",
    "is_without",
    is_flag=True,
    help="Leave out pictures, sounds and videos of sources; their descriptions stay.",
)
@store_options
def publish_command(
    slug: str,
    output: Path,
    machines: bool,
    is_without: bool,
    folder: Path,
    database: str | None,
) -> None:
    """Write the campaign SLUG as pages: results, and every screen as its judges saw it.

    The pages need no server and no network. Judges are numbered, comments are left out; systems
    have their names. Only a closed campaign is published. The leaderboard is of people alone; with
    --machines there is a second one. Pictures, sounds and videos that judges saw are copied to a
    folder media; leave them out where they are large or not yours to publish. Prints the first
    page.
    """
    from rankwise.errors import DataError
    from rankwise.server.campaign.exchange.published_pages import publish
    from rankwise.server.campaign.plan.size_limits import shown_size

    with opened(folder, database, reading=True) as store:
        found = store.campaigns.get(slug)
        if found.state != "closed":
            raise DataError(f"campaign {slug!r} is {found.state}; close it before it is published")
        testset = store.campaigns.testset(found.id)
        assets = store.campaigns.assets(found.id)
        content = None if is_without else store.assets.content
        stored = list(store.log.stored(found.id, superseded=True))
        with working("writing"):
            made = publish(
                found.plan,
                testset,
                stored,
                output,
                machines=machines,
                assets=assets,
                content=content,
            )
    if assets and is_without:
        note(_without_media(len(assets)))
    echo(str(made.first))
    note(f"{made.judgments} judgments on {made.screens} screens")
    if made.files:
        files = "file" if made.files == 1 else "files"
        note(f"{made.files} {files} ({shown_size(made.size)}) of sources are in the folder media: "
             "are they yours to publish? --no-media leaves them out")  # fmt: skip


@click.command("import")
@click.argument("slug")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "from_format", help="The format of FILE; sniffed if not given.")
@click.option("--again", is_flag=True, help="Add them even if they were added before.")
@store_options
def import_command(
    slug: str,
    file: Path,
    from_format: str | None,
    again: bool,
    folder: Path,
    database: str | None,
) -> None:
    """Add the judgments in FILE to the campaign SLUG as finished ones.

    FILE is another campaign's records, or rankings in any format (WMT's CSV, Appraise's XML), or
    for direct assessment a table of values, or for error spans Pearmut's answers, Appraise's CSV or
    ESA of WMT24. Segments and systems must be those of the campaign. A
    file that was imported before is refused. What a column judge_kind says a machine judged, as in
    files of rankwise judge, is kept apart.
    """
    from rankwise.server.campaign.exchange.importing import read_finished
    from rankwise.server.store.database.store_errors import AlreadyImported

    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        testset = store.campaigns.testset(found.id)
        with working("reading"):
            imported = read_finished(file, found.plan, testset, format=from_format)
        try:
            count = store.judging.add_finished(
                found.id, imported.finished, actor=ACTOR, again=again
            )
        except AlreadyImported as error:
            message = f"{file}: {error}; --again adds them once more"
            raise AlreadyImported(message) from error
    note(f"{count} judgments added to {slug!r}; left out: {counted(imported.left_out)}")


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@store_options
def backup_command(file: Path, folder: Path, database: str | None) -> None:
    """Write all campaigns with everything in them to FILE, and verify it."""
    from rankwise.server.store.database.backup import backup

    with opened(folder, database, reading=True) as store, working("backing up"):
        manifest = backup(store.database, file)
    note(f"{file}: {sum(manifest.rows.values())} rows of {len(manifest.rows)} tables")


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace what is there.")
@store_options
def restore_command(file: Path, force: bool, folder: Path, database: str | None) -> None:
    """Put the backup FILE into --folder or --database, all of it or nothing."""
    url = database_url(folder, database)
    from rankwise.server.store.database.backup import restore
    from rankwise.server.store.database.store_errors import DatabaseNotEmpty

    if database is None:
        folder.mkdir(parents=True, exist_ok=True)
    try:
        with not_beside_a_server(), working("restoring"):
            manifest = restore(file, url, force=force)
    except DatabaseNotEmpty as error:
        raise DatabaseNotEmpty(f"{error}; --force replaces it") from error
    note(f"{sum(manifest.rows.values())} rows of {len(manifest.rows)} tables restored")
