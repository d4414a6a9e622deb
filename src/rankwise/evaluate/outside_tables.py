"""Tables of segment scores from other tools, made ready for the same tests as metrics."""

from collections.abc import Mapping, Sequence

import numpy as np

from rankwise.errors import DataError
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.system_scores import Scored, SystemScores
from rankwise.significance import MeanScore
from rankwise.types import ScoreTable


def scored_tables(
    tables: Mapping[str, ScoreTable],
    *,
    higher_is_better: bool = True,
    labels: dict[str, list[str]] | None = None,
) -> Scored:
    """Named tables over the same systems and segments as results; the score is the mean.

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
        metric = GivenScores(higher_is_better, label=name)
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


def merged(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Tables of different systems over the same segments as one.

    >>> one, two = (ScoreTable((n,), ("1",), np.array([[0.5]])) for n in "AB")
    >>> merged([one, two]).systems
    ('A', 'B')
    """
    first = tables[0]
    for table in tables:
        if table.segments != first.segments:
            raise DataError(
                f"there are {len(table.segments)} scores of {', '.join(table.systems)}, but "
                f"{len(first.segments)} of {', '.join(first.systems)}; expected the same segments"
            )
    systems = tuple(system for table in tables for system in table.systems)
    values = np.concatenate([table.values for table in tables])
    return ScoreTable(systems, first.segments, values, first.name, first.level)
