"""How often words occur in some text, as other tools count them."""

from rankwise.errors import DataError
from rankwise.io.files import StrPath, read_lines


def read_word_counts(path: StrPath) -> dict[str, int]:
    """The counts of a file with a word and a number on every line, in either order.

    They stand apart by a tab or by spaces: ``the 1234``, or ``1234 the`` as ``uniq -c`` writes it.
    A word that occurs twice has the sum; a line of another shape is an error.
    """
    counts: dict[str, int] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        parts = line.split()
        if len(parts) != 2 or not any(map(str.isdecimal, parts)):
            raise DataError(f"{path}:{number}: expected a word and its count, got {line[:60]!r}")
        word, count = parts if parts[1].isdecimal() else reversed(parts)
        counts[word] = counts.get(word, 0) + int(count)
    if not counts:
        raise DataError(f"{path}: there are no counts; expected a word and its count per line")
    return counts
