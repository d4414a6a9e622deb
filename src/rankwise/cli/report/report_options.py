"""The options of ``rankwise report``: how they are typed, and one record that holds them."""

from dataclasses import dataclass
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
    text_options,
    usual_metrics_option,
)
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.ranking_options import ranking_options

if TYPE_CHECKING:
    from rankwise.aggregate.ranker import Ranker
    from rankwise.io.study_files import StudyFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportArguments:
    """What was typed; the fields are the options."""

    outputs: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    testset: str | None
    language_pair: str | None
    download: bool
    language: str | None
    reference_set: tuple[str, ...]
    human_systems: bool | None
    names: str | None
    documents: str | None
    excluded: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: tuple[str, ...]
    lower_is_better: bool
    human: str | None
    judgments: tuple[str, ...]
    ranker: "Ranker"
    test: Literal["bootstrap", "randomisation"]
    resample_by: Literal["segment", "document"]
    resamples: int | None
    seed: int
    draws: int
    segments: int
    title: str | None
    output_format: str
    figures: str | None
    output: str

    @property
    def files(self) -> "StudyFiles":
        """The files that the report is about."""
        return files_of(self)

    def check(self) -> None:
        """Raise a usage error for options that do not go together."""
        has_texts = self.files.has_texts
        if self.documents is not None and not self.outputs:
            raise click.UsageError("--documents is for text files; give the output files too")
        if self.resample_by == "document" and self.outputs and not self.documents:
            raise click.UsageError("--resample-by document needs --documents or --testset")
        if not (has_texts or self.scores or self.human or self.judgments):
            raise click.UsageError(
                "give some input: output files with --reference, --testset, --scores, --human or "
                "--judgments"
            )
        if self.excluded and not (has_texts or self.scores or self.human):
            raise click.UsageError("--exclude is for texts and scores; a ranking keeps its systems")
        if has_texts and self.testset is None and not self.outputs:
            raise click.UsageError("give the output files of the systems too")


_OPTIONS = (
    documents_option,
    click.option(
        "--exclude",
        "excluded",
        multiple=True,
        metavar="SYSTEM",
        help="Leave this system out of texts and scores, not of rankings; may be repeated.",
    ),
    usual_metrics_option,
    outside_scores_option,
    lower_option,
    human_option,
    click.option(
        "-j",
        "--judgments",
        multiple=True,
        metavar="FILE",
        help="Human rankings, in any format; may be repeated.",
    ),
    ranking_options("model", "recipe", "runs", "seed", seed="--rank-seed"),
    click.option(
        "--test",
        type=click.Choice(["bootstrap", "randomisation"]),
        default="bootstrap",
        show_default=True,
        help="Which paired test of scores.",
    ),
    resample_by_option,
    click.option(
        "--resamples",
        type=click.IntRange(min=0),
        help="How many, for intervals, clusters and tests of scores; 0 for none.  [default: 1000; "
        "shuffles of a randomisation test 10000]",
    ),
    seed_option,
    click.option(
        "--draws",
        type=click.IntRange(min=0),
        default=200,
        show_default=True,
        help="Of the test whether one metric agrees more with human scores than another, and of "
        "the intervals of agreement; 0 for neither.",
    ),
    click.option(
        "--segments",
        type=click.IntRange(min=0),
        default=300,
        show_default=True,
        help="How many of the segments that differ most are shown.",
    ),
    click.option("--title", help="The title of the page."),
    click.option(
        "--format",
        "output_format",
        type=click.Choice(["html", "markdown", "latex"]),
        default="html",
        show_default=True,
        help="The page, or its tables for a paper; also told by -o FILE.md and -o FILE.tex.",
    ),
    click.option(
        "--figures",
        metavar="FOLDER",
        type=click.Path(file_okay=False),
        help="Also write every figure here, as PNG, SVG and PDF.",
    ),
    click.option("-o", "--output", required=True, help="The file to write; - for stdout."),
)


#: All options of ``rankwise report``.
report_options = all_options(text_options, *_OPTIONS)
