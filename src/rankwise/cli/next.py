"""``rankwise next``: what to ask the judges next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import note, print_table, table_format, table_options
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.ranking_options import was_typed

if TYPE_CHECKING:
    from rankwise.present.tables import Table
    from rankwise.types import Assessments, Judgments
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
@click.option(
    "--proxy",
    multiple=True,
    metavar="SCORES",
    help="Instead: segments to be judged, a sample that looks like the whole by the scores of a "
    "metric for all of them, for rankwise rank --proxy; --count says how many.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="With --proxy: the document of every segment, in the last of its tab-separated columns.",
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
    proxy: tuple[str, ...],
    documents: str | None,
    output: str | None,
    output_format: str,
) -> None:
    """Say what to ask next, given the human JUDGMENTS so far (any ranking format; - for stdin).

    Prints screens, the most useful first: a segment and the systems to show. Without judgments,
    name the systems with --system or --testset. With --replay a finished campaign is asked again.
    With --proxy it prints segments, and JUDGMENTS may be values too.
    """
    from rankwise.aggregate.asking.next_screens import next_comparisons, systems_to_ask
    from rankwise.io import read_study
    from rankwise.io.formats.judgments.screen_rows import read_screens

    output_format = table_format(output_format, output)
    if proxy:
        _check_proxy(replay, systems, testset, pending)
        print_table(_sampled(judgments, proxy, documents, count, seed), output_format, output)
        return
    if documents is not None:
        raise click.UsageError("--documents goes with --proxy")
    if replay is not None:
        _check_replay(judgments, systems, testset, pending)
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


def _check_replay(*others: object) -> None:
    """Raise a usage error for any input besides the finished campaign."""
    if any(other not in (None, ()) for other in others):
        raise click.UsageError("--replay asks a finished campaign alone: leave out the rest")


def _check_proxy(
    replay: str | None, systems: tuple[str, ...], testset: str | None, pending: str | None
) -> None:
    """Raise a usage error for what is about screens."""
    typed: dict[str, object] = {
        "--replay": replay,
        "--system": systems,
        "--testset": testset,
        "--pending": pending,
    }
    typed |= {f"--{name}": was_typed(name) for name in ("k", "strategy", "floor", "runs")}
    given = [name for name, value in typed.items() if value]
    if given:
        raise click.UsageError(f"{given[0]} has no use with --proxy, which chooses segments")


def _sampled(
    judgments: tuple[str, ...],
    proxy: tuple[str, ...],
    documents: str | None,
    count: int,
    seed: int,
) -> "Table":
    """Segments to be judged, and what they will do for the intervals."""
    from rankwise.evaluate.ranking.next_segments import next_segments
    from rankwise.io.study_scores import read_proxy
    from rankwise.io.value_files import documents_by_line, hold_values, read_values
    from rankwise.present.values.proxy_tables import after_sentence, segments_table

    with working("reading"):
        scores = read_proxy(proxy)
        places = None if documents is None else documents_by_line(documents)
        people: Assessments | Judgments | None = None
        if judgments:
            is_values = hold_values(judgments)
            read = read_values if is_values else _rankings
            people = read(judgments)
    chosen = next_segments(scores, people, count=count, seed=seed, documents=places)
    note(f"{len(chosen)} segments of {len(scores.segments)}, by {scores.name}; seed={seed}")
    if people is not None:
        from rankwise.evaluate.ranking.proxy_ranking import rank_with_proxy

        ranking = rank_with_proxy(people, scores, documents=places, seed=seed)
        note(after_sentence(ranking, len(chosen)))
    return segments_table(scores, chosen, places)


def _rankings(paths: Sequence[str]) -> "Judgments | None":
    from rankwise.io import read_study

    return read_study(judgments=paths).judgments


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
