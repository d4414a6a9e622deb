"""``rankwise rank`` of values: direct assessment, ESA and MQM instead of rankings."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import FOR_PROGRAMS, note, print_tables, write_figure
from rankwise.cli.common.progress import working
from rankwise.cli.rank.proxies import rank_by_proxy
from rankwise.cli.rank.rank_options import RankArguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rankwise.evaluate.ranking.value_ranking import ValueRanking
    from rankwise.present.tables import Table
    from rankwise.present.values.span_tables import JudgesOfValues
    from rankwise.types import Assessments

    Part = tuple[dict[str, str], Assessments]

#: What can be drawn of a ranking by values.
PLOT_KINDS = ("ranges", "ratings")


def rank_values(options: RankArguments) -> None:
    """Print the ranking of systems by the values of the files."""
    _check(options)
    with working("reading values"):
        found = _values(options)
    if options.proxy:
        rank_by_proxy(found, options)
        return
    with working("ranking"):
        rankings = _rankings(found, options)
    _draw(rankings, options)
    agreed = _agreed(found, options) if options.agreement or options.per_judge else []
    print_tables(_tables(rankings, agreed, options), options.output_format, options.output)
    if any(ranking.found.runs is not None for ranking in rankings):
        options.note_few_runs()
    _say(found, rankings, options)


def _check(options: RankArguments) -> None:
    """Raise a usage error for what is for rankings alone."""
    unused = {
        "--predict": options.predict,
        "--curve": options.curve,
        "--unit": options.ranker.unit,
        "--compat": options.compat,
        "--engine": options.engine,
    }
    given = next((name for name, value in unused.items() if value), None)
    if given == "--unit":
        raise click.UsageError("values are resampled as the model says: --model mixed:unit=judge")
    if given is not None:
        raise click.UsageError(f"{given} is for rankings; the files hold values")
    kind = next((kind for kind in options.plot_kinds if kind not in PLOT_KINDS), None)
    if kind is not None:
        raise click.UsageError(
            f"--plot-kind {kind} is for rankings; of values choose from {', '.join(PLOT_KINDS)}"
        )


def _values(options: RankArguments) -> "list[Part]":
    """The judgments of every language pair, in parts if that is asked for, with their labels."""
    from rankwise.errors import DataError
    from rankwise.evaluate.ranking.value_ranking import of_judges, value_parts
    from rankwise.io.value_files import language_pairs, read_values

    pairs: list[str | None] = [options.language_pair]
    if options.language_pair is None and "-" not in options.judgments:
        pairs = [*language_pairs(options.judgments)] or pairs
    parts: list[Part] = []
    for pair in pairs:
        found = read_values(
            options.judgments,
            kind=options.kind,
            language_pair=pair if options.language_pair or len(pairs) > 1 else None,
            weights=options.weights,
            documents=options.documents,
        )
        found = found if options.judges is None else of_judges(found, options.judges)
        labels = {"language pair": pair} if pair is not None and len(pairs) > 1 else {}
        parts += [(labels | own, part) for own, part in value_parts(found, options.by)]
    if not parts:
        raise DataError(f"no judgment has a value in the column {options.by!r}")
    return parts


def _rankings(parts: "list[Part]", options: RankArguments) -> "list[ValueRanking]":
    """Every part ranked; of several, those that cannot be ranked are named and left out."""
    from rankwise.errors import DataError
    from rankwise.evaluate.ranking.value_ranking import ValueRanker

    asked = options.ranker
    model = None if asked.model is None else str(asked.model)
    ranker = ValueRanker(model, asked.recipe, asked.runs, asked.seed, asked.level)
    rankings: list[ValueRanking] = []
    for labels, part in parts:
        try:
            rankings.append(ranker.ranking(part, labels))
        except DataError as error:
            if len(parts) == 1:
                raise
            note(f"{', '.join(labels.values())}: left out, {error}")
    if not rankings:
        raise DataError("no part of the judgments can be ranked")
    return rankings


def _agreed(parts: "list[Part]", options: RankArguments) -> "list[JudgesOfValues]":
    """How far the judges of every part agree."""
    from rankwise.evaluate.marked.span_agreement import span_agreement
    from rankwise.evaluate.marked.value_agreement import value_alpha
    from rankwise.present.values.span_tables import JudgesOfValues

    asked, found = options.ranker, []
    for labels, part in parts:
        alpha, count = value_alpha(part, seed=asked.seed, level=asked.level)
        is_marked = any(part.info.get("spans", ()))
        spans = span_agreement(part, seed=asked.seed, level=asked.level) if is_marked else None
        found.append(JudgesOfValues(labels, alpha, count, spans))
    return found


def _tables(
    rankings: "list[ValueRanking]", agreed: "list[JudgesOfValues]", options: RankArguments
) -> "Iterator[Table]":
    from rankwise.present.values import span_tables, value_tables

    if options.output_format == "json":
        yield value_tables.json_table(rankings, agreed)
    elif options.output_format in FOR_PROGRAMS and options.agreement:
        yield span_tables.values_agreement_rows(agreed)
    elif options.output_format in FOR_PROGRAMS and options.per_judge:
        yield span_tables.judges_table(agreed)
    elif options.output_format in FOR_PROGRAMS:
        rows = value_tables.ranking_rows
        if options.pairwise or options.errors:
            rows = value_tables.pair_rows if options.pairwise else value_tables.error_rows
        yield rows(rankings)
    else:
        for ranking in rankings:
            yield value_tables.value_table(ranking)
            if options.pairwise:
                yield value_tables.difference_table(ranking)
            if options.errors:
                yield value_tables.error_table(ranking)
        for part in agreed:
            if options.agreement:
                yield span_tables.values_agreement_table(part)
        if options.per_judge:
            yield span_tables.judges_table(agreed, title="agreement by judge, on errors")


def _draw(rankings: "list[ValueRanking]", options: RankArguments) -> None:
    """Figures into their files; of several rankings each gets its own, named after it."""
    if not options.plots:
        return
    from rankwise.present.figures.figure_canvas import rendered

    drawn = []
    for name, kind in options.figures:
        for ranking in rankings:
            path = _plot_path(name, ranking) if len(rankings) > 1 else Path(name)
            with working(f"drawing {path}"):
                content = rendered(_figure(kind, ranking), path.suffix[1:].lower())
            drawn.append((path, content))
    for path, content in drawn:  # only now, so that a figure that fails leaves nothing behind
        write_figure(content, path)


def _figure(kind: str, ranking: "ValueRanking") -> "Figure":
    from rankwise.present.figures.rank_ranges import rank_ranges
    from rankwise.present.figures.rating_intervals import rating_intervals
    from rankwise.present.rank_figures import run_ranks

    board, runs = ranking.board, ranking.found.runs
    if runs is None or board.deviations is None:
        raise click.UsageError(
            "a --recipe of values draws no runs: leave out --plot, or take a --model"
        )
    if kind == "ratings":
        return rating_intervals(board, board.deviations, title=ranking.title)
    return rank_ranges(board, run_ranks(runs), title=ranking.title)


def _plot_path(name: str, ranking: "ValueRanking") -> Path:
    path = Path(name)
    label = ".".join(ranking.labels.values())
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in label)
    return path.with_name(f"{path.stem}.{safe}{path.suffix}")


def _say(parts: "list[Part]", rankings: "list[ValueRanking]", options: RankArguments) -> None:
    """What was ranked, what decides the numbers, and what a reader should know."""
    for sentence in dict.fromkeys(line for _, part in parts for line in part.notes):
        note(sentence)
    for ranking in rankings:
        title = f"{ranking.title}: " if ranking.title else ""
        counts = ", ".join(f"{count} {name}" for name, count in ranking.totals.items())
        weights = "" if options.weights is None else f" weights={options.weights}"
        note(f"{title}{counts}; {ranking.board.signature}{weights}")
    for sentence in dict.fromkeys(line for ranking in rankings for line in ranking.notes):
        note(sentence)
