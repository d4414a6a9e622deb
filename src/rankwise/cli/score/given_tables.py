"""``rankwise score --scores``: tables of segment scores that other tools or people gave."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankwise.cli.common.output import note

if TYPE_CHECKING:
    from rankwise.evaluate.system_scores import Scored
    from rankwise.types import ScoreTable


def read_score_tables(
    paths: Sequence[str],
    *,
    excluded: Sequence[str] = (),
    higher_is_better: bool = True,
    documents: str | None = None,
) -> "Scored":
    """The scores of all files, ready to be compared."""
    from rankwise.evaluate.outside_tables import scored_tables
    from rankwise.types.text_block import must_be_there

    labels = {} if documents is None else {"document": _documents(documents)}
    tables = named_tables(paths)
    must_be_there(excluded, *(table.systems for table in tables.values()))
    tables = {name: table.without(excluded) for name, table in tables.items()}
    return scored_tables(tables, higher_is_better=higher_is_better, labels=labels)


def named_tables(paths: Sequence[str]) -> "dict[str, ScoreTable]":
    """Tables by name; files of plain numbers are of one system each, other files of a metric."""
    from rankwise.evaluate.outside_tables import merged
    from rankwise.io import read_scores
    from rankwise.io.files import must_differ, stem_of
    from rankwise.io.formats.scores import number_lines
    from rankwise.io.sniffing import read_head

    must_differ(paths)
    of_systems: list[ScoreTable] = []
    tables: dict[str, ScoreTable] = {}
    for path in paths:
        is_plain = number_lines.sniff(read_head(path))
        table = read_scores(path)
        for sentence in table.notes:
            note(f"{path}: {sentence}")
        if is_plain:
            of_systems.append(table)
        else:
            tables[_free_name(table.name or stem_of(path), tables)] = table
    if of_systems:
        tables[_free_name("score", tables)] = merged(of_systems)
    return tables


def _free_name(name: str, taken: "dict[str, ScoreTable]") -> str:
    """*name*, with a number when it is taken."""
    numbered = [name, *(f"{name} {number}" for number in range(2, len(taken) + 2))]
    return next(choice for choice in numbered if choice not in taken)


def _documents(path: str) -> list[str]:
    from rankwise.io.parts.line_text import all_lines
    from rankwise.io.parts.place_lines import place_of

    return [place_of(line).document for line in all_lines(path)]
