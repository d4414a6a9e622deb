"""Synonyms of English words by WordNet: two words are synonyms when they share a synset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Endings and what replaces them, in the order METEOR tries them: nouns, verbs, adjectives.
_RULES = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("men", "man"), ("ies", "y")),
    *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
    *(("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)

_SYNSETS_PER_PART = 10**8  # synsets are named by eight digits


@dataclass(frozen=True)
class Synonyms:
    """Synsets of words and of their base forms.

    ``parts`` has a table per part of speech: a lemma, and a line of WordNet whose eight-digit
    fields are the lemma's synsets. Lines are taken apart when they are needed: a table has 100,000
    of them, a text uses a few thousand. ``bases`` has the base forms of irregular forms.
    """

    parts: Sequence[Mapping[str, str]]
    bases: Mapping[str, Sequence[str]]

    def synsets(self, word: str) -> frozenset[int]:
        """The synsets of *word* and of its base forms; none for a word WordNet does not know.

        The base forms are the listed ones of an irregular form, or the first regular one that
        WordNet knows.

        >>> words = Synonyms([{"car": "00000001 00000002", "auto": "00000001"}], {})
        >>> words.synsets("cars") & words.synsets("auto")
        frozenset({1})
        """
        forms = (word, *(self.bases.get(word) or self._regular_base(word)))
        return frozenset(
            part * _SYNSETS_PER_PART + int(field)
            for part, lines in enumerate(self.parts)
            for form in forms
            for field in lines.get(form, "").split()
            if len(field) == 8 and field.isdecimal()
        )

    def _regular_base(self, word: str) -> tuple[str, ...]:
        if word.endswith("ss") or len(word) <= 2:
            return ()
        for ending, replacement in _RULES:
            if word.endswith(ending):
                base = word.removesuffix(ending) + replacement
                if any(base in lines for lines in self.parts):
                    return (base,)
        return ()
