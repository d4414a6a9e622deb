"""``rankwise campaign add`` and ``extend``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.campaign import ACTOR, asset_limits, asset_options, opened, store_options
from rankwise.cli.common.output import note
from rankwise.cli.common.progress import working

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rankwise.server.campaign.launch.check_list import CheckFinding

_SPANS = click.option(
    "--spans",
    type=click.Path(path_type=Path),
    help="Errors that a machine marked in the new texts, for judges to begin with.",
)


@click.command("add")
@click.argument("slug")
@click.argument("system")
@click.argument("outputs")
@click.option(
    "--document",
    "documents",
    multiple=True,
    help="OUTPUTS are for this document alone; may be repeated.",
)
@_SPANS
@store_options
def add_command(
    slug: str,
    system: str,
    outputs: str,
    documents: tuple[str, ...],
    spans: Path | None,
    folder: Path,
    database: str | None,
) -> None:
    """Add SYSTEM to the campaign SLUG, with its OUTPUTS, a line for each segment.

    Screens that nobody got yet are chosen anew, with it among them. What was judged, or is in a
    judge's hands, stays as it is.
    """
    from rankwise.io.files import read_lines
    from rankwise.server.campaign.launch.added_texts import outputs_for
    from rankwise.server.campaign.plan.plan_files import given_of_system

    lines = [line for _, line in read_lines(outputs)]
    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        testset = store.campaigns.testset(found.id)
        texts = outputs_for(testset, lines, documents)
        given = given_of_system(found.plan, testset, system, texts, spans)
        with working("checking"):
            said = store.additions.system(slug, system, texts, given=given, actor=ACTOR)
        store.queue.top_up(found.id)
        has_given = bool(store.campaigns.given(found.id))
    _say(said, unmarked="this system's outputs" if has_given and not given else None)
    note(f"system {system!r} is in {slug!r}; {len(lines)} segments")


@click.command("extend")
@click.argument("slug")
@click.argument("texts", type=click.Path(path_type=Path))
@_SPANS
@asset_options
@store_options
def extend_command(
    slug: str,
    texts: Path,
    spans: Path | None,
    asset_limit: float,
    assets_limit: float,
    folder: Path,
    database: str | None,
) -> None:
    """Add the segments of TEXTS to the campaign SLUG, with outputs of all its systems.

    TEXTS is a test set in any format, or a plan in TOML of which the table texts is read. Documents
    must be new, and segments that are only numbered go on counting. Screens that nobody got yet are
    chosen anew; what was judged, or is in a judge's hands, stays as it is.
    """
    from rankwise.server.campaign.plan.plan_files import load_more

    with opened(folder, database) as store:
        found = store.campaigns.get(slug)
        with working("reading"):
            limits = asset_limits(asset_limit, assets_limit)
            added, given, media = load_more(found.plan, texts, spans, limits)
        with working("checking"):
            add = store.additions.segments
            said = add(slug, added, given=given, media=media, actor=ACTOR)
        store.queue.top_up(found.id)
        has_given = bool(store.campaigns.given(found.id))
    _say(said, unmarked="the new segments" if has_given and not given else None)
    note(f"{len(added)} segments are added to {slug!r}; {found.segments + len(added)} in all")


def _say(findings: "Iterable[CheckFinding]", *, unmarked: str | None) -> None:
    """What the check list found, and where no errors are marked though others have some."""
    for finding in findings:
        note(f"{finding.level}: {finding.message}")
    if unmarked:
        begin = "warning: judges begin with errors that a machine marked, but not in"
        note(f"{begin} {unmarked}; --spans adds some")
