"""Translation edit rate the plain way: every candidate shift gets its own distance matrix.

The limits are those of sacreBLEU 2.6: a beam of 25 around the diagonal, phrases of at most 10
words that match at most 50 positions away, and at most 1,000 candidates.
"""

import math
from collections.abc import Iterator, Sequence

Words = Sequence[object]
NOTHING = math.inf  # the cost of a cell outside the beam


def band(row: int, rows: int, columns: int) -> range:
    """The cells of a row that exist."""
    if row == 0:
        return range(columns + 1)
    slope = columns / rows
    beam = 25 if slope <= 50 else math.ceil(slope / 2 + 25)
    diagonal = math.floor(row * slope)
    end = columns + 1 if row == rows else min(columns + 1, diagonal + beam)
    return range(max(0, diagonal - beam), end)


def costs(hypothesis: Words, reference: Words) -> dict[tuple[int, int], float]:
    """Distance of the first i words to the first j, for the cells that exist."""
    cost: dict[tuple[int, int], float] = {}
    for i in range(len(hypothesis) + 1):
        for j in band(i, len(hypothesis), len(reference)):
            cost[i, j] = min(
                (cost[cell] + price for cell, price in steps(hypothesis, reference, cost, i, j)),
                default=0,
            )
    return cost


def steps(hypothesis, reference, cost, i, j) -> Iterator[tuple[tuple[int, int], int]]:
    """The cells from which (i, j) can be reached, preferred first, and the price of the step."""
    if (i - 1, j - 1) in cost:
        yield (i - 1, j - 1), int(hypothesis[i - 1] != reference[j - 1])
    if (i - 1, j) in cost:
        yield (i - 1, j), 1
    if (i, j - 1) in cost:
        yield (i, j - 1), 1


def operations(hypothesis: Words, reference: Words) -> tuple[int, str]:
    """The distance and its operations."""
    cost = costs(hypothesis, reference)
    i, j = len(hypothesis), len(reference)
    distance, found = cost[i, j], ""
    while (i, j) != (0, 0):
        here = cost.pop((i, j))
        before, price = next(
            (cell, price)
            for cell, price in steps(hypothesis, reference, cost, i, j)
            if cost[cell] + price == here
        )
        moved = (i - before[0], j - before[1])
        found += {(1, 1): "S" if price else "=", (1, 0): "I", (0, 1): "D"}[moved]
        i, j = before
    return int(distance), found[::-1]


def phrases(hypothesis: Words, reference: Words) -> Iterator[tuple[int, int, int]]:
    """Start in the hypothesis, start in the reference and length of common phrases."""
    for start in range(len(hypothesis)):
        for match in range(len(reference)):
            if abs(start - match) > 50:
                continue
            for length in range(1, 11):
                theirs = reference[match : match + length]
                if len(theirs) < length or list(hypothesis[start : start + length]) != list(theirs):
                    break
                yield start, match, length


def shifted(words: list[object], start: int, length: int, target: int) -> list[object]:
    """The phrase goes before word *target*; a target inside it counts from the rest's words."""
    phrase, rest = words[start : start + length], words[:start] + words[start + length :]
    place = target - length if target > start + length else target
    return rest[:place] + phrase + rest[place:]


def aligned_ends(found: str) -> tuple[list[int], list[bool], list[bool]]:
    """Words of the hypothesis used up after each reference word (0: before all); and errors."""
    used, hypothesis_errors, reference_errors = [0], [], []
    for operation in found:
        if operation != "D":
            hypothesis_errors.append(operation != "=")
        if operation != "I":
            reference_errors.append(operation != "=")
            used.append(len(hypothesis_errors))
    return used, hypothesis_errors, reference_errors


def translation_edits(hypothesis: Words, reference: Words) -> tuple[int, str, list[object]]:
    """All edits, the operations after the shifts, and the hypothesis after the shifts."""
    words = list(hypothesis)
    if not reference:
        return len(words), "I" * len(words), words
    shifts = tried = 0
    while True:
        distance, found = operations(words, reference)
        used, hypothesis_errors, reference_errors = aligned_ends(found)
        best = None
        for start, match, length in phrases(words, reference):
            if not any(hypothesis_errors[start : start + length]):
                continue
            if not any(reference_errors[match : match + length]):
                continue
            if start < used[match + 1] <= start + length:
                continue
            targets = used[match : match + length + 1]
            for number, target in enumerate(targets):
                if number and target == targets[number - 1]:
                    continue
                candidate = shifted(words, start, length, target)
                gain = distance - operations(candidate, reference)[0]
                key = (gain, length, -start, -target)
                tried += 1
                if best is None or key > best[0]:
                    best = (key, candidate)
            if tried >= 1000:
                break
        if tried >= 1000 or best is None or best[0][0] <= 0:
            return shifts + distance, found, words
        shifts += 1
        words = best[1]
