"""``rankwise compare``: two systems, how far apart, where, and in which words."""

from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.output import FOR_PROGRAMS, echo, note, print_tables, table_format
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.cli.compare.compare_options import CompareArguments, compare_options

if TYPE_CHECKING:
    from rankwise.evaluate.comparing.two_systems import TwoSystems
    from rankwise.present.tables import Table
    from rankwise.types import Study


#: The options that only ``--help-all`` shows.
RARE = (
    "--download",
    "--reference-set",
    "--human-systems",
    "--documents",
    "--lower-is-better",
    "--resample-by",
    "--resamples",
    "--seed",
    "--test",
    "--counts",
    "--batch-size",
    "--no-cache",
    "--ngrams",
    "--sort",
    "--title",
)
#: What is printed unless something is chosen, and how many segments for people and for programs.
USUAL = ("differences", "words", "ngrams", "segments")
FOR_PEOPLE, FOR_TABLES = 5, 1000


@click.command(cls=BriefCommand, rare=RARE)
@compare_options
def compare(**given: Any) -> None:
    """Compare systems A and B: how far apart, how surely, where, and in which words.

    A and B are output files with --reference, names of systems of --scores or of a --testset, or a
    file beside a system of the --testset.
    Every difference is A minus B, with an interval, a paired test and the number of segments that
    would tell the two apart. Then come words by frequency and length, n-grams that one gets and the
    other does not, and the segments that differ most. `-o page.html` writes a page to look through
    the segments. --domain, --document and --words choose what is compared; --difference and --score
    choose what is listed.
    """
    from rankwise.evaluate.comparing.two_systems import compare as compare_systems
    from rankwise.io.study import study_of

    arguments = CompareArguments(**given)
    arguments.check()
    output_format = table_format(arguments.output_format, arguments.output)
    arguments.check_format(output_format)
    with working("reading"):
        study = study_of(arguments.files)
        counts = _counts(arguments)
    for sentence in study.notes:
        note(sentence)
    one, two = _names(arguments, study)
    metrics = _metrics(arguments, study)
    with reporting("comparing (percent)", 100) as progress:
        found = compare_systems(
            study, one, two, metrics,
            where=arguments.where, resampling=arguments.resampling, counts=counts,
            ngrams=arguments.ngrams, progress=progress,
        )  # fmt: skip
    for sentence in found.notes[len(study.notes) :]:
        note(sentence)
    _write(found, arguments, output_format)


def _counts(arguments: CompareArguments) -> "dict[str, int] | None":
    from rankwise.io.parts.word_counts import read_word_counts

    return None if arguments.counts is None else read_word_counts(arguments.counts)


def _names(arguments: CompareArguments, study: "Study") -> tuple[str, str]:
    """The systems that were named, or those of both files."""
    if arguments.testset is not None or not arguments.has_files or study.texts is None:
        return arguments.called
    one, two = study.texts.systems
    return one, two


def _metrics(arguments: CompareArguments, study: "Study") -> Any:
    """Those asked for, with a note about what the language decided; None for the usual ones."""
    from rankwise.cli.common.inputs import load_metrics
    from rankwise.text.languages import target_language_of
    from rankwise.types.defaults import USUAL_METRICS

    if study.texts is None:
        if arguments.metrics:
            raise click.UsageError("-m needs texts: two output files with -r, or --testset")
        return None
    has_references = all(study.texts.references)
    names = arguments.metrics or (USUAL_METRICS if has_references else ())
    metrics = load_metrics(names, target_language_of(study.texts))
    if not has_references and any(metric.needs.references for metric in metrics):
        raise click.UsageError("-m needs a reference of every segment")
    return metrics


def _write(found: "TwoSystems", arguments: CompareArguments, output_format: str) -> None:
    if output_format in ("html", "json"):
        _write_text(_text(found, arguments, output_format), arguments.output)
    else:
        print_tables(_tables(found, arguments, output_format), output_format, arguments.output)
    if output_format != "json":
        from rankwise.present.comparing.compare_tables import comparison_lines

        for line in comparison_lines(found):
            note(line)


def _write_text(text: str, output: str | None) -> None:
    if output is None:
        echo(text.rstrip("\n"))
        return
    from rankwise.io.files import write_text

    with write_text(output) as stream:
        stream.write(text)


def _text(found: "TwoSystems", arguments: CompareArguments, output_format: str) -> str:
    """The page of segments, or the object with everything."""
    from rankwise.present.comparing.compare_tables import whole_object
    from rankwise.present.tables import json_text

    if output_format == "html":
        return _page(found, arguments)
    return json_text(whole_object(found, _places(found, arguments, FOR_TABLES)))


def _places(found: "TwoSystems", arguments: CompareArguments, usual: int) -> list[int]:
    """The segments that are listed, first those that differ most."""
    most = usual if arguments.segments is None else arguments.segments
    return found.segments.listed(arguments.sort, found.where)[:most]


def _tables(found: "TwoSystems", arguments: CompareArguments, output_format: str) -> "list[Table]":
    from rankwise.present.comparing.compare_tables import TABLES_OF_PAIRS, ngram_table

    for_programs = output_format in FOR_PROGRAMS
    places = _places(found, arguments, FOR_TABLES if for_programs else FOR_PEOPLE)

    def table(name: str) -> "Table":
        if name == "segments":
            return TABLES_OF_PAIRS[name](found, places, for_programs=for_programs)
        if name == "ngrams" and not for_programs:
            return ngram_table(found, most=FOR_PEOPLE)
        return TABLES_OF_PAIRS[name](found, for_programs=for_programs)

    chosen = arguments.shown or (("differences",) if for_programs else USUAL)
    tables = [table(name) for name in chosen]
    return [one for one in tables if one.rows or for_programs]


def _page(found: "TwoSystems", arguments: CompareArguments) -> str:
    from rankwise.present.comparing.compare_page import MOST_SEGMENTS, compare_page
    from rankwise.present.page.html_page import html_page

    if arguments.sort is not None:
        found.segments.metric_place(arguments.sort)  # one that is not there is an error
    most = MOST_SEGMENTS if arguments.segments is None else arguments.segments
    title = arguments.title or ""
    return html_page(compare_page(found, title=title, sort=arguments.sort, segments=most))
