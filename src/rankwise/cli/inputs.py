"""Options that several commands share: where the texts and the judgments come from."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.types import TestSet

F = TypeVar("F", bound=Callable[..., object])

DEFAULT_METRICS = ("bleu", "chrf", "ter")


def text_options(function: F) -> F:
    """Add the options that name a test set: one file or folder, or line-aligned text files."""
    for option in reversed(
        (
            click.argument("outputs", nargs=-1),
            click.option("-r", "--reference", "references", multiple=True, help="A reference."),
            click.option("-s", "--source", help="The source text."),
            click.option("-t", "--testset", help="A test set in any format, instead of files."),
            click.option("--language-pair", help="Which pair of an EvalSet folder, like en-de."),
        )
    ):
        function = option(function)
    return function


def metric_option(function: F) -> F:
    """Add ``-m``, which names a metric with its options and may be repeated."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        default=DEFAULT_METRICS,
        show_default=True,
        help="A metric with its options, like chrf:word_order=2; may be repeated.",
    )(function)


def load_testset(
    outputs: Sequence[str],
    references: Sequence[str],
    source: str | None,
    testset: str | None,
    language_pair: str | None,
) -> "TestSet":
    """The test set that the options name."""
    from rankwise.io import read_parallel, read_testset

    if testset is not None:
        if outputs or references or source:
            raise click.UsageError("give either --testset, or --reference and output files")
        options = {"language_pair": language_pair} if language_pair else {}
        return read_testset(testset, **options)
    if not references or not outputs:
        raise click.UsageError("give --reference and output files, or --testset")
    return read_parallel(source, references, outputs)


def load_metrics(names: Sequence[str]) -> "list[Metric]":
    """The metrics that were asked for."""
    from rankwise.metrics import metric

    return [metric(name) for name in names]
