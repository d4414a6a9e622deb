"""What was computed, and how to compute it again."""

import platform
from collections.abc import Sequence

import numpy as np

from rankwise import __version__
from rankwise.present.page.html_page import Section
from rankwise.present.report.findings import Findings
from rankwise.present.report.report_making import InputFile
from rankwise.present.score_tables import signature_lines
from rankwise.present.tables import Cell, Column, Table

PROVENANCE = "What was computed"


def provenance_section(findings: Findings, files: Sequence[InputFile], command: str) -> Section:
    """Inputs, signatures with seeds, versions, and the command."""
    tables = []
    if files:
        rows: list[tuple[Cell, ...]] = [
            (file.kind, file.name, file.digest[:16] or None) for file in files
        ]
        columns = [Column("input"), Column("file"), Column("SHA-256 begins")]
        tables.append(Table(columns, rows, title="What was read"))
    tables.append(_numbers(findings))
    lead = "Same files, options and version give the same page, byte by byte."
    commands = [command] if command else []
    return Section(PROVENANCE, lead, tables, commands=commands)


def _numbers(findings: Findings) -> Table:
    """Every signature once."""
    rows: list[tuple[Cell, ...]] = []
    if findings.board is not None:
        rows += [("metrics", line) for line in signature_lines(findings.board)]
        rows += [("metrics", _tests(findings))] if findings.board.standings[0].tests else []
    if findings.human is not None:
        rows += [("human scores", line) for line in signature_lines(findings.human)]
    if findings.ranking is not None:
        rows.append(("human ranking", findings.ranking.board.signature))
    if findings.meta is not None:
        trial = findings.meta.trial
        rows += [("agreement", task.measure.signature) for task in findings.meta.tasks]
        rows.append(("agreement", f"{trial.test} test, {trial.draws} draws, seed {trial.seed}"))
    rows.append(("versions", _versions()))
    columns = [Column("what"), Column("signature")]
    return Table(columns, rows, title="What decides the numbers", notes=findings.notes)


def _tests(findings: Findings) -> str:
    drawn = findings.options.resampling
    count = drawn.draws if drawn.test == "bootstrap" else drawn.shuffles
    return f"paired {drawn.test} of all pairs of systems, {count} draws, seed {drawn.seed}"


def _versions() -> str:
    return f"Rankwise {__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
