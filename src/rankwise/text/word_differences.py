"""Which words of a text are not in another, and which of that one are missing."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rankwise.text.languages import Language
from rankwise.text.tokenise import tokenise

Kind = Literal["same", "added", "missing"]
#: Pairs of words looked at, at most (about a third of a second); ``pair_view.js`` has it too.
LOOKS = 1_000_000
#: Part of two texts: from where to where of the one, and of the other.
_Part = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring words that both texts share, that only the text has, or that it lacks."""

    kind: Kind
    text: str


def word_differences(text: str, other: str, *, language: Language | None = None) -> list[Run]:
    """*text* in runs: what *other* has too, what it has not, and where words of *other* lack.

    The runs that are not missing spell *text* exactly, white space included. Words are those of
    the tokenizer ``intl``; of Chinese and other languages without spaces, characters. What is
    shared is found by the longest common runs of words, longest first (Ratcliff and Obershelp,
    1988). Two texts without words have no difference. Where that takes more than ``LOOKS``, which
    is so beyond some thousand words, only the two ends of what is left are compared.

    >>> [(run.kind, run.text) for run in word_differences("The red cat sat.", "The cat sat down.")]
    [('same', 'The '), ('added', 'red '), ('same', 'cat sat'), ('missing', 'down'), ('same', '.')]
    """
    mine, theirs = (pieces_of(one, language) for one in (text, other))
    words, others = ([word.strip() for word in some] for some in (mine, theirs))
    runs: list[Run] = []
    place = other_place = 0
    for start, other_start, size in [*common_runs(words, others), (len(words), len(others), 0)]:
        _add(runs, "added", mine[place:start])
        _add(runs, "missing", theirs[other_place:other_start])
        place, other_place = start + size, other_start + size
        _add(runs, "same", mine[start:place])
    return runs


def _add(runs: list[Run], kind: Kind, pieces: Sequence[str]) -> None:
    """Put *pieces* behind the runs; what is the same goes on where the last run was so."""
    if not pieces:
        return
    words = "".join(pieces)
    if kind == "same" and runs and runs[-1].kind == "same":
        words = runs.pop().text + words
    runs.append(Run(kind, words.strip() if kind == "missing" else words))


def nearest(text: str, others: Sequence[str], *, language: Language | None = None) -> int:
    """The place of the text among *others* that shares most with *text*; the first of equals.

    >>> nearest("a b c", ["a x y", "a b y"])
    1
    """
    if len(others) == 1:
        return 0
    words = [word.strip() for word in pieces_of(text, language)]
    shares = []
    for other in others:
        theirs = [word.strip() for word in pieces_of(other, language)]
        matched = sum(size for _, _, size in common_runs(theirs, words))
        total = len(words) + len(theirs)
        shares.append(matched / total if total else 1.0)
    return max(range(len(others)), key=lambda place: shares[place])


def common_runs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    """What two lists of words share, in order: where in the one, where in the other, how many.

    >>> common_runs("the red cat sat".split(), "the cat sat down".split())
    [(0, 0, 1), (2, 1, 2)]
    """
    places = defaultdict(list)
    for place, word in enumerate(other):
        places[word].append(place)
    found: list[tuple[int, int, int]] = []
    looks = LOOKS if one != other else 0  # what is the same has nothing but ends
    parts: list[_Part] = [(0, len(one), 0, len(other))]
    while parts:
        part = parts.pop()
        longest, looks = _longest_run(one, places, part, looks)
        if longest is None:
            found += _ends(one, other, part)
            continue
        start, other_start, size = longest
        if size == 0:
            continue
        found.append(longest)
        low, high, other_low, other_high = part
        if low < start and other_low < other_start:
            parts.append((low, start, other_low, other_start))
        if start + size < high and other_start + size < other_high:
            parts.append((start + size, high, other_start + size, other_high))
    return sorted(found)


def _longest_run(
    one: Sequence[str], places: dict[str, list[int]], part: _Part, looks: int
) -> tuple[tuple[int, int, int] | None, int]:
    """The first of the longest runs in a part, and how many looks are left; none without looks."""
    low, high, other_low, other_high = part
    best = low, other_low, 0
    lengths: dict[int, int] = {}
    for place in range(low, high):
        there = places.get(one[place], [])
        begin, end = bisect_left(there, other_low), bisect_left(there, other_high)
        looks -= 1 + end - begin
        if looks < 0:
            return None, 0
        longer: dict[int, int] = {}
        for other_place in there[begin:end]:
            size = longer[other_place] = lengths.get(other_place - 1, 0) + 1
            if size > best[2]:
                best = place - size + 1, other_place - size + 1, size
        lengths = longer
    return best, looks


def _ends(one: Sequence[str], other: Sequence[str], part: _Part) -> Iterator[tuple[int, int, int]]:
    """What both have at the beginning of a part, and what at its end."""
    low, high, other_low, other_high = part
    most = min(high - low, other_high - other_low)
    head = next((n for n in range(most) if one[low + n] != other[other_low + n]), most)
    most -= head
    tail = next((n for n in range(most) if one[high - 1 - n] != other[other_high - 1 - n]), most)
    if head:
        yield low, other_low, head
    if tail:
        yield high - tail, other_high - tail, tail


def pieces_of(text: str, language: Language | None = None) -> list[str]:
    """The words of *text*, each with the white space after it; together they spell the text."""
    tokens = tokenise([text], tokenizer=reading_tokenizer(language))[0]
    starts, place = [], 0
    for token in tokens:
        found = text.find(token, place)
        if found < 0:  # the tokenizer changed a character: keep it in the word before
            continue
        starts.append(found)
        place = found + len(token)
    if not starts:
        return [text] if text else []
    return [text[a:b] for a, b in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True)]


def reading_tokenizer(language: Language | None) -> str:
    """What splits a text for a reader: characters are read where words are not written apart."""
    if language is None or language.is_spaced:
        return "intl"
    return "zh" if language.tokenizer == "zh" else "char"
