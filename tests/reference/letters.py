"""Letters that two texts share, the obvious way."""

from reference.chrf import chrf_row


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
    """The row of chrF, without white space; the rest with it."""
    longest = common_subsequence(hypothesis, reference)
    row = chrf_row(hypothesis, reference, max_order, 0, whitespace=False)
    return [*row, longest, len(hypothesis), len(reference)]
