"""``rankwise meta``: which metrics agree most with people, and which by chance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.batch_options import batch_options, in_batches
from rankwise.cli.common.inputs import (
    download_option,
    files_of,
    human_systems_option,
    language_option,
    load_metrics,
    lower_option,
    must_have_texts,
    names_option,
    reference_set_option,
    seed_option,
)
from rankwise.cli.common.output import FOR_PROGRAMS, note, print_table, table_format, table_options
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.ranking_options import ranking_options, was_typed
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.types.defaults import USUAL_METRICS

if TYPE_CHECKING:
    from rankwise.aggregate.ranker import Ranker
    from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation
    from rankwise.io.study_files import StudyFiles
    from rankwise.present.tables import Table
    from rankwise.types import Study

RECIPES = ("wmt23", "wmt24")
TESTS = ("permutation", "bootstrap", "williams", "none")

#: What is about the references and metrics of an EvalSet folder.
ONLY_WITH_FOLDERS = ("reference_set", "human_systems", "stored")

#: What rankings have no use for.
ONLY_WITH_SCORES = (
    "human",
    "recipe",
    "measures",
    "reference_set",
    "human_systems",
    "stored",
    "test",
    "alpha",
    "compat",
    "all_pairs",
    "plot",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaOptions:
    """What was typed; the fields are the options."""

    outputs: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    testset: str | None
    pairs: tuple[str, ...]
    download: bool
    language: str | None
    metrics: tuple[str, ...]
    scores: tuple[str, ...]
    lower_is_better: bool
    human: str | None
    judgments: str | None
    ranker: "Ranker"
    recipe: str | None
    measures: tuple[str, ...]
    reference_set: tuple[str, ...]
    excluded: tuple[str, ...]
    human_systems: bool | None
    names: str | None
    stored: bool
    test: str
    draws: int
    seed: int
    alpha: float
    compat: str | None
    intervals: bool
    all_pairs: bool
    plot: str | None
    output: str | None
    output_format: str


#: The options that only ``--help-all`` shows.
RARE = (
    "--download",
    "--reference-set",
    "--names",
    "--stored",
    "--alpha",
    "--batch-size",
    "--no-cache",
    "--draws",
    "--seed",
    "--compat",
    "--all-pairs",
)


@click.command(cls=BriefCommand, rare=RARE)
@click.argument("outputs", nargs=-1)
@click.option("-r", "--reference", "references", multiple=True, help="A reference file.")
@click.option("-s", "--source", help="The source text.")
@click.option(
    "-t",
    "--testset",
    help="A test set in any format; an EvalSet has scores too, and may be called by name, like "
    "wmt24.",
)
@click.option("-l", "--language-pair", "pairs", multiple=True, help="Like en-de; all unless given.")
@download_option
@language_option
@click.option("-m", "--metric", "metrics", multiple=True, help="A metric to compute, like chrf.")
@batch_options
@click.option("--scores", multiple=True, help="Scores of a metric, in any format.")
@lower_option
@click.option("--human", help="The name of the human scores in the folder, or a file of scores.")
@click.option("-j", "--judgments", help="Human rankings, in any format, instead of scores.")
@ranking_options("model")
@click.option(
    "--recipe",
    type=click.Choice(RECIPES),
    help="The measures of a year's task, tested as it did.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    help="Like pearson; spa and acc-eq unless given, or those of the recipe.",
)
@reference_set_option
@click.option(
    "--exclude", "excluded", multiple=True, help="A system to leave out, such as an outlier."
)
@human_systems_option
@names_option
@click.option("--stored/--only-given", default=True, help="The metrics of the folder too.")
@click.option(
    "--test",
    type=click.Choice(TESTS),
    default="permutation",
    show_default=True,
    help="Whether one metric is better than another.",
)
@click.option(
    "--draws", type=click.IntRange(1), default=1000, show_default=True, help="Of the test."
)
@seed_option
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Of significance.")
@click.option("--compat", type=click.Choice(["mtme"]), help="Draw and count as mt-metrics-eval.")
@click.option("--intervals", is_flag=True, help="With 95 % confidence intervals of the values.")
@click.option("--all-pairs", is_flag=True, help="Print every pair of metrics with its p-value.")
@click.option("--plot", type=click.Path(file_okay=False), help="A folder to write pictures into.")
@table_options
def meta(**given: Any) -> None:
    """Compare metrics with human judgments: which agree most, and which by chance.

    With --testset FOLDER, all metrics of an EvalSet folder (and --scores, and -m) are ranked by
    their agreement with its human scores, per language pair and on average; with --human FILE,
    metrics of OUTPUTS (and --scores) with those of the file. With -j, they are compared with human
    rankings of the same systems: systems are matched by name (the file name without its suffix),
    segments by number.
    """
    options = MetaOptions(**given)
    options = replace(options, output_format=table_format(options.output_format, options.output))
    if options.lower_is_better and not options.scores:
        raise click.UsageError("--lower-is-better needs --scores")
    if options.judgments is not None:
        _refuse(ONLY_WITH_SCORES, "-j")
        _with_rankings(options, options.judgments)
    else:
        _check_human_scores(options)
        _with_scores(options)


def _check_human_scores(options: MetaOptions) -> None:
    """Raise a usage error for options that do not go together where people gave scores."""
    if options.testset is None and options.human is None:
        raise click.UsageError("give --testset or --human with human scores, or -j with rankings")
    if options.testset is None:
        _refuse(ONLY_WITH_FOLDERS, "--human without --testset")
    _refuse(("model",), "human scores")
    if options.metrics and not (options.testset or options.outputs):
        raise click.UsageError("-m needs texts: output files with --reference, or --testset")


def _refuse(names: Sequence[str], other: str) -> None:
    """Raise a usage error for an option that would be passed over."""
    context = click.get_current_context()
    for name in names:
        if was_typed(name):
            spelt = next(p.opts[-1] for p in context.command.params if p.name == name)
            raise click.UsageError(f"{spelt} and {other} do not go together")


def _with_scores(options: MetaOptions) -> None:
    from rankwise.evaluate.meta.meta_evaluation import RECIPES as MEASURES
    from rankwise.evaluate.meta.meta_evaluation import USUAL_MEASURES, MetaTrial
    from rankwise.evaluate.meta.study_meta import meta as evaluated
    from rankwise.io.study import studies_of

    chosen = options.measures or MEASURES.get(options.recipe or "", USUAL_MEASURES)
    names = [_compatible(name, options.compat) for name in chosen]
    trial = MetaTrial(
        options.test, options.draws, options.seed, options.alpha, options.compat or ""
    )
    files = _files(
        options, human=options.human, stored=options.stored, needs_people=options.human is None
    )
    if options.human is None and not files.has_human_scores:
        raise click.UsageError("give --human FILE with the human scores of the test set")
    metrics = options.metrics or (USUAL_METRICS if options.outputs else ())
    with working("reading"):
        studies = studies_of(files, options.pairs, with_texts=bool(metrics or options.outputs))
    if options.language is not None and len(studies) > 1:
        raise click.UsageError("--language is for one language pair; name it too")
    with reporting("comparing metrics (percent)", 100) as progress:
        found = evaluated(studies, in_batches(metrics), names, trial=trial, progress=progress)
    print_table(_table(found, options), options.output_format, options.output)
    for sentence in (sentence for study in studies for sentence in _sentences(study, metrics)):
        note(sentence)
    for task in found.tasks:
        note(f"{task.label}: {task.measure.signature}")
    if options.plot is not None:
        _write_plots(found, Path(options.plot))


def _sentences(study: "Study", metrics: Sequence[str]) -> list[str]:
    """What is to say about a study, and what its language decided about metrics."""
    from rankwise.evaluate.odd.text_troubles import text_troubles
    from rankwise.metrics import language_notes
    from rankwise.text.languages import target_language_of

    if study.texts is None:
        return list(study.notes)
    language = target_language_of(study.texts)
    troubles = text_troubles(study.texts, language) if metrics else []
    return [*study.notes, *language_notes(metrics, language), *troubles]


def _files(options: MetaOptions, **others: Any) -> "StudyFiles":
    unread: dict[str, Any] = {"human": None, "judgments": (), "stored": False}
    if options.human_systems is None and (options.recipe or options.compat):
        others["human_systems"] = "scored"  # WMT's own tables have them
    files = files_of(options, **(unread | others))
    if files.added:
        raise click.UsageError("give either --testset, or --reference and output files")
    if files.outputs or files.references or files.source:
        must_have_texts(files, options.metrics)
    return files


def _table(found: "MetaEvaluation", options: MetaOptions) -> "Table":
    from rankwise.evaluate.meta.meta_intervals import meta_intervals
    from rankwise.present.meta_tables import meta_table, significance_table

    if options.all_pairs:
        return significance_table(found)
    is_for_people = options.output_format not in FOR_PROGRAMS
    if not options.intervals:
        return meta_table(found, for_people=is_for_people)
    with reporting("resampling (percent)", 100) as progress:
        ends = meta_intervals(found, progress=progress)
    return meta_table(found, for_people=is_for_people, intervals=ends)


def _compatible(name: str, compat: str | None) -> str:
    """A measure with the option ``compat`` where it has one."""
    return f"{name}:compat={compat}" if compat and name.split(":")[0] == "spa" else name


def _with_rankings(options: MetaOptions, judgments: str) -> None:
    from rankwise.evaluate import agreement_with_people
    from rankwise.evaluate.meta.against_people import must_share_systems
    from rankwise.evaluate.odd.odd_systems import unshared
    from rankwise.evaluate.scored_study import scored_study
    from rankwise.io.study import study_of
    from rankwise.present.meta_tables import agreement_table
    from rankwise.text.languages import target_language_of

    pair = options.pairs[0] if options.pairs else None
    files = _files(options, judgments=(judgments,), language_pair=pair)
    if options.metrics or not options.scores:
        must_have_texts(files, options.metrics)
    usual = USUAL_METRICS if files.has_texts else ()
    with working("comparing"):
        study = study_of(files)
        language = None if study.texts is None else target_language_of(study.texts)
        scored, notes = scored_study(study, load_metrics(options.metrics or usual, language))
        people = study.judgments
        assert scored is not None and people is not None
        board = options.ranker.board(people)
        for result in scored.results:
            must_share_systems(result, board)
        samples = options.draws if options.intervals else 0
        rivals = {name: None for result in scored.results for name in result.systems}
        apart = unshared(("scores", rivals), ("judgments", people.systems))
        found = [
            agreement_with_people(result, board, people, samples=samples, seed=options.seed)
            for result in scored.results
        ]
    print_table(agreement_table(found), options.output_format, options.output)
    for sentence in (*study.notes, *notes, *apart, board.signature):
        note(sentence)


def _write_plots(found: "MetaEvaluation", folder: Path) -> None:
    """One picture of all tasks, one matrix of significance per task, one scatter per pair."""
    from rankwise.io.files import write_bytes
    from rankwise.present.meta_figures import figures

    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in figures(found):
        path = folder / f"{name}.png"
        with write_bytes(path) as stream:
            stream.write(picture)
        note(f"wrote {path}")
