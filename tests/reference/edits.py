"""Edit distance the plain way: the whole matrix, and a walk back through it."""

from collections.abc import Sequence


def distances(hypothesis: Sequence[object], reference: Sequence[object]) -> list[list[int]]:
    """Entry [i][j] is the distance of the first i tokens to the first j."""
    matrix = [list(range(len(reference) + 1))]
    for i, word in enumerate(hypothesis, 1):
        row = [i]
        for j, other in enumerate(reference, 1):
            row.append(min(matrix[-1][j - 1] + (word != other), matrix[-1][j] + 1, row[j - 1] + 1))
        matrix.append(row)
    return matrix


def operations(hypothesis: Sequence[object], reference: Sequence[object]) -> str:
    """From the end: a match or substitution where optimal, else an insertion, else a deletion."""
    matrix = distances(hypothesis, reference)
    i, j = len(hypothesis), len(reference)
    found = ""
    while i or j:
        here = matrix[i][j]
        if i and j and here == matrix[i - 1][j - 1] + (hypothesis[i - 1] != reference[j - 1]):
            found += "=" if hypothesis[i - 1] == reference[j - 1] else "S"
            i, j = i - 1, j - 1
        elif i and here == matrix[i - 1][j] + 1:
            found += "I"
            i -= 1
        else:
            found += "D"
            j -= 1
    return found[::-1]
