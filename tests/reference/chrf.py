"""chrF's counts with counters; slow and obvious."""

from string import punctuation

from reference.ngrams import ngrams


def split_words(text):
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def order_counts(hypothesis, reference, max_order):
    counts = []
    for order in range(1, max_order + 1):
        ours, theirs = ngrams(hypothesis, order), ngrams(reference, order)
        counts += [ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()]
    return counts


def chrf_row(hypothesis, reference, char_order, word_order, whitespace):
    def characters(text):
        return text if whitespace else "".join(text.split())

    return order_counts(characters(hypothesis), characters(reference), char_order) + order_counts(
        split_words(hypothesis), split_words(reference), word_order
    )
