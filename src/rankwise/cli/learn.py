"""``rankwise learn``: a metric learned from human judgments."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.batch_options import batch_options, chosen_batching
from rankwise.cli.common.engine_options import engine_options, site_of
from rankwise.cli.common.inputs import lower_option, model_download_option, study_files
from rankwise.cli.common.output import (
    FOR_PROGRAMS,
    check_plot,
    echo,
    format_option,
    note,
    print_table,
    write_figure,
)
from rankwise.cli.common.progress import counting, reporting, working
from rankwise.cli.common.rare_options import BriefCommand

if TYPE_CHECKING:
    from rankwise.evaluate.metric_learning.learned import CurvePoint, Learned
    from rankwise.evaluate.metric_learning.learning_data import Track
    from rankwise.io.study_files import StudyFiles
    from rankwise.present.tables import Table
    from rankwise.types import ScoreTable, TestSet


#: The options that only ``--help-all`` shows.
RARE = (
    "--repeated",
    "--scores-of",
    "--lower-is-better",
    "--batch-size",
    "--no-cache",
    "--download",
    "--engine",
    "--address",
    "--workers",
)


@click.command(cls=BriefCommand, rare=RARE)
@click.argument("outputs", nargs=-1)
@click.option("-r", "--reference", "references", multiple=True, help="A reference of OUTPUTS.")
@click.option("-s", "--source", help="The source of OUTPUTS, for features that read it.")
@click.option(
    "-t", "--testset", "testsets", multiple=True, help="A test set, instead of OUTPUTS; repeatable."
)
@click.option(
    "-j",
    "--judgments",
    multiple=True,
    required=True,
    help="What people said: rankings, assessments or scores; one for every test set, in order.",
)
@click.option(
    "--dev",
    "development",
    nargs=2,
    multiple=True,
    metavar="TESTSET JUDGMENTS",
    help="A test set and judgments to choose the learner's cost on; repeatable.",
)
@click.option(
    "--features",
    multiple=True,
    help="A feature set or any metric with its options, like beer:language=de or "
    "comet:model=FOLDER; repeatable.  [default: beer, unless there are --scores]",
)
@click.option(
    "--scores",
    multiple=True,
    metavar="FILE",
    help="Segment scores of another tool, a feature too, in any format; NAME=FILE gives them a "
    "name.",
)
@click.option(
    "--scores-of",
    nargs=2,
    multiple=True,
    metavar="TESTSET FILE",
    help="The same where there are several test sets, as --testset or --dev names them.",
)
@lower_option
@click.option(
    "--learner",
    default="logistic",
    show_default=True,
    help="ranksvm, logistic, rankboost, svr, ridge or lambdamart, with options.",
)
@click.option(
    "--threshold",
    type=float,
    help="How far apart scalar judgments must be to make a pair.  [default: MQM 5, DA and ESA 25, "
    "standardised or --by-judge 1]",
)
@click.option(
    "--by-judge",
    is_flag=True,
    help="Standardise every judge's scores first, for pairs and for regression.",
)
@click.option(
    "--scale",
    type=float,
    nargs=2,
    default=(0.0, 100.0),
    show_default=True,
    metavar="WORST BEST",
    help="The scale of scalar judgments.",
)
@click.option(
    "--repeated",
    type=click.Choice(["keep", "majority", "agreement"]),
    default="keep",
    show_default=True,
    help="Several judgments of a pair: all, the majority's, or weighted by its lead.",
)
@click.option("--exclude", multiple=True, help="A system to leave out, or a pattern; repeatable.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same model."
)
@click.option("--cache", help="A folder to keep features in.")
@batch_options
@model_download_option("a feature")
@click.option("--curve", is_flag=True, help="Print accuracy against the share of training data.")
@click.option("--plot", help="Draw that curve into this PNG, SVG or PDF file.")
@engine_options(
    "Compute features in parts on processes of this machine or on a Dask cluster, instead of "
    "threads; the model is the same."
)
@click.option("-o", "--output", required=True, help="The model file to write.")
@format_option
def learn(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    testsets: tuple[str, ...],
    judgments: tuple[str, ...],
    development: tuple[tuple[str, str], ...],
    features: tuple[str, ...],
    scores: tuple[str, ...],
    scores_of: tuple[tuple[str, str], ...],
    lower_is_better: bool,
    cache: str | None,
    curve: bool,
    plot: str | None,
    output: str,
    output_format: str,
    **options: Any,
) -> None:
    """Learn a metric from human judgments of OUTPUTS, or of test sets.

    Prints the weight of every feature and the agreement with people on data that was not learned
    from, beside that of BLEU, chrF, TER and the metrics among the features; writes a model for -m
    learned:model=FILE. With --dev, the learner's main option is chosen on these test sets; without,
    agreement is that of a cross-validation by segment.
    """
    from rankwise.evaluate import learn as learned
    from rankwise.io.learned.feature_cache import FeatureCache

    if plot:
        check_plot(plot)
    _check_folder(output)
    _check_apart(testsets, [testset for testset, _ in development])
    site = site_of(*(options.pop(name) for name in ("engine", "address", "workers")))
    tables = _score_files(
        testsets, [testset for testset, _ in development], scores, scores_of, lower_is_better
    )
    with working("reading"):
        train = list(_tracks(outputs, references, source, testsets, judgments, tables))
        held = [_track(*paths, tables) for paths in development]
    with counting("outputs", len(train) + len(held) + 1) as done:
        found = learned(
            [track.testset for track in train],
            [track.judgments for track in train],
            features=features or None,
            scores=[track.scores for track in train],
            development=held,
            done=done,
            site=site,
            cache=FeatureCache(cache) if cache else None,
            batching=chosen_batching(),
            **options,
        )
    _write(found, output, output_format, curve=curve, plot=plot)


def _write(
    found: "Learned", output: str, output_format: str, *, curve: bool, plot: str | None
) -> None:
    """The model and its picture as files, and what is to say about it."""
    from rankwise.io.learned.model_files import write_model

    for sentence in found.notes:
        note(sentence)
    points = _points(found) if curve or plot else []
    picture = _picture(points, plot) if plot else b""
    write_model(found.model, output)
    _print(found, points if curve else [], output, output_format)
    note(f"model: {output}")
    if plot:
        write_figure(picture, plot)
    note(found.model.training)


def _print(
    found: "Learned", points: "Sequence[CurvePoint]", output: str, output_format: str
) -> None:
    """The tables, unless the model itself went to standard output."""
    if output == "-":
        return
    for number, table in enumerate(_tables(found, points, output_format)):
        if number:
            echo()
        print_table(table, output_format)


def _check_folder(output: str) -> None:
    """Raise where the model could not be written: better before learning than after it."""
    from rankwise.errors import DataError

    if not Path(output).parent.is_dir():
        raise DataError(f"{output}: cannot be written: its folder does not exist")


def _check_apart(testsets: Sequence[str], development: Sequence[str]) -> None:
    """Raise a usage error where a file is to be learned from and to be chosen on."""
    for path in development:
        if any(os.path.realpath(path) == os.path.realpath(other) for other in testsets):
            raise click.UsageError(f"{path} is given to --testset and to --dev; split by test set")


def _points(found: "Learned") -> "list[CurvePoint]":
    with reporting("learning curve (percent)", 100) as progress:
        return found.curve(progress=progress)


def _tables(
    found: "Learned", points: "Sequence[CurvePoint]", output_format: str
) -> "Iterator[Table]":
    """For people weights, agreement and, if asked for, the curve; programs get weights or curve."""
    from rankwise.present.learn_tables import compared_table, curve_table, weight_table

    is_for_people = output_format not in FOR_PROGRAMS
    if not points or is_for_people:
        yield weight_table(found)
    if is_for_people and found.compared:
        yield compared_table(found)
    if points:
        yield curve_table(points)


def _picture(points: "Sequence[CurvePoint]", path: str) -> bytes:
    from rankwise.present.figures.figure_canvas import rendered
    from rankwise.present.figures.learning_curve import learning_curve

    drawn = learning_curve(
        [point.preferences for point in points], [point.accuracy for point in points]
    )
    return rendered(drawn, Path(path).suffix[1:].lower())


def _score_files(
    testsets: Sequence[str],
    development: Sequence[str],
    scores: Sequence[str],
    scores_of: Sequence[tuple[str, str]],
    lower_is_better: bool,
) -> "dict[str, StudyFiles]":
    """The files of scores by test set, where "" stands for the output files."""
    known = [*testsets, *development] if testsets else ["", *development]
    if scores and len(known) > 1:
        raise click.UsageError("there are several test sets: give --scores-of TESTSET FILE of each")
    unknown = next((named for named, _ in scores_of if named not in known), None)
    if unknown is not None:
        raise click.UsageError(
            f"--scores-of names {unknown}, which neither --testset nor --dev does"
        )
    return {
        testset: study_files(
            scores=(*scores, *(file for named, file in scores_of if named == testset)),
            lower_is_better=lower_is_better,
        )
        for testset in known
    }


def _tracks(
    outputs: Sequence[str],
    references: Sequence[str],
    source: str | None,
    testsets: Sequence[str],
    judgments: Sequence[str],
    tables: "Mapping[str, StudyFiles]",
) -> "Iterator[Track]":
    from rankwise.evaluate.metric_learning.learning_data import Track
    from rankwise.io.study import read_people

    if testsets:
        if outputs or references or source:
            raise click.UsageError("give either --testset, or --reference and output files")
        if len(testsets) != len(judgments):
            counts = f"{len(testsets)} and {len(judgments)}"
            raise click.UsageError(f"give as many --judgments as --testset, not {counts}")
        yield from (_track(*paths, tables) for paths in zip(testsets, judgments, strict=True))
        return
    if len(judgments) != 1:
        raise click.UsageError("give one --judgments for the output files")
    files = study_files(outputs, references, source=source)
    if not outputs:
        raise click.UsageError("give --reference and output files, or --testset")
    yield Track(_texts(files), read_people(judgments[0]), _tables_of(tables[""]))


def _track(testset: str, judgments: str, tables: "Mapping[str, StudyFiles]") -> "Track":
    """A test set, called by its path, for two may have the same name inside."""
    from rankwise.evaluate.metric_learning.learning_data import Track
    from rankwise.io.study import read_people

    texts = replace(_texts(study_files(testset=testset)), name=testset)
    return Track(texts, read_people(judgments), _tables_of(tables[testset]))


def _tables_of(files: "StudyFiles") -> "dict[str, ScoreTable]":
    """The scores of segments in files of other tools, by name; notes say what was left out."""
    from rankwise.evaluate.scored_study import segment_table
    from rankwise.io.study import scores_of

    study = scores_of(files)
    for sentence in study.notes:
        note(sentence)
    return {
        name: replace(segment_table(name, found), counts_errors=name in study.errors)
        for name, found in study.scores.items()
    }


def _texts(files: "StudyFiles") -> "TestSet":
    from rankwise.io.study import study_of

    texts = study_of(files).texts
    assert texts is not None
    return texts
