"""A file of names: what a system is called, a tab, and what it is to be called."""

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines


def read_names(path: StrPath) -> dict[str, str]:
    """The new names by the old ones; blank lines are passed over."""
    names: dict[str, str] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        place = f"{name_of(path)}:{number}"
        if len(cells) != 2 or not all(cells):
            raise DataError(f"{place}: found {line[:60]!r}; expected a name, a tab, a new name")
        if cells[0] in names:
            raise DataError(f"{place}: {cells[0]!r} is named a second time; expected one new name")
        names[cells[0]] = cells[1]
    return names
