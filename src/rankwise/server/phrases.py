"""What judges read, in English, and the languages in which they may read it.

A ``Phrase`` is the English sentence and also the key under which the catalogues of
``static/judge/words`` have it in other languages. Wherever it is made, the pages translate it.
"""

from typing import Any

#: Languages of the judge's pages: the code, and the name that their speakers give them.
LANGUAGES: dict[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "cs": "Čeština",
    "uk": "Українська",
    "ru": "Русский",
    "ar": "العربية",
    "he": "עברית",
    "hi": "हिन्दी",
    "zh": "中文",
    "ja": "日本語",
}
RIGHT_TO_LEFT = frozenset({"ar", "he"})


class Phrase(str):
    """A sentence for a judge; it reads as the English one, with its *values* in place.

    >>> said = Phrase("Text {letter} has no rank.", letter="A")
    >>> said, said.sentence
    ('Text A has no rank.', 'Text {letter} has no rank.')
    """

    sentence: str
    values: dict[str, Any]
    #: The form for one, where the sentence counts; ``values["n"]`` is the count.
    one: str | None

    def __new__(cls, sentence: str, *, one: str | None = None, **values: Any) -> "Phrase":
        """Take the sentence as the catalogues have it, and what stands in its places."""
        shown = one if one is not None and values["n"] == 1 else sentence
        made = super().__new__(cls, shown.format(**values) if values else shown)
        made.sentence, made.one, made.values = sentence, one, values
        return made


def counted_phrase(n: int, one: str, many: str, **values: Any) -> Phrase:
    """A sentence about *n* things; *many* is its key.

    >>> [counted_phrase(n, "One more try.", "{n} more tries.") for n in (1, 3)]
    ['One more try.', '3 more tries.']
    """
    return Phrase(many, one=one, n=n, **values)
