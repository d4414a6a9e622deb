"""Options that several commands share: where the texts and the judgments come from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.types import Assessments, ScoreTable, TestSet
    from rankwise.types.text_block import Block

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


#: Options that ``rankwise score`` and ``rankwise report`` share.
documents_option = click.option(
    "--documents",
    metavar="FILE",
    help="For text files: the document of every line in the last of its tab-separated columns, "
    "the domain in the one before.",
)
lower_option = click.option(
    "--lower-is-better", is_flag=True, help="Of --scores: they count errors."
)
resample_by_option = click.option(
    "--resample-by",
    type=click.Choice(["segment", "document"]),
    default="segment",
    show_default=True,
    help="What is drawn or exchanged as a whole.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=12345,
    show_default=True,
    help="Same seed, same numbers.",
)


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
    from rankwise.io import read_parallel

    if testset is not None:
        return _whole_testset(outputs, references, source, testset, language_pair)
    if not references or not outputs:
        raise click.UsageError("give --reference and output files, or --testset")
    return read_parallel(source, references, outputs)


def load_metrics(names: Sequence[str]) -> "list[Metric]":
    """The metrics that were asked for, each once."""
    from rankwise.metrics import metrics_of

    return list(dict.fromkeys(metrics_of(names)))


def _whole_testset(
    outputs: Sequence[str],
    references: Sequence[str],
    source: str | None,
    testset: str,
    language_pair: str | None,
) -> "TestSet":
    from rankwise.io import read_testset

    if outputs or references or source:
        raise click.UsageError("give either --testset, or --reference and output files")
    options = {"language_pair": language_pair} if language_pair else {}
    return read_testset(testset, **options)


def human_scores(path: str) -> "tuple[ScoreTable, Assessments | None]":
    """What people gave to segments, called by the file unless it says; and single values if any."""
    from rankwise.io import read_assessments, read_scores
    from rankwise.io.files import stem_of

    assessments = read_assessments(path) if _has_assessments(path) else None
    table = read_scores(path) if assessments is None else assessments.scores()
    return replace(table, name=table.name or stem_of(path)), assessments


def _has_assessments(path: str) -> bool:
    """Whether a file holds single values of judges rather than a table of scores."""
    from rankwise.io.format_table import formats_of
    from rankwise.io.sniffing import read_head

    head = read_head(path)
    if any(candidate.load().sniff(head) for candidate in formats_of("scores")):
        return False
    return any(candidate.load().sniff(head) for candidate in formats_of("assessments"))


# -- texts a block at a time -----------------------------------------------------------------------


def load_blocks(
    outputs: Sequence[str],
    references: Sequence[str],
    source: str | None,
    testset: str | None,
    language_pair: str | None,
    documents: str | None = None,
    skip_empty: bool = False,
    excluded: Sequence[str] = (),
) -> "Iterator[Block]":
    """The segments that the options name, block by block; text files are never held whole."""
    from rankwise.types.text_block import blocks_of, without

    if testset is not None:
        if documents is not None or skip_empty:
            raise click.UsageError("--documents and --skip-empty-references are for text files")
        whole = _whole_testset(outputs, references, source, testset, language_pair)
        return without(blocks_of(whole), excluded)
    if not references or not outputs:
        raise click.UsageError("give --reference and output files, or --testset")
    return without(_text_blocks(outputs, references, source, documents, skip_empty), excluded)


def _text_blocks(
    outputs: Sequence[str],
    references: Sequence[str],
    source: str | None,
    documents: str | None,
    skip_empty: bool,
) -> "Iterator[Block]":
    from rankwise.io.parts.parallel_lines import named_files, parallel_blocks
    from rankwise.io.parts.place_lines import place_of
    from rankwise.types.text_block import Block

    named_files(references, "reference")
    systems = named_files(outputs, "output")
    extra = [path for path in (documents, source) if path is not None]
    start = 1
    for lines in parallel_blocks([*references, *systems.values(), *extra]):
        texts = dict(zip(systems, lines[len(references) :], strict=False))
        places = lines[len(references) + len(systems)] if documents is not None else []
        entries = _entries(lines[: len(references)], references, start, skip_empty)
        ids = range(start, start + len(lines[0]))
        named = [place_of(line) for line in places]
        yield Block(ids, entries, texts, [p.document for p in named], [p.domain for p in named])
        start += len(ids)


def _entries(
    columns: Sequence[list[str]], files: Sequence[str], start: int, skip_empty: bool
) -> Sequence[str | Sequence[str]]:
    """The references of every segment: one text, or several."""
    if len(columns) == 1 and not skip_empty:
        return columns[0]
    rows = list(zip(*columns, strict=True))
    if not skip_empty:
        return rows
    from rankwise.errors import DataError

    kept = [tuple(text for text in row if text) for row in rows]
    if () in kept:
        line = start + kept.index(())
        raise DataError(f"{', '.join(files)}:{line}: the line is empty in every reference file")
    return kept
