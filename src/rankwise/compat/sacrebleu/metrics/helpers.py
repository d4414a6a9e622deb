"""N-grams of a line, counted in Python: for looking at them; the metrics count natively."""

from collections import Counter
from collections.abc import Sequence


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Counts of the word n-grams of all orders from *min_order* to *max_order*, and the length.

    >>> extract_all_word_ngrams("a b a", 1, 2)
    (Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1}), 3)
    """
    words = line.split()
    orders = range(min_order, max_order + 1)
    return Counter(tuple(part) for n in orders for part in _windows(words, n)), len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Counts of the n-grams of one order, their words joined by spaces.

    >>> extract_word_ngrams(["a", "b", "a"], 2)
    Counter({'a b': 1, 'b a': 1})
    """
    return Counter(" ".join(part) for part in _windows(tokens, n))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Counts of the character n-grams of one order, by default without white space.

    >>> extract_char_ngrams("a ba", 2)
    Counter({'ab': 1, 'ba': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter("".join(part) for part in _windows(text, n))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Counts of the character n-grams of every order from 1 to *max_order*."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]


def _windows(items: Sequence[str], n: int) -> list[Sequence[str]]:
    return [items[start : start + n] for start in range(len(items) - n + 1)]
