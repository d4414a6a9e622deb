"""Snowball 2 from whichever of two packages is here: their stems are the same.

PyStemmer is C and 30 to 110 times as fast; ``snowballstemmer`` is Python, generated from the same
rules, for the Pythons that PyStemmer 2 has no wheel for.
"""

import functools
from collections.abc import Callable, Sequence
from importlib import import_module, metadata

from rankwise.errors import MissingExtra

Stems = Callable[[Sequence[str]], list[str]]

#: Which packages stem, the faster first; of both, version 2.
PACKAGES = ("PyStemmer", "snowballstemmer")
_ADVICE = "pip install 'PyStemmer>=2.2,<3', or 'snowballstemmer>=2.2,<3' from Python 3.14 on"


@functools.cache
def snowball_package() -> str | None:
    """The package that stems words here, or None."""
    return next((name for name in PACKAGES if (_version(name) or "").startswith("2.")), None)


@functools.cache
def stemmer_problem() -> str | None:
    """Why words cannot be stemmed, or None when they can."""
    if snowball_package() is not None:
        return None
    found = next((f"{name} {version}" for name in PACKAGES if (version := _version(name))), None)
    if found is None:
        return f"stems need Snowball 2: {_ADVICE}"
    return f"{found} stems some words differently from version 2; expected version 2: {_ADVICE}"


def snowball(algorithm: str) -> Stems:
    """A function from words to the stems of an *algorithm*, such as ``english``."""
    problem, package = stemmer_problem(), snowball_package()
    if problem is not None or package is None:
        raise MissingExtra(problem or "")
    return functools.partial(_stems, _STEMMERS[package](algorithm))


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _compiled(algorithm: str) -> Stems:
    stemmer = import_module("Stemmer").Stemmer(algorithm)
    stemmer.maxCacheSize = 0  # the caller keeps the stems it has seen
    stems: Stems = stemmer.stemWords
    return stems


def _interpreted(algorithm: str) -> Stems:
    """Its own class: what the package calls ``stemmer`` may be any version of PyStemmer."""
    module = import_module(f"snowballstemmer.{algorithm}_stemmer")
    stemmer = getattr(module, f"{algorithm.capitalize()}Stemmer")()

    def stems(words: Sequence[str]) -> list[str]:
        "".join(words).encode()  # a lone surrogate is refused, as by the other
        found: list[str] = stemmer.stemWords(words)
        return found

    return stems


_STEMMERS: dict[str, Callable[[str], Stems]] = {
    "PyStemmer": _compiled,
    "snowballstemmer": _interpreted,
}


def _stems(stem_words: Stems, words: Sequence[str]) -> list[str]:
    """The stems of *words*; a lone surrogate, which is not text, has no stem but itself."""
    try:
        return stem_words(words)
    except UnicodeEncodeError:
        return [_stem(stem_words, word) for word in words]


def _stem(stem_words: Stems, word: str) -> str:
    try:
        return stem_words([word])[0]
    except UnicodeEncodeError:
        return word
