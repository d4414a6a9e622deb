"""Which of METEOR's matchers can run: what a language has, and what this machine has of it."""

from collections.abc import Sequence

from rankwise.errors import DataError, MissingExtra
from rankwise.text.alignment import STAGES
from rankwise.text.resources import meteor_resources, wordnet_problem
from rankwise.text.snowball import stemmer_problem
from rankwise.text.stemming import ALGORITHMS
from rankwise.types.named import check_choice


def matcher_problem(
    matcher: str, language: str, *, resources: str | None = None, wordnet: str | None = None
) -> str | None:
    """Why a matcher cannot run here, or None when it can.

    >>> matcher_problem("exact", "ja"), matcher_problem("synonym", "de")
    (None, "no synonyms for 'de', only for 'en'")
    """
    found = None if resources is None else meteor_resources(resources)
    if matcher == "stem":
        return stemmer_problem() if language in ALGORITHMS else f"no stemmer for {language!r}"
    if matcher == "synonym":
        if language != "en":
            return f"no synonyms for {language!r}, only for 'en'"
        return None if found and found.has_synonyms() else wordnet_problem(wordnet)
    if matcher == "paraphrase" and (found is None or found.paraphrase_file(language) is None):
        return (
            f"no table of paraphrases for {language!r}: give resources=PATH of a METEOR "
            "folder with data/paraphrase-*.gz"
        )
    return None


def usable_matchers(
    language: str, *, resources: str | None = None, wordnet: str | None = None
) -> tuple[str, ...]:
    """The matchers that can run here, in the order they run."""
    return tuple(
        matcher
        for matcher in STAGES
        if matcher_problem(matcher, language, resources=resources, wordnet=wordnet) is None
    )


def check_matchers(
    owner: str,
    matchers: Sequence[str],
    language: str,
    *,
    resources: str | None = None,
    wordnet: str | None = None,
    any_order: bool = False,
) -> None:
    """Raise unless all *matchers* can run here and are named once each, in METEOR's order."""
    for matcher in matchers:
        check_choice(owner, "module", matcher, STAGES)
        problem = matcher_problem(matcher, language, resources=resources, wordnet=wordnet)
        if problem is not None:
            kind = MissingExtra if problem == stemmer_problem() else DataError
            raise kind(f"{owner}: cannot match by {matcher}: {problem}")
    if any_order and len(set(matchers)) == len(matchers):
        return
    if list(matchers) != [stage for stage in STAGES if stage in matchers]:
        raise DataError(
            f"{owner}: modules are {','.join(matchers)!r}; expected each at most once, in the "
            "order " + ",".join(STAGES)
        )
