"""Texts that stand a line too early or too late beside the others, as after a heading or a loss.

A translation is about as long as its reference, and shares pieces of words with it. Where lines in
a row are much closer in both to the references of their neighbours than to their own, they are
shifted. Nothing here changes a number.
"""

from collections.abc import Iterator, Sequence
from operator import sub

from rankwise.evaluate.odd.odd_systems import some_of
from rankwise.types.text_block import Block, first_reference

#: How many windows of a block are looked at, and how many lines a window has.
WINDOWS, WINDOW = 4, 60
#: Lines that a window must have: in 10 or 20, chance looked like a shift in 1 of 20,000.
LEAST = 30
#: How far apart lengths must be, as a share of them all; of shifted outputs none was under .3.
APART = 0.25
#: How many times as far apart lengths must be in place as shifted.
FURTHER, FURTHER_BY_LENGTH = 1.3, 1.5
#: How many times as many pieces must be shared with neighbours' references, and how many at least.
CLOSER, SHARED = 1.5, 20
#: How many characters a piece has.
PIECE = 3
#: Of the lines before, at and after a text's own, those that a shifted text belongs to.
DIRECTIONS = {0: "a line late", 2: "a line early"}


class ShiftedLines:
    """Which texts stand a line too early or too late, and from which segment on."""

    def __init__(self) -> None:
        self._outputs: dict[str, str] = {}
        self._sources: str | None = None
        self._blocks = 0

    def see(self, block: Block) -> None:
        """Look at some windows of a block."""
        for first in _starts(len(block)):
            lines = slice(first, first + WINDOW)
            where = f" from about segment {block.ids[first]} on" if first or self._blocks else ""
            references = [first_reference(entry) for entry in block.references[lines]]
            sources = block.sources[lines]
            by_length = not any(references)
            if not by_length and any(sources):
                found = _shift(sources, _Others(references, by_length=True))
                self._sources = self._sources or (found and f"{found}{where}")
            beside = _Others(sources if by_length else references, by_length=by_length)
            if any(beside.texts):
                for name, texts in block.outputs.items():
                    if (found := _shift(texts[lines], beside)) is not None:
                        self._outputs.setdefault(name, f"{found}{where}")
        self._blocks += 1

    def sentences(self) -> Iterator[str]:
        """What seems to be shifted; nothing where all stands in its place."""
        if self._outputs:
            listed = some_of([f"{name} ({shift})" for name, shift in self._outputs.items()])
            yield f"outputs seem to be shifted: {listed}"
        if self._sources is not None:
            yield f"the sources seem to be shifted: {self._sources}"


def _starts(count: int) -> list[int]:
    """Where the windows of a block begin, spread evenly from its first line to its last.

    >>> _starts(29), _starts(59), _starts(997), _starts(10_000)
    ([], [0], [0, 312, 624, 937], [0, 3313, 6626, 9940])
    """
    if count < LEAST:
        return []
    last, windows = max(count - WINDOW, 0), min(WINDOWS, max(count // WINDOW, 1))
    return [last * window // max(windows - 1, 1) for window in range(windows)]


def _shift(texts: Sequence[str], others: "_Others") -> str | None:
    """Whether texts belong to the line before (late) or after (early); None in their place."""
    mine = list(map(len, texts[1:-1]))
    in_place = others.apart(mine, 1)
    if len(texts) < LEAST or in_place < APART * sum(mine):
        return None
    apart = {place: others.apart(mine, place) for place in DIRECTIONS}
    place = min(apart, key=apart.__getitem__)
    if in_place < (FURTHER_BY_LENGTH if others.by_length else FURTHER) * apart[place]:
        return None
    if not others.by_length:
        own, shifted = (_shared(texts[1:-1], others.texts[at:]) for at in (1, place))
        if shifted < max(SHARED, CLOSER * own):
            return None
    return DIRECTIONS[place]


class _Others:
    """The lines of a window that texts are compared with."""

    def __init__(self, texts: Sequence[str], *, by_length: bool) -> None:
        self.texts, self.by_length = texts, by_length
        self._lengths = list(map(len, texts))

    def apart(self, lengths: Sequence[int], place: int) -> float:
        """How far lengths are from those of the lines from *place* on, summed.

        Lengths of another language count in proportion.
        """
        theirs: Sequence[float] = self._lengths[place : place + len(lengths)]
        if self.by_length:
            share = sum(lengths) / max(sum(theirs), 1)
            theirs = [length * share for length in theirs]
        return float(sum(map(abs, map(sub, lengths, theirs))))


def _shared(texts: Sequence[str], others: Sequence[str]) -> int:
    """How many pieces of words lines have in common, as far as there are texts."""
    return sum(
        len(_pieces(text) & _pieces(other)) for text, other in zip(texts, others, strict=False)
    )


def _pieces(text: str) -> set[str]:
    return {text[start : start + PIECE] for start in range(len(text) - PIECE + 1)}
