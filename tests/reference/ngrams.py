"""Clipped n-gram matches with counters; slow and obvious."""

from collections import Counter

from reference.tokenise import tokenise


def ngrams(items, order):
    return Counter(tuple(items[i : i + order]) for i in range(len(items) - order + 1))


def bleu_row(hypothesis, references, tokenizer, max_order):
    words = tokenise(hypothesis.rstrip(), tokenizer)
    others = [tokenise(reference.rstrip(), tokenizer) for reference in references]
    lengths = sorted(len(other) for other in others)
    ref_len = min(lengths, key=lambda length: abs(length - len(words)))
    matches, totals = [], []
    for order in range(1, max_order + 1):
        ours = ngrams(words, order)
        most = Counter()
        for other in others:
            most |= ngrams(other, order)
        matches.append((ours & most).total())
        totals.append(ours.total())
    return [len(words), ref_len, *matches, *totals]


def overlap_row(hypothesis, reference, tokenizer):
    ours = tokenise(hypothesis.rstrip(), tokenizer)
    theirs = tokenise(reference.rstrip(), tokenizer)
    return [(Counter(ours) & Counter(theirs)).total(), len(ours), len(theirs)]
