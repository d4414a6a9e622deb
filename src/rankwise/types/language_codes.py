"""Languages by any of their names: ``zh``, ``zho``, ``zh-CN``, ``zho_Hans``, ``Chinese``."""

import re

from rankwise.errors import DataError

#: Two letters (three where there are no two), and the other names that files and people use.
_NAMES = """
    ar ara arabic; bg bul bulgarian; bn ben bengali; bo bod tib tibetan; cs ces cze cz czech;
    da dan danish; de deu ger german; dz dzo dzongkha; el ell gre greek; en eng english;
    es spa esn spanish; et est estonian; eu eus baq basque; fa fas per persian; fi fin finnish;
    fr fra fre french; gu guj gujarati; ha hau hausa; he heb hebrew; hi hin hindi; hr hrv croatian;
    ht hat haitian; hu hun hungarian; id ind indonesian; is isl ice icelandic; it ita italian;
    iu iku inuktitut; ja jpn jp japanese; kk kaz kazakh; km khm khmer; ko kor korean; lo lao;
    lt lit lithuanian; lv lav latvian; my mya bur burmese; nl nld dut dutch; no nor norwegian;
    pl pol polish; ps pus pashto; pt por portuguese; ro ron rum romanian; ru rus russian;
    sk slk slo slovak; sv swe swedish; ta tam tamil; th tha thai; tr tur turkish;
    uk ukr ukrainian; vi vie vietnamese; yue cantonese; zh zho chi cmn chinese mandarin
"""
CODES = {name: group.split()[0] for group in _NAMES.split(";") for name in group.split()}


def language_code(name: str) -> str:
    """The usual code of a language, its region and script left out; a name that is none is kept.

    >>> [language_code(name) for name in ("zh-CN", "zho_Hans", "Chinese", "gsw", "")]
    ['zh', 'zh', 'zh', 'gsw', '']
    """
    plain = re.split("[-_]", name.strip().lower())[0]
    return CODES.get(plain, plain)


def is_language(name: str) -> bool:
    """Whether *name* is a code of two or three letters, or a name that is known."""
    return re.fullmatch("[a-z]{2,3}", language_code(name)) is not None


def check_language(name: str) -> None:
    """Raise unless *name* can be a language."""
    if not is_language(name):
        raise DataError(f"unknown language {name!r}; expected a code like zh, ja or de")


def pair_languages(pair: str) -> tuple[str, str]:
    """Source and target of a pair, as in ``en-zh``; a name without a hyphen says neither."""
    source, hyphen, target = pair.partition("-")
    return (source, target) if hyphen else ("", "")


def target_of_pair(pair: str) -> str:
    """The target of a pair that must name two languages.

    >>> target_of_pair("en-zh")
    'zh'
    """
    languages = pair_languages(pair)
    if not all(map(is_language, languages)):
        raise DataError(f"unknown language pair {pair!r}; expected two languages like en-zh")
    return languages[1]
