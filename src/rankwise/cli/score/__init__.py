"""``rankwise score``: metrics of systems, with intervals, tests and clusters."""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rankwise.cli.common.inputs import load_metrics, open_texts
from rankwise.cli.common.output import FOR_PROGRAMS, note, print_table, table_format
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.cli.score.score_options import ScoreOptions, score_options, with_scores

if TYPE_CHECKING:
    from rankwise.evaluate.odd.text_troubles import TextTroubles
    from rankwise.evaluate.scoreboard import Resampling, Scoreboard
    from rankwise.evaluate.system_scores import Scored
    from rankwise.io.study_texts import TextBlocks
    from rankwise.metrics import Metric
    from rankwise.present.tables import Table
    from rankwise.types import Study
    from rankwise.types.text_block import Block


#: The options that only ``--help-all`` shows.
RARE = (
    "--download",
    "--reference-set",
    "--human-systems",
    "--names",
    "--skip-empty-references",
    "--resample-by",
    "--correct",
    "--compat",
    "--lead",
    "--batch-size",
    "--no-cache",
    "--engine",
    "--address",
    "--workers",
)


@click.command(cls=BriefCommand, rare=RARE)
@score_options
def score(**given: Any) -> None:
    """Score OUTPUTS (one file per system, line by line) against references.

    Systems are sorted and clustered by the first metric: every system of a cluster is better than
    all of the next, in resampled segments; within a cluster two may differ or not, which --baseline
    and --all-pairs test. A star marks the best of each column, brackets hold the 95 % interval, a
    dagger marks systems that differ from the baseline. Signatures go to stderr, with --format json
    into the object. A file may be given as NAME=FILE. `-` is standard input; gzip, xz, bzip2 and
    zstd are recognised.
    """
    # Nothing here needs linear algebra, whose threads take longer to start than BLEU to compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = ScoreOptions(**given)
    options.check()
    if options.engine is not None:
        from rankwise.cli.score.score_shards import print_bulk_scores

        print_bulk_scores(options)
    elif options.segments:
        from rankwise.cli.score.score_segments import stream_segments

        stream_segments(options)
    else:
        _print_scores(options)


class _Opened(NamedTuple):
    """Texts that are about to be scored, and by what."""

    texts: "TextBlocks"
    metrics: "list[Metric]"
    troubles: "TextTroubles"
    total: int | None

    @property
    def blocks(self) -> "Iterator[Block]":
        """The texts, once; a bar shows how far they are read."""
        from rankwise.cli.common.progress import with_progress

        return with_progress(self.troubles.watched(self.texts.blocks), "segments", total=self.total)

    def note_troubles(self) -> None:
        """Say what should be looked at in the texts that were read."""
        for sentence in self.troubles.sentences():
            note(sentence)


def _opened(options: ScoreOptions) -> _Opened:
    from rankwise.cli.common.progress import lines_about
    from rankwise.evaluate.odd.text_troubles import TextTroubles

    texts = open_texts(options.files, options.metrics)
    total = lines_about(options.a_text_file)
    metrics = with_scores(load_metrics(options.metrics, texts.language), options)
    return _Opened(texts, metrics, TextTroubles(texts.language), total)


def _print_scores(options: ScoreOptions) -> None:
    asked = table_format(options.output_format, options.output)
    options = replace(options, output_format=asked)
    if not options.has_texts:
        _print_scoreboard(_from_tables(options), options)
        return
    opened = _opened(options)
    if options.is_plain and asked not in FOR_PROGRAMS and _are_plain(opened.metrics):
        _print_plain_scores(opened, options)
    else:
        _print_scoreboard(_from_texts(opened, options), options)


def _are_plain(metrics: "list[Metric]") -> bool:
    from rankwise.evaluate.plain_scores import has_plain_scores

    return bool(metrics) and all(map(has_plain_scores, metrics))


def _print_plain_scores(opened: _Opened, options: ScoreOptions) -> None:
    """Corpus scores alone, before the arrays that resampling needs are loaded."""
    from rankwise.cli.score.score_plain import plain_table, signatures
    from rankwise.evaluate.plain_scores import plain_scores

    found = plain_scores(opened.blocks, opened.metrics)
    opened.note_troubles()
    print_table(plain_table(found), options.output_format, options.output)
    for line in signatures(opened.metrics):
        note(line)


