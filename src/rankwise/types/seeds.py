"""A seed as the state of numpy's generator, which the native core continues.

Worked out here because ``numpy.random`` alone takes longer to import than many a run lasts.
"""

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

_HALF, _WORD, _WIDE = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
_POOL = 4  # words of 32 bits
#: The multiplier of PCG64 (O'Neill, 2014).
_PCG = 0x2360ED051FC65DA44385DF649FCCF645


def check_seed(seed: int) -> None:
    """Raise unless *seed* is one."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise DataError(f"seed is {seed!r}; expected a whole number from 0")


def generator_state(seed: int) -> NDArray[np.uint64]:
    """State and increment of ``np.random.default_rng(seed)``: four words, the high ones first.

    >>> [int(word) % 1000 for word in generator_state(12345)]
    [756, 61, 944, 743]
    """
    check_seed(seed)
    words = _output(_pool(int(seed)), 8)
    state, increment = (
        sum(word << shift for word, shift in zip(words[i : i + 4], (64, 96, 0, 32), strict=True))
        for i in (0, 4)
    )
    increment = (increment << 1 | 1) & _WIDE
    state = ((increment + state) * _PCG + increment) & _WIDE
    halves = [half for number in (state, increment) for half in (number >> 64, number & _WORD)]
    return np.array(halves, np.uint64)


class _Hash:
    """Scrambles words of 32 bits, each with the next constant (numpy's ``SeedSequence``)."""

    def __init__(self, constant: int, multiplier: int) -> None:
        self._constant, self._multiplier = constant, multiplier

    def __call__(self, word: int) -> int:
        word ^= self._constant
        self._constant = self._constant * self._multiplier & _HALF
        word = word * self._constant & _HALF
        return word ^ word >> 16


def _pool(seed: int) -> list[int]:
    """The seed spread over four words, every one depending on every other."""
    words = [seed >> shift & _HALF for shift in range(0, max(seed.bit_length(), 1), 32)]
    scramble = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [scramble(words[i] if i < len(words) else 0) for i in range(_POOL)]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                pool[target] = _mix(pool[target], scramble(pool[source]))
    for word in words[_POOL:]:
        pool = [_mix(target, scramble(word)) for target in pool]
    return pool


def _mix(left: int, right: int) -> int:
    mixed = (0xCA01F9DD * left - 0x4973F715 * right) & _HALF
    return mixed ^ mixed >> 16


def _output(pool: list[int], count: int) -> list[int]:
    scramble = _Hash(0x8B51F9DD, 0x58F38DED)
    return [scramble(pool[i % _POOL]) for i in range(count)]
