"""``rankwise report``: one HTML page about a test set, its tables and its figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.batch_options import in_batches
from rankwise.cli.common.output import format_of, note
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.cli.report.report_options import ReportArguments, report_options

if TYPE_CHECKING:
    from rankwise.present.page.html_page import Page
    from rankwise.present.report.report_making import ReportOptions


#: The options that only ``--help-all`` shows.
RARE = (
    "--download",
    "--reference-set",
    "--human-systems",
    "--names",
    "--recipe",
    "--runs",
    "--rank-seed",
    "--resample-by",
    "--draws",
    "--batch-size",
    "--no-cache",
    "--segments",
    "--title",
)


@click.command(cls=BriefCommand, rare=RARE)
@report_options
def report(**typed: Any) -> None:
    """Write one self-contained HTML page about OUTPUTS: scores, ranking, agreement, segments.

    Every input is optional, but one: texts (OUTPUTS with --reference, or --testset), --scores of
    other metrics, --human scores and human rankings (--judgments). The page opens from disk and
    says how to make it again. With --format markdown or latex the tables are written for a paper,
    with --figures every figure as PNG, SVG and PDF.
    """
    from rankwise.cli.report.report_files import command_line, input_files
    from rankwise.io.study import study_of
    from rankwise.present.report.findings import findings
    from rankwise.present.report.report_making import chosen_metrics
    from rankwise.present.report.report_work import report_work
    from rankwise.present.report.whole_report import report_page

    arguments = ReportArguments(**typed)
    arguments.check()
    with working("reading"):
        given = study_of(arguments.files)
        if given.texts is None and arguments.metrics:
            raise click.UsageError("-m needs texts: output files with --reference, or --testset")
        study, metrics = chosen_metrics(given, in_batches(arguments.metrics) or None)
        files = input_files(arguments)
    for sentence in study.notes[len(given.notes) :]:
        note(sentence)
    options = _options(arguments)
    with reporting("evaluating (percent)", 100) as progress:
        work = report_work(study, metrics, options, progress)
        found = findings(study, metrics, options, work)
        page = report_page(found, files=files, command=command_line(arguments), work=work)
    _write_page(page, arguments)
    if arguments.figures is not None:
        count = _write_figures(page, Path(arguments.figures))
        note(f"figures: {count} in {arguments.figures}")


def _options(arguments: ReportArguments) -> "ReportOptions":
    from rankwise.evaluate.scoreboard import Resampling
    from rankwise.present.report.report_making import ReportOptions

    return ReportOptions(
        resampling=Resampling(
            samples=arguments.resamples,
            seed=arguments.seed,
            test=arguments.test,
            unit=arguments.resample_by,
        ),
        ranker=arguments.ranker,
        draws=arguments.draws,
        segments=arguments.segments,
        title=arguments.title or "",
    )


def _write_page(page: "Page", arguments: ReportArguments) -> None:
    from rankwise.io.files import target_name, write_text
    from rankwise.present.page.html_page import html_page
    from rankwise.present.report.whole_report import paper

    papers = {".md": "markdown", ".tex": "latex"}
    form = format_of(arguments.output_format, arguments.output, papers, default="html")
    is_page = form == "html"
    text = html_page(page) if is_page else paper(page, form)
    with write_text(arguments.output) as stream:
        stream.write(text)
    note(f"{'report' if is_page else 'tables'}: {target_name(arguments.output)}")


def _write_figures(page: "Page", folder: Path) -> int:
    """Each figure in three formats; all are drawn before the first is written."""
    from rankwise.errors import StoreError
    from rankwise.io.files import write_bytes

    drawn = _drawn_figures(page)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written: {error.strerror or error}") from error
    for name, content in drawn:
        with write_bytes(folder / name) as stream:
            stream.write(content)
    return len({Path(name).stem for name, _ in drawn})


def _drawn_figures(page: "Page") -> list[tuple[str, bytes]]:
    """The names and contents of the files of all figures."""
    from rankwise.present.figures.figure_canvas import FORMATS, rendered
    from rankwise.present.report.whole_report import drawn_charts, figures

    drawn = []
    with reporting("drawing figures", len(drawn_charts(page))) as progress:
        for name, figure in figures(page):
            drawn += [(f"{name}.{suffix}", rendered(figure, suffix)) for suffix in FORMATS]
            if progress is not None:
                progress(1)
    return drawn
