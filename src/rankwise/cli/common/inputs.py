"""Options that several commands share: where the texts and the judgments come from."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rankwise.cli.common.batch_options import batch_options, in_batches
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.output import note
from rankwise.types.defaults import USUAL_METRICS

if TYPE_CHECKING:
    from rankwise.io.study_files import StudyFiles
    from rankwise.io.study_texts import TextBlocks
    from rankwise.metrics import Metric
    from rankwise.text.languages import Language

F = TypeVar("F", bound=Callable[..., object])

#: Which references of a test set count, and whether references are systems too.
reference_set_option = click.option(
    "--reference-set",
    multiple=True,
    metavar="NAME",
    help="Of a --testset: the reference to score against, like refB or he-en=refB; may be "
    "repeated.  [default: the standard one of an EvalSet, else all]",
)
human_systems_option = click.option(
    "--human-systems/--no-human-systems",
    default=None,
    help="Of a --testset: whether references are systems too.  [default: no]",
)
language_option = click.option(
    "--language",
    metavar="CODE",
    help="The target language, like zh: how words are found.  [default: that of the test set or "
    "the pair, else by the script of the references]",
)

download_option = click.option(
    "--download",
    is_flag=True,
    callback=lambda *given: _may_fetch_models(given[-1]),
    help="Fetch a published --testset, or the published model of a --metric, that is not on this "
    "machine yet.",
)


#: Metrics whose model may be a published one.
PUBLISHED = frozenset({"bertscore", "bleurt", "comet", "cosine", "metricx"})


def _may_fetch_models(value: bool) -> bool:
    """Allow it or forbid it again; a command that never looks for models imports nothing for it."""
    if value or "rankwise.metrics.outside.published_models" in sys.modules:
        from rankwise.metrics.outside.published_models import allow_fetching

        allow_fetching(value)
    return value


def model_download_option(whose: str) -> Callable[[F], F]:
    """``--download`` of a command that names no published test sets, only models of *whose*."""
    return click.option(
        "--download",
        is_flag=True,
        expose_value=False,
        callback=lambda *given: _may_fetch_models(given[-1]),
        help=f"Fetch the published model of {whose} that is not on this machine yet.",
    )


#: The options that name a test set, without the argument for the outputs.
texts_alone = all_options(
    click.option("-r", "--reference", "references", multiple=True, help="A reference."),
    click.option("-s", "--source", help="The source text."),
    click.option(
        "-t",
        "--testset",
        help="A test set in any format, or the name of a published one, like wmt24; "
        "output files are then further systems, line by line.",
    ),
    click.option(
        "-l",
        "--language-pair",
        help="Like en-de; of an EvalSet folder or a published set, which pair to read.",
    ),
    download_option,
    language_option,
    reference_set_option,
    human_systems_option,
)
names_option = click.option(
    "--names",
    metavar="FILE",
    help="Other names of systems: what each is called, a tab, and what it is to be called.",
)
#: The options that name a test set: one file or folder, or line-aligned text files.
text_options = all_options(click.argument("outputs", nargs=-1), texts_alone, names_option)

#: Options that ``rankwise score``, ``rankwise report`` and ``rankwise compare`` share.
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
#: The metrics, and scores of other tools and of people, where some of these are enough.
usual_metrics_option = all_options(
    click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        help="A metric to compute, like chrf:word_order=2; may be repeated.  [default: bleu, chrf, "
        "ter, where there are references]",
    ),
    batch_options,
)
outside_scores_option = click.option(
    "--scores",
    multiple=True,
    metavar="FILE",
    help="Segment scores of another metric (COMET, ...) in any format; may be repeated. "
    "NAME=FOLDER has a metric's file for each system.",
)
human_option = click.option(
    "--human",
    metavar="FILE",
    help="Scores that people gave to segments, in any format, or the name of those of an "
    "EvalSet folder.  [default: the folder's usual ones]",
)
test_option = click.option(
    "--test",
    type=click.Choice(["bootstrap", "randomisation"]),
    default="bootstrap",
    show_default=True,
    help="Which paired test.",
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
    option = click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        default=USUAL_METRICS,
        show_default=True,
        help="A metric with its options, like chrf:word_order=2; may be repeated. rankwise metrics "
        "lists them.",
    )
    return all_options(option, batch_options)(function)


def study_files(
    outputs: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    testset: str | None = None,
    **others: Any,
) -> "StudyFiles":
    """The files that the options name; a usage error for texts named in two ways."""
    from rankwise.io.study_files import StudyFiles

    _must_be_files(outputs)
    if others.get("download") and testset is None and not _names_a_published_model():
        raise click.UsageError("--download needs --testset, or a --metric with a published model")
    if _is_name(testset) and not (references or source or others.get("documents")):
        return _of_named_set(StudyFiles(outputs=outputs, testset=testset), others)
    if testset is not None and (references or source):
        raise click.UsageError("give either --testset, or --reference and output files")
    if testset is not None:
        outputs, others = (), {**others, "added": outputs}
    if testset is not None and (others.get("documents") or others.get("skip_empty_references")):
        raise click.UsageError(
            "--documents and --skip-empty-references are for text files; a --testset has its own"
        )
    unread = ("download", "pairs", "needs_people")
    named = {key: value for key, value in others.items() if key not in unread}
    return StudyFiles(
        outputs=outputs, references=references, source=source, testset=testset, **named
    )


def _must_be_files(outputs: Sequence[str]) -> None:
    """Raise where a metric stands among the output files, as it may after sacreBLEU's -m."""
    for name in outputs:
        if name.isalnum() and not Path(name).exists():
            from rankwise.metrics import METRICS

            if name in METRICS:
                raise click.UsageError(f"there is no file {name}; of a metric, say -m {name}")


