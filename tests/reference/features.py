"""BEER's features from their definitions, with counters and lists; slow and obvious."""

from collections import Counter


def utf16(text):
    units = text.encode("utf-16-le", "surrogatepass")
    return [units[i : i + 2] for i in range(0, len(units), 2)]


def ngrams(items, order):
    return [tuple(items[i : i + order]) for i in range(len(items) - order + 1)]


def shared(ours, theirs):
    return sum((Counter(ours) & Counter(theirs)).values())


def shares(matched, ours, theirs):
    precision = matched / ours if ours else 0.0
    recall = matched / theirs if theirs else 0.0
    return precision, recall


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def java_split(text):
    """Java's ``text.split(" +")``."""
    if text == "":
        return [""]
    words, rest = [], text
    while " " in rest:
        word, _, rest = rest.partition(" ")
        words.append(word)
        rest = rest.lstrip(" ")
    words.append(rest)
    while words and words[-1] == "":
        words.pop()
    return words


def pieces(text):
    """The pieces of BEER 2.0 by kind."""
    words = java_split(text)
    characters = utf16(" ".join(words))
    found = {}
    for k in range(1, 7):
        places = range(len(characters) - k + 1)
        found[f"char{k}"] = [tuple(characters[i : i + k - 1]) for i in places]
    for k in range(1, 5):
        start, end = ("start", *words[:k]), (*words[max(len(words) - k, 0) :], "end")
        found[f"ngram{k}"] = [("inside", *gram) for gram in ngrams(words, k)] + [
            ("at the start", start),
            ("at the end", end),
        ]
    for k in (1, 2, 3, 4, 1000000):
        found[f"skip{k}"] = [
            (words[i], words[j])
            for i in range(len(words))
            for j in range(i + 1, min(i + k + 2, len(words)))
        ]
    return found


def disbalance(ours, theirs):
    low, high = sorted((ours, theirs))
    return high / low - 1 if low else 100_000.0


def beer_2(hypothesis, reference):
    ours, theirs = pieces(hypothesis), pieces(reference)
    row = {}
    for kind in ours:
        matched = shared(ours[kind], theirs[kind])
        low, high = sorted(shares(matched, len(ours[kind]), len(theirs[kind])))
        row |= {f"{kind}.a": low, f"{kind}.b": high, f"{kind}.f.1.0": f1(low, high)}
        row[f"{kind}.g.1.0"] = (low * high) ** 0.5
    hyp_words, ref_words = java_split(hypothesis), java_split(reference)
    row["len_disbalance_word.d.1.0"] = disbalance(len(hyp_words), len(ref_words))
    row["len_disbalance_char.d.1.0"] = disbalance(
        len(utf16(" ".join(hyp_words))), len(utf16(" ".join(ref_words)))
    )
    return row


def beer(alignment, function_words):
    """The adequacy features of the paper, from an alignment."""
    sides = (alignment.hypothesis, alignment.reference)
    taken = (
        [
            p
            for m in alignment.matches
            for p in range(m.hypothesis_start, m.hypothesis_start + m.hypothesis_length)
        ],
        [
            p
            for m in alignment.matches
            for p in range(m.reference_start, m.reference_start + m.reference_length)
        ],
    )
    row = {}
    for kind, wanted in (("function", {True}), ("content", {False}), ("all", {True, False})):
        precision, recall = (
            sum((side[place] in function_words) in wanted for place in places) / len(side)
            if side
            else 0.0
            for side, places in zip(sides, taken, strict=True)
        )
        row |= {f"{kind}.precision": precision, f"{kind}.recall": recall}
        row[f"{kind}.f1"] = f1(precision, recall)
    ours, theirs = (" ".join(side) for side in sides)
    for n in range(1, 7):
        our, their = ngrams(ours, n), ngrams(theirs, n)
        precision, recall = shares(shared(our, their), len(our), len(their))
        row |= {f"char{n}.precision": precision, f"char{n}.recall": recall}
        row[f"char{n}.f1"] = f1(precision, recall)
    return row


def relative(values, groups, kind):
    """An intra-set feature where more is better."""
    found = []
    for value, group in zip(values, groups, strict=True):
        peers = [other for other, g in zip(values, groups, strict=True) if g == group]
        if kind == "best":
            found.append(float(value == max(peers)))
        elif kind == "rank":
            beaten = sum(other < value for other in peers)
            tied = sum(other == value for other in peers) - 1
            found.append((beaten + tied / 2) / (len(peers) - 1) if len(peers) > 1 else 0.5)
        else:
            mean = sum(peers) / len(peers)
            deviation = (sum((other - mean) ** 2 for other in peers) / len(peers)) ** 0.5
            found.append((value - mean) / deviation if deviation > 1e-9 else 0.0)
    return found
