"""Systems with the same outputs, and references with the same texts: files that came twice."""

from collections.abc import Sequence
from itertools import combinations
from operator import eq

from rankwise.types.text_block import Block


class TwinTexts:
    """Which systems, and which references, were the same in all blocks so far."""

    def __init__(self) -> None:
        self._systems: list[list[str]] | None = None
        self._references: list[tuple[int, int]] | None = None

    def see(self, block: Block) -> None:
        """Part those that differ somewhere in a block."""
        if self._systems is None:
            self._systems = [list(block.outputs)]
        self._systems = [
            part
            for group in self._systems
            for part in _parted(group, [block.outputs[name] for name in group])
        ]
        count = _references_of(block)
        if self._references is None:
            self._references = list(combinations(range(count), 2))
        self._references = [
            (one, two)
            for one, two in self._references
            if two < count and all(entry[one] == entry[two] for entry in block.references)
        ]

    def sentences(self) -> list[str]:
        """Which systems and which references are the same in every line."""
        found = []
        if self._systems:
            listed = "; ".join(", ".join(group) for group in self._systems)
            found.append(f"systems whose outputs are the same in every line: {listed}")
        if self._references:
            listed = ", ".join(f"{one + 1} and {two + 1}" for one, two in self._references)
            found.append(f"references that are the same in every line: {listed}")
        return found


def _parted(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """The names in groups of equal columns; who equals nobody is in none.

    >>> _parted("abc", [["x", "y"], ["x", "z"], ["x", "y"]])
    [['a', 'c']]
    """
    groups: list[tuple[Sequence[str], list[str]]] = []
    for name, column in zip(names, columns, strict=True):
        alike = next((group for first, group in groups if all(map(eq, first, column))), None)
        if alike is None:
            groups.append((column, [name]))
        else:
            alike.append(name)
    return [group for _, group in groups if len(group) > 1]


def _references_of(block: Block) -> int:
    """How many references every segment of a block has; 1 where that differs."""
    if not len(block) or isinstance(block.references[0], str):
        return 1
    counts = {1 if isinstance(entry, str) else len(entry) for entry in block.references}
    return counts.pop() if len(counts) == 1 else 1
