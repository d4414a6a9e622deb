"""What segments can be grouped by: their documents, their domains, the length of references."""

from collections.abc import Callable, Sequence

from rankwise.errors import DataError
from rankwise.types.text_block import Block, Label

#: Upper ends of the buckets of reference lengths, in words; longer ones share the last bucket.
LENGTHS = (10, 20, 30, 40, 50)


def length_label(entry: str | Sequence[str]) -> str:
    """The bucket of a segment by the words of its (first) reference, split at white space.

    >>> length_label("one two three"), length_label(["word " * 51, "word"])
    ('1-10', '51+')
    """
    words = len((entry if isinstance(entry, str) else entry[0]).split())
    if words == 0:
        return "0"
    low = 1
    for high in LENGTHS:
        if words <= high:
            return f"{low}-{high}"
        low = high + 1
    return f"{low}+"


#: In which order groups by length are shown.
LENGTH_LABELS = ("0", *(length_label("a " * words) for words in (*LENGTHS, LENGTHS[-1] + 1)))

#: Labels of the segments of a block, by the name of what they are grouped by.
GROUPINGS: dict[str, Callable[[Block], Sequence[Label]]] = {
    "document": lambda block: block.documents,
    "domain": lambda block: block.domains,
    "length": lambda block: [length_label(entry) for entry in block.references],
}


def block_labels(block: Block, grouping: str) -> list[str]:
    """The label of every segment of *block*; a segment without one is an error."""
    labels = GROUPINGS[grouping](block) or [None] * len(block)
    found = [label for label in labels if label is not None]
    if len(found) < len(block):
        segment = next(i for i, label in zip(block.ids, labels, strict=True) if label is None)
        raise DataError(f"segment {str(segment)!r} has no {grouping}; expected one for each")
    return found
