"""Tables of segment scores from other tools, made ready for the same tests as metrics."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.odd.odd_systems import some_of
from rankwise.evaluate.system_scores import Scored, SystemScores
from rankwise.significance import MeanScore
from rankwise.types import ScoreTable


def scored_tables(
    tables: Mapping[str, ScoreTable],
    *,
    errors: Collection[str] = (),
    labels: dict[str, list[str]] | None = None,
) -> Scored:
    """Named tables over the same systems and segments as results; the score is the mean.

    Of those that *errors* names less is better.

    Systems are matched by name, segments by name and order. A table of whole systems has nothing
    to resample and is an error. There are no references: the number of them is 0.

    >>> table = ScoreTable(("A", "B"), ("1", "2"), np.array([[0.5, 1.0], [0.25, 0.25]]))
    >>> scored_tables({"COMET": table}).results[0].corpus
    array([0.75, 0.25])
    """
    first_name, first = next(iter(tables.items()))
    for name, table in tables.items():
        if table.level == "system":
            raise DataError(f"scores {name!r} are of whole systems; expected scores of segments")
        if table.segments != first.segments:
            raise DataError(
                f"scores {name!r} are of other segments ({len(table.segments)}) than those of "
                f"{first_name!r} ({len(first.segments)}); expected the same"
            )
        _must_have_systems(first_name, first, name, table)
    results = []
    for name, table in tables.items():
        metric = GivenScores(name not in errors, label=name)
        rows = MeanScore.rows(table)
        in_order = {system: rows[system] for system in first.systems}
        results.append(SystemScores(metric, in_order, table.segments))
    return Scored(tuple(results), len(first.segments), 0, 0, labels or {})


def _must_have_systems(first_name: str, first: ScoreTable, name: str, table: ScoreTable) -> None:
    odd = sorted(set(first.systems) ^ set(table.systems))
    if odd:
        has, lacks = (first_name, name) if odd[0] in first.systems else (name, first_name)
        raise DataError(
            f"scores {has!r} have system {odd[0]!r}, but {lacks!r} do not; expected the same "
            "systems in all"
        )


def aligned_scores(
    name: str, table: ScoreTable, systems: Sequence[str], segments: Sequence[str]
) -> tuple[ScoreTable, list[str]]:
    """*table* over the given systems and segments, and in sentences what is left out or missing.

    A system without any score, a table of whole systems, or no segment in common is an error, and
    so is another number of segments where the table knows them by their place alone.

    >>> table = ScoreTable(("B", "A"), ("2", "1"), np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> aligned_scores("COMET", table, ["A"], ["1", "2"])[0].values
    array([[4., 3.]])
    """
    _must_be_segments(name, table)
    lacking = next((system for system in systems if system not in table.systems), None)
    if lacking is not None:
        raise DataError(
            f"scores {name!r} have no system {lacking!r}; they have {', '.join(table.systems)}"
        )
    table = replace(table, name=name).by_place(segments)
    values = table.over(systems, segments)
    notes = []
    others = [system for system in table.systems if system not in systems]
    for what, ignored, listed in (
        ("system", len(others), f": {some_of(others)}"),
        ("segment", len({*table.segments} - {*segments}), ""),
    ):
        if ignored:
            found = f"1 {what} is" if ignored == 1 else f"{ignored} {what}s are"
            notes.append(f"{name}: {found} nowhere else, and left out{listed}")
    aligned = replace(table, systems=tuple(systems), segments=tuple(segments), values=values)
    return aligned, notes + missing_scores(name, aligned)


def missing_scores(name: str, table: ScoreTable) -> list[str]:
    """How many scores *table* lacks, in a sentence; none where it has all.

    >>> missing_scores("GEMBA", ScoreTable(("A",), ("1", "2"), np.array([[1.0, float("nan")]])))
    ['GEMBA: 1 of 2 scores are missing']
    """
    missing = int(np.isnan(table.values).sum())
    return [f"{name}: {missing} of {table.values.size} scores are missing"] if missing else []


def judged_scores(
    name: str, table: ScoreTable, systems: Sequence[str], segments: Sequence[str]
) -> tuple[ScoreTable, list[str]]:
    """Human scores over the systems that have any, in the order of *systems*."""
    _must_be_segments(name, table)
    scored = table.scored
    judged = [system for system in systems if system in scored]
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
