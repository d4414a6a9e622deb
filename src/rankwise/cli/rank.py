"""``rankwise rank``: a ranking of systems from human judgments."""

from typing import Literal

import click

from rankwise.cli.output import format_option, note, print_table
from rankwise.cli.progress import working


@click.command()
@click.argument("judgments", nargs=-1, required=True)
@click.option(
    "--model", default="expected-wins", show_default=True, help="The model, with options."
)
@click.option(
    "--runs", type=click.IntRange(min=1), default=1000, show_default=True, help="Resamples."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same ranking.")
@click.option("--judges", help="Only judges whose name matches this pattern, like 'researcher_*'.")
@click.option(
    "--unit",
    type=click.Choice(["screen", "pair"]),
    default="screen",
    show_default=True,
    help="What is resampled: whole screens, or single pairs as was done historically.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the rank ranges.")
@format_option
def rank(
    judgments: tuple[str, ...],
    model: str,
    runs: int,
    seed: int,
    judges: str | None,
    unit: Literal["screen", "pair"],
    level: float,
    output_format: str,
) -> None:
    """Rank systems from human JUDGMENTS (any ranking format; - for stdin).

    Prints clusters of systems that the data separate, their scores and their ranges of ranks.
    """
    from rankwise import aggregate
    from rankwise.errors import DataError
    from rankwise.evaluate.tables import leaderboard_table
    from rankwise.io import read_judgments

    with working("reading judgments"):
        found = read_judgments(judgments[0] if len(judgments) == 1 else list(judgments))
    if judges is not None:
        found = found.where(judges=judges)
        if len(found) == 0:
            raise DataError(f"no judge matches {judges!r}")
    with working(f"ranking, {runs} runs"):
        board = aggregate.rank(found, model=model, runs=runs, seed=seed, unit=unit, level=level)
    print_table(leaderboard_table(board), output_format)
    skipped = int(found.is_skipped.sum())
    note(f"{len(found)} rankings ({skipped} skipped), {found.pair_count} pairs; {board.signature}")
