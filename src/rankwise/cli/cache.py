"""``rankwise cache``: the kept scores of metrics with a model or a command."""

import click

from rankwise.cli.common.output import echo, note, print_table, table_format, table_options


@click.group()
def cache() -> None:
    """Show, limit or clear the kept scores of metrics with a model or a command.

    Such scores take long, so they are kept in one file of the user's cache folder: scores.sqlite in
    $RANKWISE_CACHE, else in rankwise under $XDG_CACHE_HOME or ~/.cache. Several programs may use it
    at once. --no-cache of a command does without it; other metrics never use it.
    """


@cache.command()
@table_options
def show(output: str | None, output_format: str) -> None:
    """Show what is kept, of which metrics, and how much room it takes."""
    from datetime import UTC, datetime

    from rankwise.io.kept.score_cache import ScoreCache
    from rankwise.present.tables import Column, Table

    kept = ScoreCache()
    columns = [Column("metric"), Column("scores", "right"), Column("last used")]
    rows = [
        (name, scores, datetime.fromtimestamp(used, UTC).date().isoformat())
        for name, scores, used in kept.models()
    ]
    facts = {"file": str(kept.path), "bytes": kept.size, "limit": kept.limit}
    shown = table_format(output_format, output)
    print_table(Table(columns, rows, facts=facts), shown, output)
    if shown != "json":
        note(f"{kept.path}: {_written(kept.size)} of at most {_written(kept.limit)}")


@cache.command()
@click.option("-m", "--metric", help="Of this metric alone, like comet, or its whole signature.")
def clear(metric: str | None) -> None:
    """Forget all kept scores, or those of one metric."""
    from rankwise.io.kept.score_cache import ScoreCache

    count = ScoreCache().clear(metric)
    echo(f"{count} scores forgotten")


@cache.command()
@click.argument("size")
def limit(size: str) -> None:
    """Let kept scores take SIZE at most, like 500MB or 2GB.

    What was not used for the longest time is dropped first.
    """
    from rankwise.io.kept.score_cache import ScoreCache, size_of

    kept = ScoreCache()
    kept.limit_to(size_of(size))
    echo(f"{kept.path}: {_written(kept.size)} of at most {_written(kept.limit)}")


def _written(size: int) -> str:
    """A number of bytes for people."""
    value, units = float(size), ("B", "KB", "MB", "GB", "TB")
    for unit in units:
        if value < 1000 or unit == units[-1]:
            break
        value /= 1000
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
