"""Which part of a file to read, where it holds several: language pairs, kinds, metrics."""

from collections.abc import Iterable, Mapping

from rankwise.errors import PartError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import counted, joined


def choose(
    path: StrPath, option: str, wanted: str | None, found: Iterable[str] | Mapping[str, int]
) -> str:
    """The one value of *option* to read: the wanted one, or the only one there is.

    *found* are the values in the file, of which any may occur again, or the rows of each.
    """
    values = dict.fromkeys(found)
    if wanted is None and len(values) == 1:
        return next(iter(values))
    if wanted is not None and wanted in values:
        return wanted
    counts = found if isinstance(found, Mapping) else {}
    rows = {name: f" ({counted(count, 'row')})" for name, count in counts.items()}
    listed = joined(name + rows.get(name, "") for name in values)
    problem = "there are several" if wanted is None else f"there is no {wanted!r}"
    choice = f"choose from {listed}" if listed else "the file names none"
    message = f"{name_of(path)}: option {option!r}: {problem}; {choice}"
    raise PartError(message, name_of(path), option, next(iter(values), ""))
