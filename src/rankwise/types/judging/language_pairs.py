"""Language pairs by any of their names: ``fr-en``, ``fra-eng``, ``French-English``."""

from collections.abc import Sequence

import numpy as np

from rankwise.errors import DataError
from rankwise.types.judging.judgments import Judgments
from rankwise.types.language_codes import CODES


def pair_name(languages: tuple[str, str]) -> str:
    """How a language pair of judgments is shown: as the judgments write it."""
    return "-".join(filter(None, languages))


def of_language_pair(judgments: Judgments, wanted: str) -> Judgments:
    """The rankings of one language pair, named as the judgments do or in another usual way.

    >>> from rankwise.types import Ranking
    >>> ranking = Ranking("1", "ann", ("A", "B"), (1, 2), source_language="French",
    ...                   target_language="English")
    >>> len(of_language_pair(Judgments.from_rankings([ranking]), "fr-en"))
    1
    """
    present = [judgments.languages[code] for code in np.unique(judgments.language).tolist()]
    names = [pair_name(pair) for pair in present]
    exact = [pair for pair, name in zip(present, names, strict=True) if name == wanted]
    chosen = exact or [pair for pair in present if _canonical(pair) == _canonical(_two(wanted))]
    if not chosen:
        found = ", ".join(name or "one without a name" for name in names)
        raise DataError(f"no judgments of language pair {wanted!r}; found {found}")
    mask = np.isin(judgments.language, [judgments.languages.index(pair) for pair in chosen])
    return judgments.select(mask)


def _two(name: str) -> Sequence[str]:
    return name.split("-", 1)


def _canonical(languages: Sequence[str]) -> tuple[str, ...]:
    return tuple(CODES.get(name.lower(), name.lower()) for name in languages)
