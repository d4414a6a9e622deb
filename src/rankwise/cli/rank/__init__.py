"""``rankwise rank``: a ranking of systems from human judgments."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.output import FOR_PROGRAMS, note, print_tables, table_format, write_figure
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.cli.rank.predicting import foretell, plot_path
from rankwise.cli.rank.proxies import rank_by_proxy
from rankwise.cli.rank.rank_options import RARE, RankArguments, rank_options
from rankwise.cli.rank.values import rank_values

if TYPE_CHECKING:
    from rankwise.aggregate.ranker import Ranker
    from rankwise.evaluate.ranking.human_parts import Part
    from rankwise.evaluate.ranking.human_ranking import HumanRanking
    from rankwise.present.tables import Table
    from rankwise.types import Judgments


@click.command(cls=BriefCommand, rare=RARE)
@rank_options
def rank(**given: Any) -> None:
    """Rank systems from human JUDGMENTS: rankings or values, in any format; - for stdin.

    Prints clusters of systems that the data separate, their scores and their ranges of ranks; a
    line is drawn only where no range crosses it. Several language pairs are ranked one by one.
    Values (DA, DA+SQM, ESA, MQM) have the models mixed, the default, and mean, and the recipes
    wmt17 to wmt26, which call 9 to 31 of 100 equal systems different, where mixed calls 5.
    """
    from rankwise.io.packed.archives import unpacked_evalsets

    options = RankArguments(**given)
    options = replace(options, output_format=table_format(options.output_format, options.output))
    options.check()
    with unpacked_evalsets(options.judgments) as there:
        _rank(replace(options, judgments=there))


def _rank(options: RankArguments) -> None:
    from rankwise.evaluate.ranking.human_parts import parts
    from rankwise.io.value_files import hold_values

    if hold_values(options.judgments):
        rank_values(options)
        return
    options.check_for_rankings()
    if options.proxy:
        with working("reading judgments"):
            people = [(part.labels, part.judgments) for part in parts(_judgments(options))]
        rank_by_proxy(people, options)
        return
    with working("reading judgments"):
        found = parts(_judgments(options), by=options.by)
    if options.predicts:
        foretell(found, options)
        return
    ranker = _ranker(options)
    rankings = _rankings(found, ranker, options)
    _draw(rankings, ranker, options)
    print_tables(_tables(rankings, options), options.output_format, options.output)
    options.note_few_runs()
    _say(rankings)


def _ranker(options: RankArguments) -> "Ranker":
    """How the parts are ranked, and where."""
    from rankwise.evaluate.ranking.spread_ranking import SpreadRuns

    site = options.site
    return options.ranker if site is None else replace(options.ranker, spread=SpreadRuns(site))


def _judgments(options: RankArguments) -> "Judgments":
    """The judgments that the options leave."""
    from rankwise.errors import DataError
    from rankwise.io import read_study

    study = read_study(judgments=options.judgments, language_pair=options.language_pair)
    found = study.judgments
    assert found is not None  # at least one file is named
    if options.judges is not None:
        found = found.where(judges=options.judges)
        if len(found) == 0:
            raise DataError(f"no judge matches {options.judges!r}")
    return found


def _rankings(
    found: "list[Part]", ranker: "Ranker", options: RankArguments
) -> "list[HumanRanking]":
    """Every part ranked; of several, those that cannot be ranked are named and left out."""
    from rankwise.errors import DataError

    if not found:
        raise DataError(f"no ranking has a value in the column {options.by!r}")
    rankings: list[HumanRanking] = []
    left_out = []
    with reporting("runs", ranker.runs * len(found)) as progress:
        for part in found:
            try:
                rankings.append(_ranking(part, ranker, options, progress))
            except DataError as error:
                if len(found) == 1:
                    raise
                left_out.append(f"{part.title}: left out, {error}")
    for line in left_out:  # only now, when no bar is in the way
        note(line)
    if not rankings:
        raise DataError("no part of the judgments can be ranked")
    return rankings


def _ranking(
    part: "Part",
    ranker: "Ranker",
    options: RankArguments,
    progress: Callable[[int], object] | None,
) -> "HumanRanking":
    from rankwise.evaluate.ranking.human_ranking import human_ranking
    from rankwise.evaluate.ranking.judge_agreement import judge_agreement

    agreement = None
    if options.wants_agreement:
        agreement = judge_agreement(
            part.judgments, compat=options.compat, seed=ranker.seed, level=ranker.level
        )
    return human_ranking(part, ranker, agreement=agreement, progress=progress)


def _tables(rankings: "list[HumanRanking]", options: RankArguments) -> "Iterator[Table]":
    from rankwise.present import rank_json, rank_tables

    if options.output_format == "json":
        yield rank_json.json_table(rankings)
    elif options.output_format in FOR_PROGRAMS:
        yield _one_table(rankings, options)
    else:
        for ranking in rankings:
            yield rank_tables.leaderboard_table(ranking.board, title=ranking.part.title)
            if options.pairwise:
                yield rank_tables.win_table(ranking)
                yield rank_tables.count_table(ranking)
            if options.agreement:
                yield rank_tables.agreement_table(ranking)
            if options.per_judge:
                yield rank_tables.judge_table(ranking)


def _one_table(rankings: "list[HumanRanking]", options: RankArguments) -> "Table":
    """What TSV and CSV hold: the ranking, or the one thing that was asked for."""
    from rankwise.present import rank_tables

    if options.pairwise:
        return rank_tables.pair_rows(rankings)
    if options.agreement:
        return rank_tables.agreement_rows(rankings)
    if options.per_judge:
        return rank_tables.judge_rows(rankings)
    return rank_tables.ranking_rows(rankings)


def _draw(rankings: "list[HumanRanking]", ranker: "Ranker", options: RankArguments) -> None:
    """Figures into their files; of several rankings each gets its own, named after it."""
    if not options.plots:
        return
    from rankwise.present.figures.figure_canvas import rendered
    from rankwise.present.rank_figures import figure

    drawn = []
    for name, kind in options.figures:
        for ranking in rankings:
            path = plot_path(name, ranking.part) if len(rankings) > 1 else Path(name)
            with working(f"drawing {path}"):
                content = rendered(figure(kind, ranking, ranker), path.suffix[1:].lower())
            drawn.append((path, content))
    for path, content in drawn:  # only now, so that a figure that fails leaves nothing behind
        write_figure(content, path)


def _say(rankings: "list[HumanRanking]") -> None:
    """What was ranked, and what decides the numbers: in one line where that is the same for all."""
    if len({ranking.board.signature for ranking in rankings}) == 1:
        groups = [rankings]
    else:
        groups = [[ranking] for ranking in rankings]
    for group in groups:
        parts = [ranking.part for ranking in group]
        skipped = sum(int(part.judgments.is_skipped.sum()) for part in parts)
        pairs = sum(part.judgments.pair_count for part in parts)
        title = f"{parts[0].title}: " if parts[0].title else ""
        title = f"{len(parts)} parts, " if len(parts) > 1 else title
        note(
            f"{title}{sum(map(len, parts))} rankings ({skipped} skipped), {pairs} pairs; "
            f"{group[0].board.signature}"
        )
        _say_undecided(group)
        _say_few(group)
        _say_groups(group)
        for line in dict.fromkeys(line for one in group for line in one.judged_little):
            note(line)


def _say_undecided(group: "list[HumanRanking]") -> None:
    """Expected Wins lowers a system for everyone it was never compared with; say so."""
    undecided = sum(ranking.undecided for ranking in group)
    if undecided and group[0].board.signature.startswith("expected-wins:variant=wmt13"):
        pairs = sum(math.comb(len(ranking.board), 2) for ranking in group)
        note(
            f"{undecided} of {pairs} pairs of systems have no decided comparison, which counts as "
            "lost for both; --model trueskill or bradley-terry does not count it"
        )


def _say_few(group: "list[HumanRanking]") -> None:
    """Resampling few rankings that agree calls everything sure; say so."""
    from rankwise.significance.few_items import LEAST

    found = [ranking for ranking in group if ranking.few]
    if not found:
        return
    where = "" if len(group) == 1 else f" in {len(found)} of {len(group)} parts"
    note(
        f"fewer than {LEAST} rankings{where}: ranks and lines look surer there than they "
        f"are, as it takes {LEAST} that agree to tell two systems apart"
    )


def _say_groups(group: "list[HumanRanking]") -> None:
    """No model knows how systems compare that nothing joins; say so."""
    found = [ranking for ranking in group if ranking.warning]
    if len(group) == 1 and found:
        note(found[0].warning)
    elif found:
        more = ", ..." if len(found) > 3 else ""
        note(
            f"in {len(found)} of {len(group)} parts the systems fall into groups that were never "
            f"compared with each other: {', '.join(r.part.title for r in found[:3])}{more}"
        )
