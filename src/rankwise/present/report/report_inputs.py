"""What a report is made from: any of texts, scores of metrics, human scores, human rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.ranking.human_ranking import Ranker
from rankwise.evaluate.scoreboard import Resampling
from rankwise.metrics import Metric
from rankwise.types import Assessments, Judgments, ScoreTable, TestSet


@dataclass(frozen=True, slots=True, eq=False)
class ReportInputs:
    """Any of these may be absent, but not all.

    ``scores`` are of other tools, by name; ``human`` is what people gave to segments, and
    ``assessments`` the single values behind it where they are known. Higher human scores are
    better.
    """

    testset: TestSet | None = None
    metrics: Sequence[Metric] = ()
    scores: Mapping[str, ScoreTable] = field(default_factory=dict)
    human: ScoreTable | None = None
    assessments: Assessments | None = None
    judgments: Judgments | None = None
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        if self.testset is None and not self.scores and self.human is None and not self.judgments:
            raise DataError("there is nothing to report on; give texts, scores or judgments")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How it is computed and how much of it is shown.

    ``draws`` is for the test between metrics, which takes the most time by far, and for the
    intervals of their agreement with human scores; 0 for neither.
    """

    resampling: Resampling = field(default_factory=Resampling)
    ranker: Ranker = field(default_factory=Ranker)
    draws: int = 200
    segments: int = 300
    title: str = ""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: what it holds, its name, and the SHA-256 of its bytes if it is one."""

    kind: str
    name: str
    digest: str = ""


def aligned_scores(
    name: str, table: ScoreTable, systems: Sequence[str], segments: Sequence[str]
) -> tuple[ScoreTable, list[str]]:
    """*table* over the given systems and segments, and in sentences what is left out or missing.

    A system without any score, a table of whole systems, or no segment in common is an error.

    >>> table = ScoreTable(("B", "A"), ("2", "1"), np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> aligned_scores("COMET", table, ["A"], ["1", "2"])[0].values
    array([[4., 3.]])
    """
    _must_be_segments(name, table)
    places = {system: row for row, system in enumerate(table.systems)}
    lacking = next((system for system in systems if system not in places), None)
    if lacking is not None:
        raise DataError(
            f"scores {name!r} have no system {lacking!r}; they have {', '.join(table.systems)}"
        )
    columns = _columns(name, table, segments)
    values = table.values[[places[system] for system in systems]][:, columns]
    values = np.where(columns < 0, np.nan, values)
    notes = []
    ignored = len(table.systems) - len(systems)
    if ignored:
        notes.append(f"{name}: {ignored} systems that the report does not know are left out")
    missing = int(np.isnan(values).sum())
    if missing:
        notes.append(f"{name}: {missing} of {values.size} scores are missing")
    found = replace(table, systems=tuple(systems), segments=tuple(segments), values=values)
    return found, notes


def judged_scores(
    name: str, table: ScoreTable, systems: Sequence[str], segments: Sequence[str]
) -> tuple[ScoreTable, list[str]]:
    """Human scores over the systems that have any, in the order of *systems*."""
    _must_be_segments(name, table)
    has_scores = {
        system: not bool(np.isnan(row).all())
        for system, row in zip(table.systems, table.values, strict=True)
    }
    judged = [system for system in systems if has_scores.get(system, False)]
    if not judged:
        raise DataError(
            f"human scores {name!r} are of none of the systems {', '.join(systems)}; "
            f"they are of {', '.join(table.systems)}"
        )
    found, notes = aligned_scores(name, table, judged, segments)
    if len(judged) < len(systems):
        others = ", ".join(system for system in systems if system not in judged)
        notes.append(f"{name}: no human score of {others}")
    return found, notes


def _must_be_segments(name: str, table: ScoreTable) -> None:
    if table.level != "segment":
        raise DataError(f"scores {name!r} are of {table.level}s; expected scores of segments")


def _columns(name: str, table: ScoreTable, segments: Sequence[str]) -> np.ndarray:
    places = {segment: column for column, segment in enumerate(table.segments)}
    columns = np.array([places.get(segment, -1) for segment in segments], np.intp)
    if (columns < 0).all():
        raise DataError(
            f"scores {name!r} have no segment of the report; found "
            f"{', '.join(map(repr, table.segments[:1])) or 'none'}, expected "
            f"{', '.join(map(repr, segments[:1]))} and so on"
        )
    return columns
