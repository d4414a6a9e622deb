"""Control texts: an output spoilt by a stated rule, and what it means to pass a control."""

import numpy as np

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


def words_spoilt(length: int) -> int:
    """How many of *length* words are replaced.

    >>> [words_spoilt(n) for n in (1, 4, 5, 6, 9, 16, 20, 21, 40)]
    [1, 2, 2, 3, 4, 5, 5, 5, 10]
    """
    limit = next((count for most, count in _WORDS_SPOILT if length <= most), length // 4)
    return min(limit, length)
