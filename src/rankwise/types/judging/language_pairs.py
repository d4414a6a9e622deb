"""Language pairs by any of their names: ``fr-en``, ``fra-eng``, ``French-English``."""

from collections.abc import Sequence

import numpy as np

from rankwise.errors import DataError
from rankwise.types.judging.judgments import Judgments

#: Two letters, and the other names that judgments and people use.
_NAMES = """
    ar ara arabic; bg bul bulgarian; bn ben bengali; cs ces cze czech; da dan danish;
    de deu ger german; el ell gre greek; en eng english; es spa esn spanish; et est estonian;
    eu eus baq basque; fa fas per persian; fi fin finnish; fr fra fre french; gu guj gujarati;
    ha hau hausa; he heb hebrew; hi hin hindi; hr hrv croatian; ht hat haitian; hu hun hungarian;
    id ind indonesian; is isl ice icelandic; it ita italian; iu iku inuktitut; ja jpn japanese;
    kk kaz kazakh; km khm khmer; ko kor korean; lt lit lithuanian; lv lav latvian; nl nld dut dutch;
    no nor norwegian; pl pol polish; ps pus pashto; pt por portuguese; ro ron rum romanian;
    ru rus russian; sk slk slo slovak; sv swe swedish; ta tam tamil; tr tur turkish;
    uk ukr ukrainian; vi vie vietnamese; zh zho chi chinese
"""
_CODES = {name: group.split()[0] for group in _NAMES.split(";") for name in group.split()}


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
    return tuple(_CODES.get(name.lower(), name.lower()) for name in languages)
