"""What judges read, in every language: the catalogues, and a plan's own texts before them.

The catalogues lie in ``static/judge/words``, one module per language that the browser gets as it
is; here the same files are read for templates, for mails and for the server's own sentences.
Plurals follow the rules of CLDR for whole numbers, as ``Intl.PluralRules`` does in the browser.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.words.translations import Translation
from rankwise.server.phrases import LANGUAGES, RIGHT_TO_LEFT, Phrase

Catalogue = Mapping[str, str | Mapping[str, str]]


def _slavic(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _czech(n: int) -> str:
    return {1: "one", 2: "few", 3: "few", 4: "few"}.get(n, "other")


def _arabic(n: int) -> str:
    if n < 3:
        return ("zero", "one", "two")[n]
    if 3 <= n % 100 <= 10:
        return "few"
    return "many" if n % 100 >= 11 else "other"


#: The category of a count, by language, for whole numbers below a million (CLDR 44).
PLURALS: dict[str, Callable[[int], str]] = {
    "en": lambda n: "one" if n == 1 else "other",
    "de": lambda n: "one" if n == 1 else "other",
    "fr": lambda n: "one" if n < 2 else "other",
    "es": lambda n: "one" if n == 1 else "other",
    "cs": _czech,
    "uk": _slavic,
    "ru": _slavic,
    "ar": _arabic,
    "he": lambda n: {1: "one", 2: "two"}.get(n, "other"),
    "hi": lambda n: "one" if n < 2 else "other",
    "zh": lambda _: "other",
    "ja": lambda _: "other",
}


@dataclass(frozen=True)
class Words:
    """The sentences of one language: ``words("Begin")``, ``words.counted(3, "One…", "{n}…")``."""

    language: str
    catalogue: Catalogue

    @property
    def direction(self) -> str:
        """Which way the language is written, as HTML says it."""
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    @property
    def name(self) -> str:
        """The language's own name."""
        return LANGUAGES[self.language]

    def __call__(self, sentence: str, **values: Any) -> str:
        """A sentence in this language; one that the catalogue does not have stays as it is."""
        if isinstance(sentence, Phrase):
            return self._phrase(sentence, self)
        found = self.catalogue.get(sentence, sentence)
        shown = found if isinstance(found, str) else list(found.values())[-1]
        return shown.format(**values) if values else shown

    def _phrase(self, phrase: Phrase, say: Callable[[str], str]) -> str:
        """A phrase, with what stands in its places said by *say*."""
        values: dict[str, Any] = {
            key: say(value) if isinstance(value, str) else value
            for key, value in phrase.values.items()
        }
        if phrase.one is not None:
            return self.counted(one=phrase.one, many=phrase.sentence, **values)
        return self(phrase.sentence, **values)

    def counted(self, n: int, one: str, many: str, **values: Any) -> str:
        """A sentence about *n* things, in the form that *n* asks for."""
        forms = self.catalogue.get(many, {"one": one, "other": many})
        shown = forms if isinstance(forms, str) else forms[PLURALS[self.language](n)]
        return shown.format(n=n, **values)

    def knows(self, sentence: str) -> bool:
        """Whether the sentence can be said in this language."""
        key = sentence.sentence if isinstance(sentence, Phrase) else sentence
        return self.language == "en" or key in self.catalogue

    def own(self, plan: Plan, text: str) -> str:
        """A text of the plan: the organiser's translation, or the catalogue's if it is usual."""
        if isinstance(text, Phrase):
            return self._phrase(text, lambda value: self.own(plan, value))
        return dict(_translation(self, plan).texts).get(text) or self(text)

    def instructions(self, plan: Plan) -> str:
        """What judges read before they begin."""
        return _translation(self, plan).instructions or self(plan.instructions)

    def consent(self, plan: Plan) -> str:
        """What judges agree to."""
        return _translation(self, plan).consent or plan.consent

    def domain_instructions(self, plan: Plan) -> list[str]:
        """What is to be known about documents, in the order of the plan's domains."""
        own = dict(_translation(self, plan).domain_instructions)
        return [own.get(domain, text) for domain, text in plan.domain_instructions]

    def short_texts(self, plan: Plan) -> dict[str, str]:
        """The organiser's short texts, for the page's scripts."""
        return dict(_translation(self, plan).texts)


def _translation(words: Words, plan: Plan) -> Translation:
    return plan.translation(words.language)


def read_catalogue(module: str) -> dict[str, Any]:
    """The catalogue of a module ``static/judge/words/CODE.js``: the JSON that it hands over."""
    found: dict[str, Any] = json.loads(module.partition("learn(")[2].rpartition(")")[0])
    return found


@cache
def words_of(code: str) -> Words:
    """The sentences of a language; English is its own catalogue."""
    if code == "en":
        return Words(code, {})
    file = files("rankwise.server") / "static" / "judge" / "words" / f"{code}.js"
    return Words(code, read_catalogue(file.read_text(encoding="utf-8")))
