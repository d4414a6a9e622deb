"""The options of ``rankwise compare``: how they are typed, and one record that holds them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from rankwise.cli.common.inputs import (
    documents_option,
    files_of,
    human_option,
    lower_option,
    outside_scores_option,
    resample_by_option,
    seed_option,
    test_option,
    texts_alone,
    usual_metrics_option,
)
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.output import format_option

if TYPE_CHECKING:
    from rankwise.evaluate.comparing.segment_pairs import SegmentFilter
    from rankwise.evaluate.scoreboard import Resampling
    from rankwise.io.study_files import StudyFiles

Range = tuple[float, float]
PARTS = ("differences", "groups", "words", "ngrams", "segments")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareArguments:
    """What was typed; the fields are the options."""

    systems: tuple[str, str]
    references: tuple[str, ...]
    source: str | None
    testset: str | None
    language_pair: str | None
    language: str | None
    download: bool
    reference_set: tuple[str, ...]
    human_systems: bool | None
    documents: str | None
    metrics: tuple[str, ...]
    scores: tuple[str, ...]
    lower_is_better: bool
    human: str | None
    domains: tuple[str, ...]
    named_documents: tuple[str, ...]
    words: str | None
    ranges_of_differences: tuple[str, ...]
    ranges_of_scores: tuple[str, ...]
    sort: str | None
    segments: int | None
    ngrams: int
    counts: str | None
    test: Literal["bootstrap", "randomisation"]
    resample_by: Literal["segment", "document"]
    resamples: int | None
    seed: int
    title: str | None
    shown: tuple[str, ...]
    output_format: str
    output: str | None

    @property
    def has_files(self) -> bool:
        """Whether the systems are files of outputs."""
        return bool(self.references or self.source or self.documents)

    @property
    def output_files(self) -> tuple[str, ...]:
        """Those of A and B that are files of outputs; beside a test set the others are its own."""
        if self.testset is None:
            return self.systems if self.has_files else ()
        return tuple(system for system in self.systems if _is_file(system))

    @property
    def called(self) -> tuple[str, str]:
        """What A and B are called."""
        from rankwise.io.parts.parallel_lines import name_and_file

        files = self.output_files
        one, two = (name_and_file(s)[0] if s in files else s for s in self.systems)
        return one, two

    @property
    def files(self) -> "StudyFiles":
        """The files to read; without a text file the systems are names."""
        return files_of(self, outputs=self.output_files)

    @property
    def where(self) -> "SegmentFilter":
        """Which segments are compared, and which are listed."""
        from rankwise.evaluate.comparing.segment_pairs import SegmentFilter

        return SegmentFilter(
            domains=self.domains,
            documents=self.named_documents,
            words=None if self.words is None else range_of("--words", self.words),
            scores=dict(named_range("--score", text) for text in self.ranges_of_scores),
            differences=dict(
                named_range("--difference", text) for text in self.ranges_of_differences
            ),
        )

    @property
    def resampling(self) -> "Resampling":
        """How often and what is drawn."""
        from rankwise.evaluate.scoreboard import Resampling

        return Resampling(
            samples=self.resamples, seed=self.seed, test=self.test, unit=self.resample_by
        )

    def check(self) -> None:
        """Raise a usage error for options that do not go together."""
        if self.testset is not None and self.has_files:
            raise click.UsageError("give either --testset, or --reference and output files")
        if self.testset is None and not (self.has_files or self.scores or self.human):
            raise click.UsageError(
                "give -r REFERENCE with two output files, or --testset or --scores with the names "
                "of two systems"
            )

    def check_format(self, output_format: str) -> None:
        """Raise a usage error for more tables than a format holds."""
        if output_format in ("tsv", "csv", "parquet") and len(self.shown) > 1:
            raise click.UsageError(f"{output_format} holds one table: give one --show")
        if output_format == "html" and self.shown:
            raise click.UsageError("--show chooses tables; the page has all of them")


def _is_file(system: str) -> bool:
    """Whether it is a file, or one with a name, ``NAME=FILE``."""
    from rankwise.io.parts.parallel_lines import name_and_file

    return bool(system.strip("=")) and Path(name_and_file(system)[1]).is_file()


def range_of(option: str, text: str) -> Range:
    """The numbers of ``LOW..HIGH``, either of which may be left out.

    >>> range_of("--words", "5..20"), range_of("--words", "..-2.5")
    ((5.0, 20.0), (-inf, -2.5))
    """
    low, dots, high = text.partition("..")
    try:
        found = float(low or "-inf"), float(high or "inf")
    except ValueError:
        found = (1.0, 0.0)
    if not dots or not found[0] <= found[1]:
        raise click.UsageError(f"{option} {text}: expected LOW..HIGH, like 5..20, 5.. or ..20")
    return found


def named_range(option: str, text: str) -> tuple[str, Range]:
    """The name and the numbers of ``METRIC=LOW..HIGH``; a name may hold ``=`` itself.

    >>> named_range("--score", "bleu:tokenize=zh=0..5")
    ('bleu:tokenize=zh', (0.0, 5.0))
    """
    name, equals, numbers = text.rpartition("=")
    if not equals:
        raise click.UsageError(f"{option} {text}: expected METRIC=LOW..HIGH, like chrf=-5..5")
    return name, range_of(option, numbers)


_OPTIONS = (
    click.argument("systems", nargs=2, metavar="A B"),
    texts_alone,
    documents_option,
    usual_metrics_option,
    outside_scores_option,
    lower_option,
    human_option,
    click.option(
        "--domain",
        "domains",
        multiple=True,
        metavar="NAME",
        help="Compare only segments of this domain; may be repeated.",
    ),
    click.option(
        "--document",
        "named_documents",
        multiple=True,
        metavar="NAME",
        help="Compare only segments of this document; may be repeated.",
    ),
    click.option(
        "--words",
        metavar="LOW..HIGH",
        help="Compare only segments whose reference has so many words, like 5..20.",
    ),
    click.option(
        "--difference",
        "ranges_of_differences",
        multiple=True,
        metavar="METRIC=LOW..HIGH",
        help="List only segments that differ by so much, like chrf=10..; may be repeated.",
    ),
    click.option(
        "--score",
        "ranges_of_scores",
        multiple=True,
        metavar="METRIC=LOW..HIGH",
        help="List only segments where A or B has such a score; may be repeated.",
    ),
    click.option(
        "--sort", metavar="METRIC", help="List segments by this metric.  [default: the first]"
    ),
    click.option(
        "--segments",
        type=click.IntRange(min=0),
        help="How many segments are listed.  [default: 5; for programs 1000, on a page 2000]",
    ),
    click.option(
        "--ngrams",
        type=click.IntRange(min=0),
        default=20,
        show_default=True,
        help="How many n-grams of each length are kept for each system.",
    ),
    click.option(
        "--counts",
        metavar="FILE",
        help="A word and its count per line, to group words by.  [default: counted in the "
        "references]",
    ),
    test_option,
    resample_by_option,
    click.option(
        "--resamples",
        type=click.IntRange(min=0),
        help="How many; 0 for no intervals and tests.  [default: 1000; shuffles of a randomisation "
        "test 10000]",
    ),
    seed_option,
    click.option(
        "--show",
        "shown",
        multiple=True,
        type=click.Choice(PARTS),
        help="Which tables; may be repeated.  [default: all but groups; tsv and csv: differences]",
    ),
    click.option("--title", help="The title of the page."),
    format_option,
    click.option(
        "-o", "--output", metavar="FILE", help="The file to write; .html for the page of segments."
    ),
)


#: All options of ``rankwise compare``.
compare_options = all_options(*_OPTIONS)
