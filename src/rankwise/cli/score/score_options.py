"""The options of ``rankwise score``: how they are typed, and one record that holds them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from rankwise.cli.common.engine_options import engine_options, site_of
from rankwise.cli.common.inputs import (
    documents_option,
    files_of,
    lower_option,
    metric_option,
    resample_by_option,
    seed_option,
    test_option,
    text_options,
)
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.output import table_options

if TYPE_CHECKING:
    from rankwise.engine import Site
    from rankwise.io.study_files import StudyFiles
    from rankwise.metrics import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
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
    skip_empty_references: bool
    excluded: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: tuple[str, ...]
    lower_is_better: bool
    baseline: str | None
    all_pairs: bool
    letters: bool
    test: Literal["bootstrap", "randomisation"]
    correct: str | None
    compat: Literal["sacrebleu"] | None
    resample_by: Literal["segment", "document"]
    resamples: int | None
    seed: int
    by: str | None
    segments: bool
    lead: bool
    engine: Literal["local", "dask"] | None
    address: str | None
    workers: int | None
    output_format: str
    output: str | None

    @property
    def files(self) -> "StudyFiles":
        """The files that are scored."""
        return files_of(self)

    @property
    def site(self) -> "Site | None":
        """Where shards are scored; None for files that are no shards."""
        return site_of(self.engine, self.address, self.workers)

    @property
    def has_texts(self) -> bool:
        """Whether texts are scored; scores of other tools need none."""
        return bool(self.outputs or self.references or self.testset or not self.scores)

    @property
    def a_text_file(self) -> str | None:
        """A file with a line per segment, if there is one."""
        return (*self.references, *self.outputs, None)[0] if self.testset is None else None

    @property
    def has_tests(self) -> bool:
        """Whether systems are tested against each other."""
        return self.baseline is not None or self.all_pairs or self.letters

    @property
    def is_plain(self) -> bool:
        """Whether corpus scores of text files, rounded for people, are all that is asked for."""
        more = (self.has_tests, self.by, self.scores, self.documents, self.skip_empty_references)
        one_reference = len(self.references) == 1 and self.testset is None
        return one_reference and self.resamples == 0 and not any(more)

    @property
    def by_document(self) -> str:
        """The option that asks for the documents or domains of segments, or nothing."""
        if self.by in ("document", "domain"):
            return f"--by {self.by}"
        return "--resample-by document" if self.resample_by == "document" else ""

    @property
    def _may_have_places(self) -> bool:
        """Whether something that is read may name documents and domains."""
        return bool(self.documents or self.testset or not self.has_texts)

    def check(self) -> None:
        """Raise a usage error for options that do not go together."""
        for options in _EXCLUSIVE:
            given = [name for name in options if getattr(self, name)]
            if len(given) > 1:
                names = " and ".join(f"--{name.replace('_', '-')}" for name in given[:2])
                raise click.UsageError(f"{names} do not go together")
        if self.correct and not self.has_tests:
            raise click.UsageError("--correct needs --baseline or --all-pairs")
        if self.has_tests and self.resamples == 0:
            raise click.UsageError("a test needs --resamples of at least 1")
        if self.by == "document" and self.resample_by == "document":
            raise click.UsageError("--by document and --resample-by document do not go together")
        self._check_engine()
        self._check_needed()

    def _check_needed(self) -> None:
        """Raise a usage error for an option that changes nothing without another one."""
        tests = "--baseline, --all-pairs or --letters"
        for is_given, option, is_there, needed in (
            (self.lead, "--lead", self.segments, "--segments"),
            (self.lower_is_better, "--lower-is-better", self.scores, "--scores"),
            (self.language_pair, "--language-pair", self.has_texts, "texts"),
            (self.language, "--language", self.has_texts, "texts"),
            (self.reference_set, "--reference-set", self.testset, "--testset"),
            (self.human_systems is not None, "--human-systems", self.testset, "--testset"),
            (self.test != "bootstrap", "--test", self.has_tests, tests),
            (self.compat, "--compat", self.has_tests, tests),
            (self.by_document, self.by_document, self._may_have_places, "--documents"),
        ):
            if is_given and not is_there:
                raise click.UsageError(f"{option} needs {needed}")

    def _check_engine(self) -> None:
        _ = self.site
        for name in _WHOLE if self.engine is not None else ():
            if getattr(self, name):
                option = _SPELT.get(name, f"--{name.replace('_', '-')}")
                raise click.UsageError(f"--engine and {option} do not go together")


def with_scores(metrics: "list[Metric]", options: ScoreOptions) -> "list[Metric]":
    """The metrics; those that were learned from scores of other tools are given --scores."""
    if not options.scores or not any(metric.needs.scores for metric in metrics):
        return metrics
    from rankwise.evaluate.scored_study import with_tables
    from rankwise.io.study import scores_of

    return with_tables(metrics, scores_of(options.files))


# Of each row, at most one may be given.
_EXCLUSIVE = (
    ("baseline", "all_pairs", "letters", "segments"),
    ("all_pairs", "letters", "segments", "by"),
)

# What needs all rows at once, or files that are not shards.
_WHOLE = (
    "testset",
    "source",
    "documents",
    "names",
    "skip_empty_references",
    "excluded",
    "scores",
    "baseline",
    "all_pairs",
    "letters",
    "by",
    "by_document",
    "resamples",
    "segments",
    "lead",
)

# Fields that are not called like their options.
_SPELT = {"excluded": "--exclude", "by_document": "--resample-by document"}

_OPTIONS = (
    documents_option,
    click.option(
        "--skip-empty-references",
        is_flag=True,
        help="An empty line of a reference file is no reference: segments may have fewer than "
        "others.",
    ),
    click.option(
        "--exclude",
        "excluded",
        multiple=True,
        metavar="SYSTEM",
        help="Leave this system out, like a reference among the outputs; may be repeated.",
    ),
    metric_option,
    click.option(
        "--scores",
        multiple=True,
        metavar="FILE",
        help="Segment scores of another tool (COMET, people) in any format of scores, beside the "
        "metrics of texts or without texts; may be repeated: files of one system each, or of a "
        "metric each, or NAME=FOLDER with a metric's file for each system.",
    ),
    lower_option,
    click.option("--baseline", metavar="SYSTEM", help="Test every system against this one."),
    click.option(
        "--all-pairs",
        is_flag=True,
        help="Test every two systems, and print the tests instead of the scores.",
    ),
    click.option(
        "--letters",
        is_flag=True,
        help="Test every pair, corrected, and give systems that do not differ a letter in common.",
    ),
    test_option,
    click.option(
        "--correct",
        type=click.Choice(["holm"]),
        help="Correct the p-values of each metric for the number of tests.",
    ),
    click.option(
        "--compat",
        type=click.Choice(["sacrebleu"]),
        help="The p-values of sacreBLEU, whose bootstrap finds differences where there are none.",
    ),
    resample_by_option,
    click.option(
        "--resamples",
        type=click.IntRange(min=0),
        help="How many, for intervals, clusters and tests; 0 for none.  [default: 1000; shuffles "
        "of a randomisation test 10000]",
    ),
    seed_option,
    click.option(
        "--by",
        type=click.Choice(["document", "domain", "length"]),
        help="Scores of every document, domain or length of reference, with intervals and "
        "--baseline drawn inside each.",
    ),
    click.option(
        "--segments",
        is_flag=True,
        help="A row per segment and system instead, in constant memory: TSV, JSON lines (json), "
        "or Parquet (-o FILE.parquet).",
    ),
    click.option(
        "--lead",
        is_flag=True,
        help="With --segments: rank outputs as a set. Half of the lead that a system has over all, "
        "in the mean of all segments, is added to each of its scores.",
    ),
    engine_options(
        "Score shard by shard, on processes of this machine or on a Dask cluster: OUTPUTS and "
        "references are folders of equally named text files, or OUTPUTS are Parquet files with a "
        "column of references and one per system, test sets, or a folder of these. -o FOLDER keeps "
        "the scores of segments and what is done, so that the same command continues."
    ),
    table_options,
)


#: All options of ``rankwise score``.
score_options = all_options(text_options, *_OPTIONS)
