"""Which words of a text are not in another, and which of that one are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from rankwise.text.languages import Language
from rankwise.text.tokenise import tokenise

Kind = Literal["same", "added", "missing"]


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
    1988). Two texts without words have no difference.

    >>> [(run.kind, run.text) for run in word_differences("The red cat sat.", "The cat sat down.")]
    [('same', 'The '), ('added', 'red '), ('same', 'cat sat'), ('missing', 'down'), ('same', '.')]
    """
    mine, theirs = (pieces_of(one, language) for one in (text, other))
    words, others = ([word.strip() for word in some] for some in (mine, theirs))
    runs: list[Run] = []
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    for what, start, end, other_start, other_end in matcher.get_opcodes():
        if what == "equal":
            runs.append(Run("same", "".join(mine[start:end])))
            continue
        if end > start:
            runs.append(Run("added", "".join(mine[start:end])))
        if other_end > other_start:
            runs.append(Run("missing", "".join(theirs[other_start:other_end]).strip()))
    return runs


def nearest(text: str, others: Sequence[str], *, language: Language | None = None) -> int:
    """The place of the text among *others* that shares most with *text*; the first of equals.

    >>> nearest("a b c", ["a x y", "a b y"])
    1
    """
    words = [word.strip() for word in pieces_of(text, language)]
    matcher = SequenceMatcher(None, b=words, autojunk=False)
    shares = []
    for other in others:
        matcher.set_seq1([word.strip() for word in pieces_of(other, language)])
        shares.append(matcher.ratio())
    return max(range(len(others)), key=lambda place: shares[place])


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
