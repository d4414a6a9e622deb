"""Screens that were asked: the TSV that ``rankwise next`` prints."""

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines
from rankwise.types.judging.screen import Screen


def read_screens(path: StrPath) -> list[Screen]:
    """A screen for each row: its number, its segment, its systems in the order shown."""
    rows = [(number, line.split("\t")) for number, line in read_lines(path)]
    if not rows or rows[0][1][:3] != ["screen", "segment", "system1"]:
        raise DataError(
            f"{name_of(path)}:1: expected the columns screen, segment, system1, system2, ..."
        )
    for number, row in rows[1:]:
        if len(row) < 4:
            raise DataError(
                f"{name_of(path)}:{number}: a screen of {len(row) - 2} systems; expected 2 or more"
            )
    return [Screen(tuple(row[2:]), row[1] or None) for _, row in rows[1:]]
