"""``rankwise campaign scores``."""

from pathlib import Path

import click

from rankwise.cli.campaign import ACTOR, opened, store_options
from rankwise.cli.common.output import note
from rankwise.cli.common.progress import working


@click.command("scores")
@click.argument("slug")
@click.argument("files", nargs=-1)
@click.option("--remove", is_flag=True, help="Take the scores away.")
@store_options
def scores_command(
    slug: str, files: tuple[str, ...], remove: bool, folder: Path, database: str | None
) -> None:
    """Attach the scores in FILES, of one metric for all outputs, to the campaign SLUG.

    The dashboard then shows, beside what people say, what they say helped by the metric, with
    intervals, and how many judgments that saves: see `rankwise rank --proxy`, which reads the same
    files. Scores that were attached before are replaced.
    """
    if bool(files) == remove:
        raise click.UsageError("give files of scores, or --remove")
    from rankwise.io.study_scores import read_proxy
    from rankwise.server.campaign.standings.powered_panel import campaign_scores

    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        if remove:
            had = store.scores.remove(found.id, actor=ACTOR)
            note(f"campaign {slug!r} has no scores {'any more' if had else 'attached'}")
            return
        with working("reading"):
            table, notes = campaign_scores(read_proxy(files), store.campaigns.testset(found.id))
        store.scores.attach(found.id, table, actor=ACTOR)
    for sentence in notes:
        note(sentence)
    sizes = f"{len(table.systems)} systems, {len(table.segments)} segments"
    note(f"scores {table.name!r} are attached to {slug!r}: {sizes}")
