"""Letters that two texts share, the obvious way."""

from collections import Counter


def common_subsequence(first: str, second: str) -> int:
    """The length of the longest common subsequence, by the usual table."""
    above = [0] * (len(second) + 1)
    for letter in first:
        row = [0]
        for j, other in enumerate(second):
            row.append(above[j] + 1 if letter == other else max(above[j + 1], row[j]))
        above = row
    return above[-1]


def letter_counts(hypothesis: str, reference: str, max_order: int) -> list[int]:
    """Shared n-grams by order, without white space; the rest with it."""
    ours, theirs = ("".join(text.split()) for text in (hypothesis, reference))
    shared = [
        (_ngrams(ours, order) & _ngrams(theirs, order)).total() for order in range(1, max_order + 1)
    ]
    longest = common_subsequence(hypothesis, reference)
    return [*shared, longest, len(ours), len(theirs), len(hypothesis), len(reference)]


def _ngrams(text: str, order: int) -> Counter[str]:
    return Counter(text[i : i + order] for i in range(len(text) - order + 1))