def _print_scoreboard(scored: "Scored", options: ScoreOptions) -> None:
    from rankwise.evaluate.scoreboard import scoreboard
    from rankwise.present.score_tables import signature_lines

    if options.by is not None:
        _print_groups(scored, options, options.by)
        return
    board = scoreboard(
        scored,
        _resampling(options),
        baseline=_baseline(options, scored),
        all_pairs=options.all_pairs or options.letters,
        is_corrected=options.correct == "holm" or options.letters,
    )
    print_table(_table(board, options), options.output_format, options.output)
    if options.output_format != "json":
        for line in signature_lines(board):
            note(line)


def _print_groups(scored: "Scored", options: ScoreOptions, by: str) -> None:
    from rankwise.evaluate.group_boards import group_boards
    from rankwise.present.group_tables import groups_table
    from rankwise.present.score_tables import signature_lines

    found = group_boards(
        scored,
        by,
        _resampling(options),
        baseline=_baseline(options, scored),
        is_corrected=options.correct == "holm",
    )
    is_for_people = options.output_format not in FOR_PROGRAMS
    table = groups_table(found, for_people=is_for_people)
    print_table(table, options.output_format, options.output)
    if options.output_format != "json":
        for line in signature_lines(replace(found.told, scored=scored)):
            note(line)


def _table(board: "Scoreboard", options: ScoreOptions) -> "Table":
    from rankwise.present import score_tables

    if options.all_pairs:
        return score_tables.pairs_table(board)
    if options.output_format in FOR_PROGRAMS:
        return score_tables.table_for_programs(board, with_letters=options.letters)
    return score_tables.table_for_people(board, with_letters=options.letters)


def _from_texts(opened: _Opened, options: ScoreOptions) -> "Scored":
    from rankwise.evaluate.system_scores import score_blocks

    scored = score_blocks(
        opened.blocks,
        opened.metrics,
        groupings=_groupings(options),
        references=opened.texts.references,
        language=opened.texts.language,
    )
    opened.note_troubles()
    return _with_given(scored, options) if options.scores else scored


def _with_given(scored: "Scored", options: ScoreOptions) -> "Scored":
    """The metrics of texts, and beside them the scores of other tools."""
    from rankwise.evaluate.scored_study import with_given_scores
    from rankwise.io.study import scores_of

    given = scores_of(options.files)
    both, notes = with_given_scores(scored, given)
    for sentence in (*given.notes, *notes):
        note(sentence)
    return both


def _from_tables(options: ScoreOptions) -> "Scored":
    from rankwise.evaluate.outside_tables import missing_scores, scored_tables
    from rankwise.evaluate.scored_study import segment_table
    from rankwise.io.study import study_of

    study = study_of(replace(options.files, documents=None))
    for sentence in study.notes:
        note(sentence)
    tables = {name: segment_table(name, found) for name, found in study.scores.items()}
    for name, table in tables.items():
        for sentence in missing_scores(name, table):
            note(sentence)
    return scored_tables(tables, errors=study.errors, labels=_labels(options, study))


def _labels(options: ScoreOptions, study: "Study") -> dict[str, list[str]]:
    """The documents and domains of given scores, where they are needed.

    They come of --documents, or else of the files of scores.
    """
    from rankwise.errors import DataError
    from rankwise.evaluate.scored_study import frame_of, study_labels
    from rankwise.io.parts.place_lines import read_places

    wanted = _groupings(options)
    if "length" in wanted:
        raise click.UsageError("--by length needs texts: output files with --reference, or -t")
    if not wanted:
        return {}
    if options.documents is None:
        labels = study_labels(study)
        lacking = next((name for name in wanted if name not in labels), None)
        if lacking is not None:
            raise click.UsageError(
                f"{options.by_document} needs --documents, or scores of segments with a column "
                f"{lacking!r} that is filled everywhere"
            )
        return labels
    places = read_places(options.documents, len(frame_of(study)[1]))
    labels = {name: [getattr(place, name) or "" for place in places] for name in wanted}
    if "" in labels.get("domain", ()):
        raise DataError(f"{options.documents}: a line has no domain; expected one in each")
    return labels


def _groupings(options: ScoreOptions) -> list[str]:
    wanted = [options.by] if options.by is not None else []
    return [*wanted, *(["document"] if options.resample_by == "document" else [])]


def _resampling(options: ScoreOptions) -> "Resampling":
    from rankwise.evaluate.scoreboard import Resampling

    return Resampling(
        samples=options.resamples,
        seed=options.seed,
        test=options.test,
        unit=options.resample_by,
        compat=options.compat,
    )


def _baseline(options: ScoreOptions, scored: "Scored") -> str | None:
    """The system called so, or the one whose file it is."""
    from rankwise.io.files import stem_of

    name = options.baseline
    systems = scored.results[0].systems
    return name if name is None or name in systems else stem_of(name)
