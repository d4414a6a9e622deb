"""In which language texts are written, and what that says about their words.

Chinese, Japanese, Thai and others put no space between words: who splits them at spaces takes a
sentence for a word. What to do instead follows from the language that was given or, where nobody
gave one, from the script of the texts, of which a small sample is looked at.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankwise.types.language_codes import CODES, check_language, is_language, language_code

if TYPE_CHECKING:
    from rankwise.types.testset import TestSet

#: How words are found where they are not those between spaces and punctuation.
TOKENIZERS_OF_LANGUAGES = {
    **dict.fromkeys(("zh", "yue"), "zh"),
    "ja": "ja-mecab",
    "ko": "ko-mecab",
    **dict.fromkeys(("th", "lo", "km", "my", "bo", "dz"), "char"),
    **dict.fromkeys(("ban", "blt", "jv", "khb", "nod", "tdd"), "char"),  # in their own scripts
}

# First and last code points of the scripts that decide, and the language that is written in each
# most often. Of those not named here words are written apart, and Latin alone has a name.
_SCRIPTS = (
    (0x0041, 0x024F, "Latin", ""),
    (0x0E00, 0x0E7F, "Thai", "th"),
    (0x0E80, 0x0EFF, "Lao", "lo"),
    (0x0F00, 0x0FFF, "Tibetan", "bo"),
    (0x1000, 0x109F, "Myanmar", "my"),
    (0x1100, 0x11FF, "Hangul", "ko"),
    (0x1780, 0x17FF, "Khmer", "km"),
    (0x1950, 0x197F, "Tai Le", "tdd"),
    (0x1980, 0x19DF, "New Tai Lue", "khb"),
    (0x1A20, 0x1AAF, "Tai Tham", "nod"),
    (0x1B00, 0x1B7F, "Balinese", "ban"),
    (0x1E00, 0x1EFF, "Latin", ""),
    (0x3005, 0x3007, "Han", "zh"),
    (0x3041, 0x30FF, "kana", "ja"),
    (0x3100, 0x312F, "Han", "zh"),
    (0x3130, 0x318F, "Hangul", "ko"),
    (0x31F0, 0x31FF, "kana", "ja"),
    (0x3400, 0x4DBF, "Han", "zh"),
    (0x4E00, 0x9FFF, "Han", "zh"),
    (0xA960, 0xA97F, "Hangul", "ko"),
    (0xA980, 0xA9DF, "Javanese", "jv"),
    (0xA9E0, 0xA9FF, "Myanmar", "my"),
    (0xAA60, 0xAA7F, "Myanmar", "my"),
    (0xAA80, 0xAADF, "Tai Viet", "blt"),
    (0xAC00, 0xD7FF, "Hangul", "ko"),
    (0xF900, 0xFAFF, "Han", "zh"),
    (0xFF21, 0xFF5A, "Latin", ""),
    (0xFF66, 0xFF9F, "kana", "ja"),
    (0x20000, 0x3FFFF, "Han", "zh"),
)
_STARTS = [first for first, *_ in _SCRIPTS]
_CODES_OF_SCRIPTS = {script: code for _, _, script, code in _SCRIPTS if code}
OTHER = "other"

# A sample of at most this many texts, and of this many characters of all of them: a tenth of a
# millisecond.
_TEXTS, _CHARACTERS = 32, 640
# A script without spaces decides from this share of letters on: a Chinese sentence about software
# may have more Latin letters than its own.
_SHARE = 0.25
# Japanese is told from Chinese by its kana, about half of its characters.
_KANA = 0.1


@dataclass(frozen=True, slots=True)
class Language:
    """The language of texts: its code, empty where it is not known, and how it is known.

    ``script`` is that of the texts: Latin, one that has a tokenizer of its own, ``other``, or empty
    where nobody looked. ``is_given`` says whether somebody named the language.
    """

    code: str = ""
    script: str = ""
    is_given: bool = False
    texts: str = "references"

    @property
    def tokenizer(self) -> str | None:
        """What finds the words, or None where they are written apart.

        >>> Language("zh", is_given=True).tokenizer, language_of(["ภาษาไทย"]).tokenizer
        ('zh', 'char')
        """
        return TOKENIZERS_OF_LANGUAGES.get(self._written_as)

    @property
    def is_known(self) -> bool:
        """Whether the language was named, and is one of which something is known."""
        return self.is_given and self.code in CODES.values()

    @property
    def _written_as(self) -> str:
        """The language whose words are found alike: itself, or the usual one of its script."""
        return self.code if self.is_known else _CODES_OF_SCRIPTS.get(self.script, "")

    @property
    def is_spaced(self) -> bool:
        """Whether words are written apart, as in Korean, whatever else a tokenizer does."""
        return self.tokenizer in (None, "ko-mecab")

    @property
    def is_by_characters(self) -> bool:
        """Whether every character is about a word, as in Chinese; in Thai it is a letter."""
        return not self.is_spaced and self.tokenizer != "char"

    def __str__(self) -> str:
        """The code, and how it is known unless somebody gave it."""
        if self.is_known:
            return self.code
        if self.code:
            return f"{self.code} (by the script of the {self.texts})"
        is_odd = self.script == OTHER
        return f"unknown (the script of the {self.texts} is not Latin)" if is_odd else "unknown"


def language_of(
    texts: Sequence[str | Sequence[str]], given: str | None = "", *, called: str = "references"
) -> Language:
    """The language of *texts*: the one that is *given*, or the one that their script tells.

    Latin letters and most others tell none: its code is then empty. Of several texts of a segment
    the first is looked at. A language that is given but of which nothing is known keeps its code,
    and its words are found by the script.

    >>> language_of(["今天天气很好。"]).code, language_of(["今日はいい天気です。"]).code
    ('zh', 'ja')
    >>> str(language_of(["今天天气很好。"]))
    'zh (by the script of the references)'
    >>> language_of(["Das Wetter ist schön."]), language_of(["..."], "German").code
    (Language(code='', script='Latin', is_given=False, texts='references'), 'de')
    """
    code = ""
    if given:
        check_language(given)
        code = language_code(given)
        if code in CODES.values():
            return Language(code, is_given=True, texts=called)
    script = _script(_sample(texts))
    return Language(code or _CODES_OF_SCRIPTS.get(script, ""), script, bool(code), called)


def target_language_of(testset: "TestSet") -> Language:
    """The target language of a test set: the one that it names, or that of its references.

    Without any reference it is that of the outputs.
    """
    given = testset.target_language
    is_code = not given or is_language(given)  # not a remark like "several", which nobody chose
    named = given if is_code else ""
    if any(testset.references) or not testset.outputs:
        return language_of(testset.references, named)
    outputs = next(iter(testset.outputs.values()))
    return language_of([text or "" for text in outputs], named, called="outputs")


def _sample(texts: Sequence[str | Sequence[str]]) -> str:
    chosen = texts[:: max(1, len(texts) // _TEXTS)][:_TEXTS]
    firsts = [entry if isinstance(entry, str) else entry[0] if entry else "" for entry in chosen]
    share = _CHARACTERS // max(1, len(firsts))
    return "".join([text[:share] for text in firsts])


def _script(sample: str) -> str:
    """The script that says how words are found, of all letters of a sample; empty without any."""
    if sample.isascii():
        return "Latin" if any(map(str.isalpha, sample)) else ""
    counts: Counter[str] = Counter()
    for character, count in Counter(sample).items():
        if character.isalpha():
            counts[_script_of(character)] += count
    letters = counts.total()
    if letters == 0:
        return ""
    east_asian = counts["Han"] + counts["kana"]
    if east_asian:
        is_japanese = counts.pop("kana", 0) > _KANA * east_asian
        del counts["Han"]
        counts["kana" if is_japanese else "Han"] = east_asian
    decisive = [(count, script) for script, count in counts.items() if script in _CODES_OF_SCRIPTS]
    most, script = max(decisive, default=(0, ""))
    if most >= _SHARE * letters:
        return script
    return "Latin" if 2 * counts["Latin"] >= letters else OTHER


def _script_of(character: str) -> str:
    place = bisect_right(_STARTS, ord(character)) - 1
    if place < 0 or ord(character) > _SCRIPTS[place][1]:
        return OTHER
    return _SCRIPTS[place][2]
