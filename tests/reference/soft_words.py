"""Words that match in part, from their definition; slow and obvious."""

import math
import re
from itertools import pairwise

from rankwise.text.soft_words import soft_words


def split_words(text):
    """Words in lower case, and what stands between spaces where a character alone does not tell.

    Those are capital sigma, whose lower case depends on what is around it; what becomes several
    characters in lower case, or one that has more or fewer bytes; and rare scripts.
    """
    found = []
    for chunk in re.findall(r"[^ \t\n\r\f]+", text):
        found += [chunk] if any(map(is_rest, chunk)) else soft_words(chunk)
    return found


def is_rest(character):
    lower = character.lower()
    lengths = {len(text.encode(errors="surrogatepass")) for text in (character, lower)}
    return character == "\u03a3" or ord(character) >= 0x20000 or len(lengths) > 1


def longest_common(first, second):
    """Letters of the longest string that both words hold."""
    return max(
        (
            end - begin
            for begin in range(len(first))
            for end in range(begin + 1, len(first) + 1)
            if first[begin:end] in second
        ),
        default=0,
    )


def likeness(first, second, substitutes):
    if first == second:
        return 1.0
    found = [substitutes.get((first, second), 0.0), substitutes.get((second, first), 0.0)]
    whole = [
        len(w) < 4 or len(w) > 64 or any(c in "0123456789" for c in w) for w in (first, second)
    ]
    if not any(whole):
        share = 2 * longest_common(first, second) / (len(first) + len(second))
        found.append((share - 0.3) / (1 - 0.3))
    return min(0.999, max(found))


def alignment(hypothesis, reference, substitutes):
    """``{(place, place): likeness}``, one to one."""
    alike = {
        (i, j): likeness(ours, theirs, substitutes)
        for i, ours in enumerate(hypothesis)
        for j, theirs in enumerate(reference)
    }
    candidates = {place: value for place, value in alike.items() if value > 0.1}
    n, m = len(hypothesis), len(reference)
    # The places before and behind both texts are alike.
    around = {**candidates, (-1, -1): 1.0, (n, m): 1.0}

    def order(place):
        i, j = place
        near = around.get((i - 1, j - 1), 0.0) + around.get((i + 1, j + 1), 0.0)
        return -(candidates[place] + 0.1 * near), abs(i / n - j / m), i, j

    chosen = {}
    for i, j in sorted(candidates, key=order):
        if all(i != a and j != b for a, b in chosen):
            chosen[i, j] = candidates[i, j]
    return chosen


def masses(words, matches, other_size, weights):
    """Of words and of pairs: the weight of all, and of what is matched."""
    padded = [("", -1, 1.0)]
    padded += [(word, *matches.get(i, (None, 0.0))) for i, word in enumerate(words)]
    padded += [("", other_size, 1.0)]
    weight = {**weights, "": 0.0}
    all_words = sum(weight[word] for word in words)
    matched = sum(weight[word] * value for word, _, value in padded)
    all_pairs = pairs = 0.0
    for (left, a, alike), (right, b, like) in pairwise(padded):
        all_pairs += weight[left] + weight[right]
        if a is not None and b is not None and b == a + 1:
            pairs += (weight[left] + weight[right]) * math.sqrt(alike * like)
    return all_words, matched, all_pairs, pairs


def soft_matches(hypothesis, reference, weights, substitutes):
    """The row of the native core."""
    chosen = alignment(hypothesis, reference, substitutes)
    ours = {i: (j, value) for (i, j), value in chosen.items()}
    theirs = {j: (i, value) for (i, j), value in chosen.items()}
    a = masses(hypothesis, ours, len(reference), weights)
    b = masses(reference, theirs, len(hypothesis), weights)
    return [a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]]
