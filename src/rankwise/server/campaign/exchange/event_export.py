"""The judgments of all campaigns of an event: a folder of exports, and one long table of all."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import write_text
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.long_table import COLUMNS, long_rows
from rankwise.server.campaign.exchange.spreadsheets import GUARDS, guarded
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import WORK, Keep
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet

#: What stands before the columns of the long table.
OF_CAMPAIGN = ("campaign", "source_language", "target_language")


@dataclass(frozen=True, slots=True)
class EventPart:
    """One campaign of an event, with all its judgments."""

    plan: Plan
    testset: TestSet
    stored: Sequence[StoredJudgment]
    given: GivenSpans


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    """The files written, the table of all first, and how many judgments of each campaign."""

    files: tuple[Path, ...]
    judgments: Mapping[str, int]


def write_event(
    slug: str,
    parts: Iterable[EventPart],
    folder: Path,
    *,
    formats: Sequence[str] = ("long",),
    keep: Keep = WORK,
    spreadsheet: bool = False,
) -> ExportedEvent:
    """Write ``SLUG.csv``, the long table of all campaigns, and each campaign in *formats*.

    Numbers of judgments and screens, and pseudonyms, are those of each campaign: together with the
    column ``campaign`` they name one thing. *spreadsheet* guards the cells of every table.
    """
    table = folder / f"{slug}{'.spreadsheet' if spreadsheet else ''}.csv"
    files, judgments = [table], {}
    with write_text(table) as stream:
        writer = csv.DictWriter(stream, [*OF_CAMPAIGN, *COLUMNS], lineterminator="\r\n")
        writer.writeheader()
        for part in parts:
            plan = part.plan
            of = dict(zip(OF_CAMPAIGN, (plan.slug, *plan.languages), strict=True))
            for row in long_rows(plan, part.stored, keep):
                cells = {**of, **row}
                if spreadsheet:
                    cells = {
                        name: "" if cell is None else guarded(str(cell))
                        for name, cell in cells.items()
                    }
                writer.writerow(cells)
            judgments[plan.slug] = 0
            for format in formats:
                guard = spreadsheet and format in GUARDS
                found = _write(part, folder / plan.slug, format, keep, spreadsheet=guard)
                judgments[plan.slug] = found.judgments
                files += found.files
    return ExportedEvent(tuple(files), judgments)


def _write(
    part: EventPart, folder: Path, format: str, keep: Keep, *, spreadsheet: bool
) -> export.Exported:
    known = [name for name, _ in export.formats(part.plan)]
    if format not in known:
        raise DataError(
            f"campaign {part.plan.slug!r} has no format {format!r}; choose from {', '.join(known)}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / export.file_name(part.plan, format, spreadsheet=spreadsheet)
    return export.write(
        part.plan,
        part.testset,
        part.stored,
        path,
        format=format,
        keep=keep,
        spreadsheet=spreadsheet,
        given=part.given,
    )
