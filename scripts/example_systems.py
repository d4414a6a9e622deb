"""The eight simulated translation systems of the bundled example.

A system starts from one of the two references, exchanges some words for harmless synonyms, and then
makes mistakes at its own rate and in its own mix. Every mistake has a severity; the damage of an
output is the sum of its severities per word of the text it started from.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from re import fullmatch
from typing import NamedTuple

from example_draws import Draws
from example_sentences import DOCUMENTS, Sentence
from example_words import WORDS, wrong_inflection

#: Mistake -> how much it hurts. The simulated judges see the sum of these per word.
SEVERITIES: Mapping[str, float] = {
    "drop": 1.0,
    "choose": 1.0,
    "keep": 0.8,
    "move": 0.7,
    "swap": 0.5,
    "inflect": 0.4,
    "repeat": 0.3,
}


@dataclass(frozen=True)
class System:
    """A simulated system: how good it is, and how it goes wrong.

    ``ability`` is its true quality on the judges' scale. ``rate`` is the probability of a mistake
    per word; ``mix`` weighs the mistakes; ``literal`` is the probability of starting from
    reference A; ``freedom`` is the probability of a synonym per word that has one.
    """

    name: str
    ability: float
    rate: float
    mix: Mapping[str, float]
    literal: float
    freedom: float


_EVEN = dict.fromkeys(SEVERITIES, 1.0)

#: In order of ability. Birch and willow differ by less than the judges can tell apart.
SYSTEMS = (
    System("rowan", 1.20, 0.012, _EVEN, literal=0.6, freedom=0.3),
    System("birch", 0.75, 0.055, _EVEN | {"drop": 4.0, "keep": 0.0}, literal=0.6, freedom=0.3),
    System("willow", 0.70, 0.075, _EVEN | {"move": 3.0, "swap": 3.0}, literal=0.5, freedom=0.2),
    System("cedar", 0.30, 0.110, _EVEN | {"choose": 3.0}, literal=0.7, freedom=0.2),
    System("maple", -0.10, 0.170, _EVEN | {"inflect": 4.0}, literal=0.6, freedom=0.2),
    System("alder", -0.50, 0.210, _EVEN | {"swap": 2.0}, literal=0.8, freedom=0.05),
    System("spruce", -0.95, 0.270, _EVEN | {"keep": 3.0, "drop": 2.0}, literal=0.9, freedom=0.0),
    System("hazel", -1.40, 0.360, _EVEN | {"move": 2.0, "repeat": 2.0}, literal=0.9, freedom=0.0),
)


class Output(NamedTuple):
    """A system's text for one sentence and how damaged it is."""

    text: str
    damage: float


def translate(system: System, sentence: Sentence, draws: Draws) -> Output:
    """What *system* makes of *sentence*."""
    literal = draws.happens(system.literal)
    base = sentence.reference_a if literal else sentence.reference_b
    words = [_synonym(word, system.freedom, draws) for word in base.split()]
    return damaged(" ".join(words), rate=system.rate, mix=system.mix, draws=draws)


def damaged(text: str, *, rate: float, mix: Mapping[str, float], draws: Draws) -> Output:
    """*text* with mistakes; each of its words is given the chance of one."""
    words = _uncapitalised(text).split()
    length, severity = len(words), 0.0
    for _ in range(length):
        mistake = draws.weighted(list(mix), list(mix.values()))
        if draws.happens(rate) and MISTAKES[mistake](words, draws):
            severity += SEVERITIES[mistake]
    return Output(_sentence_case(" ".join(words)), severity / length)


# -- single mistakes: each changes the words in place and says whether it could ------------------


def _drop(words: list[str], draws: Draws) -> bool:
    if len(words) < 3:
        return False
    place = draws.below(len(words) - 1)  # the last word carries the full stop
    del words[place]
    return True


def _repeat(words: list[str], draws: Draws) -> bool:
    place = draws.below(len(words))
    before, core, _ = _parts(words[place])
    words.insert(place, before + core)
    return True


def _swap(words: list[str], draws: Draws) -> bool:
    if len(words) < 3:
        return False
    place = draws.below(len(words) - 2)
    (before, left, middle), (_, right, after) = _parts(words[place]), _parts(words[place + 1])
    words[place : place + 2] = [before + right + middle, left + after]
    return left != right


def _move(words: list[str], draws: Draws) -> bool:
    """Move two or three words to another place, not counting the last word."""
    size = 2 + draws.below(2)
    if len(words) < size + 3:
        return False
    start = draws.below(len(words) - size)
    phrase = words[start : start + size]
    del words[start : start + size]
    target = (start + 1 + draws.below(len(words) - 2)) % (len(words) - 1)
    words[target:target] = phrase
    return True


def _replace(words: list[str], draws: Draws, replacement: Callable[[str], str | None]) -> bool:
    """Replace one of the words that have a *replacement*."""
    options = []
    for place, word in enumerate(words):
        before, core, after = _parts(word)
        new = replacement(core) or replacement(core[:1].lower() + core[1:])
        if new is not None:
            options.append((place, before + new + after))
    if options:
        place, word = draws.one_of(options)
        words[place] = word
    return bool(options)


def _choose(words: list[str], draws: Draws) -> bool:
    return _replace(words, draws, lambda word: WORDS[word].wrong if word in WORDS else None)


def _keep(words: list[str], draws: Draws) -> bool:
    """Leave a word of the source untranslated."""
    return _replace(words, draws, lambda word: WORDS[word].german if word in WORDS else None)


def _inflect(words: list[str], draws: Draws) -> bool:
    return _replace(words, draws, wrong_inflection)


MISTAKES: Mapping[str, Callable[[list[str], Draws], bool]] = {
    "drop": _drop,
    "choose": _choose,
    "keep": _keep,
    "move": _move,
    "swap": _swap,
    "inflect": _inflect,
    "repeat": _repeat,
}


# -- words ---------------------------------------------------------------------------------------


def _parts(word: str) -> tuple[str, str, str]:
    """The punctuation before a word, the word, and the punctuation after it."""
    match = fullmatch(r"([\"(]*)(.*?)((?:'s)?[\".,:;?!)]*)", word)
    return (match[1], match[2], match[3]) if match else ("", word, "")


def _synonym(word: str, freedom: float, draws: Draws) -> str:
    before, core, after = _parts(word)
    known = WORDS.get(core)
    if known is None or not known.synonym or not draws.happens(freedom):
        return word
    return before + known.synonym + after


def _uncapitalised(text: str) -> str:
    """*text* without the capital that its first word has only for being the first."""
    before, first, _ = _parts(text.split()[0])
    start = len(before)
    if first.lower() not in _COMMON_WORDS:
        return text
    return before + text[start].lower() + text[start + 1 :]


def _sentence_case(text: str) -> str:
    """*text* with a capital at the start, as every system writes it."""
    start = 1 if text.startswith('"') else 0
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def _common_words() -> set[str]:
    references = (text for d in DOCUMENTS for sentence in d.sentences for text in sentence[1:])
    words = {_parts(word)[1] for text in references for word in text.split()}
    return {word for word in words if word.islower()} | set(WORDS)


#: Words that are written small inside a sentence.
_COMMON_WORDS = _common_words()
