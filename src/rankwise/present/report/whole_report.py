"""The report: a page as a list of sections, its tables for a paper, and its figures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rankwise import __version__
from rankwise.evaluate.work_done import Work
from rankwise.metrics import Metric
from rankwise.present.page.html_page import Chart, Page, Section
from rankwise.present.report.agreement_section import agreement_section
from rankwise.present.report.findings import Findings, unranked
from rankwise.present.report.findings import findings as all_findings
from rankwise.present.report.group_section import distribution_section, group_sections
from rankwise.present.report.human_section import human_sections
from rankwise.present.report.judge_section import annotator_section, judgment_section
from rankwise.present.report.pair_section import pair_section
from rankwise.present.report.provenance_section import PROVENANCE, provenance_section
from rankwise.present.report.report_making import InputFile, ReportOptions, chosen_metrics
from rankwise.present.report.report_work import report_work
from rankwise.present.report.score_section import score_section
from rankwise.present.report.segment_section import segment_section
from rankwise.present.report.significance_section import significance_section
from rankwise.present.tables import Table, render
from rankwise.types import Leaderboard, Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def report(
    study: Study,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    options: ReportOptions | None = None,
) -> Page:
    """The page about a study: scores, ranking, agreement, segments, whatever it has input for.

    *metrics* are computed from the texts, BLEU, chrF and TER unless named, where there are
    references; what their names leave open follows the target language.
    ``page.save("report.html")`` writes it. It is what ``rankwise report`` writes.
    """
    study, chosen = chosen_metrics(study, metrics)
    return report_page(all_findings(study, chosen, options))


def report_page(
    findings: Findings,
    *,
    files: Sequence[InputFile] = (),
    command: str = "",
    work: Work | None = None,
) -> Page:
    """Every section that the study has values for, and a line about those that it has not.

    *work* is told of its steps, as by the findings.
    """
    work = work or report_work(findings.study, (), findings.options)
    agreement = agreement_section(findings, work.of("intervals"))
    work.finish("intervals")
    segments = segment_section(findings, work.of("segments"))
    work.finish("segments")
    pairs = pair_section(findings)
    work.finish("pairs")
    optional = [
        score_section(findings.board) if findings.board is not None else None,
        *human_sections(findings),
        agreement,
        significance_section(findings),
        judgment_section(findings),
        annotator_section(findings),
        distribution_section(findings),
        *group_sections(findings),
        segments,
        pairs,
        provenance_section(findings, files, command),
    ]
    sections = [section for section in optional if section is not None]
    return Page(_title(findings), _lead(), sections, _tiles(findings), _absent(findings, sections))


def paper_tables(page: Page) -> list[Table]:
    """The tables of the page with the titles and signatures of their sections; no provenance."""
    found = []
    for section in page.sections:
        if section.title == PROVENANCE:
            continue
        for number, table in enumerate(section.tables):
            title = f"{section.title}: {table.title}" if table.title else section.title
            signatures = section.signatures if number == 0 else ()
            found.append(replace(table, title=title, notes=(*table.notes, *signatures)))
    return found


def paper(page: Page, table_format: str) -> str:
    """The tables of the page one after the other, in a format for papers."""
    return "\n".join(render(table, table_format) for table in paper_tables(page))


def drawn_charts(page: Page) -> list[Chart]:
    """The charts of the page that can be drawn for a paper."""
    charts = (chart for section in page.sections for chart in section.charts)
    return [chart for chart in charts if chart.figure is not None]


def figures(page: Page) -> Iterator[tuple[str, "Figure"]]:
    """Every chart of the page drawn for a paper, with a name for its file."""
    taken: set[str] = set()
    for chart in drawn_charts(page):
        assert chart.figure is not None
        stem = re.sub(r"[^\w.+-]+", "-", chart.name).strip("-")
        names = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3))]
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield name, chart.figure()


def _title(findings: Findings) -> str:
    if findings.options.title:
        return findings.options.title
    testset = findings.study.texts
    if testset is None or not testset.name:
        return f"Evaluation of {len(_systems(findings))} systems"
    pair = "-".join(filter(None, (testset.source_language, testset.target_language)))
    return f"Evaluation of {testset.name} {pair}".rstrip()


def _lead() -> str:
    return f"Written by Rankwise {__version__}; everything on this page is in this one file."


def _tiles(findings: Findings) -> list[tuple[str, str]]:
    """The figures to see first: who is best, on how much data."""
    tiles = []
    systems = _systems(findings)
    if systems:
        tiles.append((str(len(systems)), "systems"))
    testset = findings.study.texts
    segments = len(testset) if testset is not None else 0
    if findings.board is not None:
        segments = findings.board.scored.segments
        tiles.append((str(len(findings.results)), "metrics"))
    if segments:
        tiles.insert(1, (f"{segments:,}", "segments"))
    if findings.ranking is not None:
        tiles.append((f"{len(findings.ranking.part.judgments):,}", "human rankings"))
    tiles += [_best(gold.board, gold.name, is_tested=gold.is_tested) for gold in findings.golds]
    if findings.board is not None:
        first = findings.board.standings[0]
        board = first.board or unranked(first.result)
        tiles.append(_best(board, str(first.result.metric), is_tested=first.board is not None))
    return tiles


def _best(board: Leaderboard, name: str, *, is_tested: bool) -> tuple[str, str]:
    """Who may be the best, and by what: the first cluster, or who has the first score."""
    if len(board) < 2:
        return board.systems[0], f"the one system with {name}"
    if is_tested:
        return _one_of(board.systems[: int((board.clusters == 1).sum())]), f"best by {name}"
    count = int((board.scores == board.scores[0]).sum())
    return _one_of(board.systems[:count]), f"first by {name}, not tested"


def _one_of(systems: Sequence[str]) -> str:
    """Systems any of which may be meant: one, two by name, of more the first and how many."""
    if len(systems) > 2:
        return f"{systems[0]} or one of {len(systems) - 1} more"
    return " or ".join(systems)


def _systems(findings: Findings) -> Sequence[str]:
    if findings.results:
        return findings.results[0].systems
    return findings.golds[0].board.systems if findings.golds else ()


def _absent(findings: Findings, sections: Sequence[Section]) -> list[str]:
    """What the page has not, and the input that would add it."""
    titles = {section.title for section in sections}
    found = []
    if findings.board is None:
        found.append("automatic scores (give references and outputs, or --scores)")
    if not findings.golds:
        found.append("human ranking and agreement with people (give --judgments or --human)")
    elif findings.ranking is None:
        found.append("judgments per pair (give --judgments)")
    if "Annotator agreement" not in titles and findings.golds:
        found.append("annotator agreement (give --judgments, or single assessments as --human)")
    found += [
        f"scores by {grouping} (give --documents, or a test set with them)"
        for grouping in ("domain", "document")
        if findings.board is not None and grouping not in findings.board.scored.labels
    ]
    if findings.study.texts is None:
        found.append("texts (give --testset, or outputs)")
    return found
