"""``rankwise rank --proxy``: a few human judgments, made more precise by scores of everything."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import FOR_PROGRAMS, note, print_tables
from rankwise.cli.common.progress import working
from rankwise.cli.rank.rank_options import RankArguments

if TYPE_CHECKING:
    from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking
    from rankwise.present.tables import Table
    from rankwise.types import Assessments, Judgments


def rank_by_proxy(
    people: "Sequence[tuple[Mapping[str, str], Assessments | Judgments]]", options: RankArguments
) -> None:
    """Print the ranking of systems by people and a machine, and the plan."""
    from rankwise.evaluate.ranking.proxy_ranking import rank_with_proxy
    from rankwise.io.study_scores import read_proxy
    from rankwise.io.value_files import documents_by_line

    if len(people) > 1:
        names = ", ".join(", ".join(labels.values()) for labels, _ in people)
        raise click.UsageError(
            f"the judgments are of several language pairs ({names}); --proxy helps one: give "
            "--language-pair"
        )
    labels, judged = people[0]
    with working("reading scores"):
        proxy = read_proxy(options.proxy)
        documents = None if options.documents is None else documents_by_line(options.documents)
    asked = options.ranker
    with working("ranking"):
        ranking = rank_with_proxy(
            judged,
            proxy,
            documents=documents,
            runs=asked.runs,
            seed=asked.seed,
            level=asked.level,
            labels=labels,
        )
    print_tables(_tables(ranking, options), options.output_format, options.output)
    counts = ", ".join(f"{count} {name}" for name, count in ranking.totals.items())
    for sentence in proxy.notes:
        note(sentence)
    note(f"{counts}; {ranking.board.signature}")
    for sentence in ranking.notes:
        note(sentence)
    options.note_few_runs()


def _tables(ranking: "ProxyRanking", options: RankArguments) -> "Iterator[Table]":
    from rankwise.present.values import proxy_tables, value_tables

    if options.output_format == "json":
        yield proxy_tables.json_table([ranking])
    elif options.output_format in FOR_PROGRAMS:
        yield (
            value_tables.pair_rows([ranking])
            if options.pairwise
            else proxy_tables.proxy_rows([ranking])
        )
    else:
        yield proxy_tables.proxy_table(ranking)
        if options.pairwise:
            yield value_tables.difference_table(ranking)
        if (plan := proxy_tables.plan_table(ranking)).rows:
            yield plan
