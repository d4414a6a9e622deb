"""The texts of a test set as judges see them: which outputs of a segment look the same."""

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.types import Segment, TestSet

Codes = NDArray[np.int32]


def look(text: str) -> str:
    """What tells two texts apart on a page: composed characters, and no difference in spaces.

    >>> look(" a  cafe\u0301 ") == look("a café")
    True
    """
    return unicodedata.normalize("NFC", " ".join(text.split()))


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """``codes[segment, system]`` numbers the distinct texts of a segment; -1 is no output.

    The number is that of the first system with this text. ``testset`` has these numbers for texts:
    it is small, and its outputs are equal where they look the same.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    codes: Codes
    place: dict[str, int]
    number: dict[str, int]
    testset: TestSet

    def groups(self, segment: int) -> dict[int, list[int]]:
        """The systems of every distinct text of a segment, by the number of the first of them."""
        found: dict[int, list[int]] = {}
        for system, code in enumerate(self.codes[segment].tolist()):
            if code >= 0:
                found.setdefault(code, []).append(system)
        return found

    def distinct(self, systems: list[int]) -> NDArray[np.int64]:
        """How many distinct texts some systems have, for every segment."""
        codes = np.sort(self.codes[:, systems], axis=1)
        fresh = np.diff(codes, axis=1, prepend=-1) > 0
        return np.asarray(fresh.sum(axis=1), np.int64)


def looks(testset: TestSet) -> Looks:
    """The looks of a test set; those of the last few are kept, because finding them takes long."""
    kept = _KEPT.get(id(testset))
    if kept is None or kept[0] is not testset:
        kept = _KEPT[id(testset)] = (testset, _looks(testset))
        for key in list(_KEPT)[:-_MOST_KEPT]:
            _KEPT.pop(key, None)
    return kept[1]


def _looks(testset: TestSet) -> Looks:
    systems = testset.systems
    codes = np.full((len(testset), len(systems)), -1, np.int32)
    for place, row in enumerate(zip(*testset.outputs.values(), strict=True)):
        first: dict[str, int] = {}
        codes[place] = [
            -1 if text is None else first.setdefault(look(text), number)
            for number, text in enumerate(row)
        ]
    segments = tuple(segment.id for segment in testset.segments)
    return Looks(
        systems,
        segments,
        codes,
        {name: place for place, name in enumerate(segments)},
        {name: number for number, name in enumerate(systems)},
        _numbered(testset, codes),
    )


def _numbered(testset: TestSet, codes: Codes) -> TestSet:
    columns = zip(testset.systems, codes.T.tolist(), strict=True)
    outputs = {
        name: tuple(None if code < 0 else str(code) for code in column) for name, column in columns
    }
    return TestSet(tuple(Segment(segment.id, "") for segment in testset.segments), outputs)


# By identity: a test set never changes, and comparing 90,000 texts would cost more than it saves.
_KEPT: dict[int, tuple[TestSet, Looks]] = {}
_MOST_KEPT = 8
