"""Judgments in parts, each ranked by itself: language pairs, and groups within them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Judgments
from rankwise.types.judging.language_pairs import pair_name


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some of the judgments, and what they have in common: name and value, such as judge and ann.

    >>> Part({"language pair": "fr-en", "judge": "ann"}, Judgments.from_rankings([])).title
    'fr-en, judge ann'
    """

    labels: dict[str, str]
    judgments: Judgments

    def __len__(self) -> int:
        return len(self.judgments)

    @property
    def name(self) -> str:
        """The labels in words; without any, the language pair."""
        return self.title or self.language_pair

    @property
    def language_pair(self) -> str:
        """The language pair of the judgments; empty if they do not say."""
        codes = self.judgments.language[:1].tolist()
        return pair_name(self.judgments.languages[codes[0]]) if codes else ""

    @property
    def title(self) -> str:
        """The labels in words."""
        return in_words(self.labels)


def in_words(labels: Mapping[str, str]) -> str:
    """Labels of a part of the judgments, to be read.

    >>> in_words({"language pair": "en-de", "judge": "ann"})
    'en-de, judge ann'
    """
    words = (
        value if name == "language pair" else f"{name} {value}" for name, value in labels.items()
    )
    return ", ".join(words)


def parts(judgments: Judgments, *, by: str | None = None) -> list[Part]:
    """One part per language pair and, if told, per judge, segment, document or further column.

    Language pairs are a label only where there are several. *by* is ``judge``, ``segment``, or a
    column of ``info`` (``document`` finds ``documentId`` too). Parts come in the order in which
    they first occur; rankings without a value in the column are in none.
    """
    several = len(np.unique(judgments.language)) > 1
    found = []
    for code in _in_order(judgments.language):
        pair = judgments.select(judgments.language == code)
        labels = {"language pair": pair_name(pair.languages[code]) or "-"} if several else {}
        if by is None:
            found.append(Part(labels, pair))
        else:
            found += [Part(labels | {by: name}, part) for name, part in _groups(pair, by)]
    return found


def _groups(judgments: Judgments, by: str) -> Iterator[tuple[str, Judgments]]:
    names, codes = _column(judgments, by)
    for code in _in_order(codes):
        if code >= 0:
            yield names[code], judgments.select(codes == code)


def _column(judgments: Judgments, by: str) -> tuple[Sequence[str], NDArray[np.int64]]:
    """Values and their numbers per ranking, -1 where there is none."""
    if by == "judge":
        return judgments.judges, judgments.judge.astype(np.int64)
    if by == "segment":
        return judgments.segments, judgments.segment.astype(np.int64)
    known = {name.lower(): name for name in judgments.info}
    name = known.get(by.lower(), known.get(f"{by.lower()}id"))
    if name is None:
        choices = ", ".join(["judge", "segment", *judgments.info])
        raise DataError(f"the judgments have no column {by!r}; choose from {choices}")
    numbers: dict[str, int] = {}
    cells = [None if cell is None or cell != cell else cell for cell in judgments.info[name]]
    written = [f"{cell:g}" if isinstance(cell, float) else cell for cell in cells]
    codes = [-1 if cell is None else numbers.setdefault(cell, len(numbers)) for cell in written]
    return list(numbers), np.array(codes, np.int64)


def _in_order(codes: NDArray[np.integer[Any]]) -> list[int]:
    """The numbers that occur, by first occurrence."""
    numbers, first = np.unique(codes, return_index=True)
    return [int(number) for number in numbers[np.argsort(first)]]
