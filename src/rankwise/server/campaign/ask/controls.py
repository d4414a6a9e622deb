"""Control texts: an output spoilt by a stated rule, and what it means to pass a control."""

import numpy as np

from rankwise.server.campaign.plan.span_rules import SpanRules

_ROTATED_WORDS, _ROTATED_CHARACTERS = 5, 10
_WORDS_SPOILT = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))


def degraded(text: str, donor: str, *, seed: int) -> str:
    r"""*text* with a span of words replaced by equally many consecutive words of *donor*.

    Of n words, 1, 2, 3, 4, 5 are replaced for n up to 1, 5, 8, 15, 20, and :math:`\lfloor n/4
    \rfloor` beyond; the first and the last word stay where there are enough words. Text of a single
    word of eight or more characters (Chinese, Japanese, Thai) is spoilt by characters. The *donor*
    is repeated where it is too short. Graham, Baldwin, Moffat and Zobel (2017), NLE 23(1).

    >>> degraded("the cat sat on the mat today", "one two three four five six", seed=1)
    'the cat three four five mat today'
    """
    joint = " "
    words, others = text.split(), donor.split()
    if len(words) < 2 and len(text.strip()) >= 8:
        joint, words, others = "", list(text.strip()), list("".join(others))
    if not words or not others:
        return donor
    count = words_spoilt(len(words))
    random = np.random.default_rng(seed)
    inner = len(words) - 2 >= count
    start = int(random.integers(1, len(words) - count)) if inner else 0
    others *= -(-count // len(others))
    begin = int(random.integers(0, len(others) - count + 1))
    return joint.join([*words[:start], *others[begin : begin + count], *words[start + count :]])


def rotated(text: str, *, language: str, seed: int) -> str:
    """*text* with five of its words (ten characters where no spaces are written) moved on in turn.

    Every chosen word takes the place of the next one, and the last that of the first; shorter texts
    have fewer. A text that this cannot change comes back as it is.

    >>> rotated("the cat sat on the mat today", language="en", seed=1)
    'mat the cat sat the on today'
    """
    by_character = SpanRules().unit_of(language) == "character"
    parts = list(text) if by_character else text.split()
    places = [place for place, part in enumerate(parts) if part.strip()]
    count = min(_ROTATED_CHARACTERS if by_character else _ROTATED_WORDS, len(places))
    if count < 2:
        return text
    random = np.random.default_rng(seed)
    chosen = sorted(random.choice(places, count, replace=False).tolist())
    moved = {place: parts[chosen[number - 1]] for number, place in enumerate(chosen)}
    return ("" if by_character else " ").join(
        moved.get(place, part) for place, part in enumerate(parts)
    )


def spoilt(kind: str, text: str, donor: str, *, language: str, seed: int) -> str:
    """*text* made worse as a plan's ``control_kind`` says."""
    if kind == "rotated":
        return rotated(text, language=language, seed=seed)
    return degraded(text, donor, seed=seed)


def words_spoilt(length: int) -> int:
    """How many of *length* words are replaced.

    >>> [words_spoilt(n) for n in (1, 4, 5, 6, 9, 16, 20, 21, 40)]
    [1, 2, 2, 3, 4, 5, 5, 5, 10]
    """
    limit = next((count for most, count in _WORDS_SPOILT if length <= most), length // 4)
    return min(limit, length)