def _names_a_published_model() -> bool:
    """Whether a metric of this command is one whose model may be published."""
    metrics = click.get_current_context().params.get("metrics") or ()
    return any(name.partition(":")[0] in PUBLISHED for name in metrics)


def _is_name(testset: str | None) -> bool:
    """Whether it may be the name of a published test set: short, and without a suffix."""
    if testset is None:
        return False
    from rankwise.io.named_sets.set_list import evalsets, named_sets

    plain = testset.removeprefix("sacrebleu:").removeprefix("mtme:")
    return plain != testset or plain in named_sets() or plain in evalsets().names


def _of_named_set(files: "StudyFiles", others: dict[str, Any]) -> "StudyFiles":
    """The files that the name of a test set stands for; notes say once which these are."""
    from dataclasses import fields, replace

    from rankwise.cli.common.progress import fetching
    from rankwise.io.named_sets.set_study import with_named_set
    from rankwise.io.study_files import StudyFiles

    names = {field.name for field in fields(StudyFiles)}
    given = {key: value for key, value in others.items() if key in names}
    with fetching("fetching") as progress:
        found, sentences = with_named_set(
            replace(files, **given),
            pairs=others.get("pairs", ()),
            download=others.get("download", False),
            needs_people=others.get("needs_people", False),
            progress=progress,
        )
    for sentence in sentences:
        _note_once(sentence)
    if found.testset is not None and found.outputs:
        return replace(found, outputs=(), added=found.outputs)
    return found


def _note_once(sentence: str) -> None:
    """A note, unless this command has made it already: options are looked at more than once."""
    said = click.get_current_context().meta.setdefault("rankwise.said", set())
    if sentence not in said:
        said.add(sentence)
        note(sentence)


def files_of(options: object, **others: Any) -> "StudyFiles":
    """The files that a record of options names: its fields that are called as those of files."""
    from dataclasses import fields

    from rankwise.io.study_files import StudyFiles

    names = [*(field.name for field in fields(StudyFiles)), "download", "pairs"]
    named = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return study_files(**(named | others))


def must_have_texts(files: "StudyFiles", metrics: Sequence[str] = USUAL_METRICS) -> None:
    """Raise a usage error unless there is something to score, by what *metrics* need of it."""
    if files.testset is not None or (files.references and files.outputs):
        return
    wanted = "give --reference and output files, or --testset"
    if not files.outputs:
        raise click.UsageError(wanted)
    if needing := _needing_references(metrics or USUAL_METRICS):
        raise click.UsageError(f"{wanted}: {needing} needs references")


def _needing_references(names: Sequence[str]) -> str:
    """The first of the metrics that needs references; nothing where none does."""
    from rankwise.metrics import metric

    return next((name for name in names if metric(name).needs.references), "")


def open_texts(files: "StudyFiles", metrics: Sequence[str] = USUAL_METRICS) -> "TextBlocks":
    """The texts to score, block by block; notes say what was chosen of them."""
    from rankwise.io.study_texts import text_blocks

    must_have_texts(files, metrics)
    texts = text_blocks(files)
    for sentence in texts.notes:
        note(sentence)
    return texts


def load_metrics(names: Sequence[str], language: "Language | None" = None) -> "list[Metric]":
    """The metrics that were asked for, each once; a note says what the language decided."""
    from rankwise.metrics import language_notes, metrics_of

    found = list(dict.fromkeys(metrics_of(in_batches(names), language)))
    if language is not None:
        for sentence in language_notes(list(dict.fromkeys(names)), language):
            note(sentence)
    return found
