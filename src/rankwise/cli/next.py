"""``rankwise next``: what to ask the judges next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import note, print_table, table_format, table_options
from rankwise.cli.common.progress import reporting, working

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.types.judging.screen import Screen


@click.command()
@click.argument("judgments", nargs=-1)
@click.option(
    "--k",
    type=int,
    help="Systems on a screen, 2 to 8.  [default: 5, or all where there are fewer; 2 with "
    "--replay]",
)
@click.option("--count", type=click.IntRange(min=0), default=10, show_default=True, help="Screens.")
@click.option(
    "--strategy",
    default="clusters",
    show_default=True,
    help="clusters, information, thompson, paper or uniform, with options.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same screens."
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    help="A system, in place of those judged; may be repeated.",
)
@click.option("-t", "--testset", help="The test set: its systems, segments and outputs.")
@click.option("--pending", help="Screens asked but not answered: an earlier output, as TSV.")
@click.option(
    "--floor",
    type=click.IntRange(min=0),
    help="Screens that every system is on before the strategy chooses.  [default: 3, or 2 "
    "judgments of every pair with --replay]",
)
@click.option(
    "--replay",
    metavar="FINISHED",
    help="Instead: how many judgments of this finished campaign the strategy would have needed, "
    "against asking at random.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="With --replay: how often to ask again.",
)
@table_options
def next(
    judgments: tuple[str, ...],
    k: int | None,
    count: int,
    strategy: str,
    seed: int,
    systems: tuple[str, ...],
    testset: str | None,
    pending: str | None,
    floor: int | None,
    replay: str | None,
    runs: int,
    output: str | None,
    output_format: str,
) -> None:
    """Say what to ask next, given the human JUDGMENTS so far (any ranking format; - for stdin).

    Prints screens, the most useful first: a segment and the systems to show. Without judgments,
    name the systems with --system or --testset. With --replay a finished campaign is asked again.
    """
    from rankwise.aggregate.asking.next_screens import next_comparisons, systems_to_ask
    from rankwise.io import read_study
    from rankwise.io.formats.judgments.screen_rows import read_screens

    output_format = table_format(output_format, output)
    if replay is not None:
        if judgments or systems or testset is not None or pending is not None:
            raise click.UsageError("--replay asks a finished campaign alone: leave out the rest")
        table, said = _replayed(replay, strategy, 2 if k is None else k, runs, seed, floor)
        print_table(table, output_format, output)
        note(said)
        return
    if not judgments and not systems and testset is None:
        raise click.UsageError("give judgments, or the systems with --system or --testset")
    with working("reading"):
        study = read_study(judgments=judgments, testset=testset, human_systems=True)
        found, texts = study.judgments, study.texts
    names = systems_to_ask(found, systems or None, texts)
    screens = next_comparisons(
        found,
        max(2, min(5, len(names))) if k is None else k,
        count,
        seed,
        strategy,
        systems=systems or None,
        testset=texts,
        pending=read_screens(pending) if pending else (),
        floor=3 if floor is None else floor,
    )
    print_table(_table(screens), output_format, output)
    answered = 0 if found is None else len(found)
    note(f"{len(screens)} screens after {answered} rankings; {strategy} seed={seed}")


def _replayed(
    path: str, strategy: str, k: int, runs: int, seed: int, floor: int | None
) -> "tuple[Table, str]":
    """How many questions the strategy, and questions at random, would have needed."""
    from rankwise.aggregate.asking.campaign_replay import replay
    from rankwise.io import read_judgments
    from rankwise.present.replay_tables import replay_table

    with working("reading"):
        judgments = read_judgments(path)
    strategies = list(dict.fromkeys(["uniform", strategy]))
    with reporting("campaigns", runs * len(strategies)) as progress:
        found = replay(
            judgments,
            strategies,
            k=k,
            runs=runs,
            seed=seed,
            floor=2 if floor is None else floor,
            progress=progress,
        )
    asked = "judgments" if k == 2 else "screens"
    return replay_table(found), (
        f"{len(found.board)} systems in {found.board.clusters.max()} clusters after all "
        f"{found.questions} {asked}; {runs} runs, seed={seed}"
    )


def _table(screens: "Sequence[Screen]") -> "Table":
    """One screen a row: its number, its segment, its systems in the order to show them."""
    from rankwise.present.tables import Column, Table

    width = max((len(screen.systems) for screen in screens), default=0)
    columns = [Column("screen", "right"), Column("segment")]
    columns += [Column(f"system{number}") for number in range(1, width + 1)]
    rows = [(number, s.segment, *s.systems) for number, s in enumerate(screens, 1)]
    return Table(columns, rows)
