"""``rankwise learn``: a metric learned from human judgments."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.engine_options import engine_options, site_of
from rankwise.cli.common.inputs import must_have_texts, study_files
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

if TYPE_CHECKING:
    from rankwise.evaluate.metric_learning.learned import CurvePoint, Learned
    from rankwise.evaluate.metric_learning.learning_data import Track
    from rankwise.io.study_files import StudyFiles
    from rankwise.present.tables import Table
    from rankwise.types import TestSet


@click.command()
@click.argument("outputs", nargs=-1)
@click.option("-r", "--reference", "references", multiple=True, help="A reference of OUTPUTS.")
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
    default=("beer",),
    show_default=True,
    help="A feature set or metric with its options, like beer:language=de; repeatable.",
)
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
    testsets: tuple[str, ...],
    judgments: tuple[str, ...],
    development: tuple[tuple[str, str], ...],
    cache: str | None,
    curve: bool,
    plot: str | None,
    output: str,
    output_format: str,
    **options: Any,
) -> None:
    """Learn a metric from human judgments of OUTPUTS, or of test sets.

    Prints the weight of every feature and the agreement with people on data that was not learned
    from, beside that of BLEU, chrF and TER; writes a model for -m learned:model=FILE. With --dev,
    the learner's main option is chosen on these test sets; without, agreement is that of a
    cross-validation by segment.
    """
    from rankwise.evaluate import learn as learned
    from rankwise.io.learned.feature_cache import FeatureCache
    from rankwise.io.learned.model_files import write_model

    if plot:
        check_plot(plot)
    _check_folder(output)
    _check_apart(testsets, [testset for testset, _ in development])
    site = site_of(*(options.pop(name) for name in ("engine", "address", "workers")))
    with working("reading"):
        train = list(_tracks(outputs, references, testsets, judgments))
        held = [_track(*paths) for paths in development]
    with counting("outputs", len(train) + len(held) + 1) as done:
        found = learned(
            [testset for testset, _ in train],
            [human for _, human in train],
            development=held,
            done=done,
            site=site,
            cache=FeatureCache(cache) if cache else None,
            **options,
        )
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


def _tracks(
    outputs: Sequence[str],
    references: Sequence[str],
    testsets: Sequence[str],
    judgments: Sequence[str],
) -> "Iterator[Track]":
    from rankwise.io.study import read_people

    if testsets:
        if outputs or references:
            raise click.UsageError("give either --testset, or --reference and output files")
        if len(testsets) != len(judgments):
            counts = f"{len(testsets)} and {len(judgments)}"
            raise click.UsageError(f"give as many --judgments as --testset, not {counts}")
        yield from (_track(*paths) for paths in zip(testsets, judgments, strict=True))
        return
    if len(judgments) != 1:
        raise click.UsageError("give one --judgments for the output files")
    files = study_files(outputs, references)
    must_have_texts(files)
    yield _texts(files), read_people(judgments[0])


def _track(testset: str, judgments: str) -> "Track":
    """A test set, called by its path, for two may have the same name inside."""
    from rankwise.io.study import read_people

    return replace(_texts(study_files(testset=testset)), name=testset), read_people(judgments)


def _texts(files: "StudyFiles") -> "TestSet":
    """The texts; a reference is no system to learn from."""
    from rankwise.io.study import study_of

    texts = study_of(replace(files, human_systems=False)).texts
    assert texts is not None
    return texts
