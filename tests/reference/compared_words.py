"""Words and n-grams of two systems, counted in the slowest way there is."""


def grams(words, order):
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def matches(output, references, gram):
    """How often *gram* is in the output, at most as often as in the reference that has most."""
    order = len(gram)
    most = max((grams(r, order).count(gram) for r in references), default=0)
    return min(grams(output, order).count(gram), most)


def wanted(references, gram):
    return max((grams(r, len(gram)).count(gram) for r in references), default=0)


def gains(first, second, references, order):
    """By n-gram: wanted, first, second, first alone, second alone; those that differ somewhere."""
    every = {gram for some in references for r in some for gram in grams(r, order)}
    found = {}
    for gram in every:
        one = [matches(o, r, gram) for o, r in zip(first, references, strict=True)]
        two = [matches(o, r, gram) for o, r in zip(second, references, strict=True)]
        alone = sum(max(0, a - b) for a, b in zip(one, two, strict=True))
        other = sum(max(0, b - a) for a, b in zip(one, two, strict=True))
        if alone != other:
            total = sum(wanted(r, gram) for r in references)
            found[gram] = (total, sum(one), sum(two), alone, other)
    return found


def rows(output, references, bucket, number):
    """``[b, i]``: matches, words of the output, words of the references of segment i."""
    cells = [[[0, 0, 0] for _ in references] for _ in range(number)]
    for place, (words, some) in enumerate(zip(output, references, strict=True)):
        every = {*words, *(word for r in some for word in r)}
        for word in every:
            cell = cells[bucket(word)][place]
            cell[0] += matches(words, some, (word,))
            cell[1] += words.count(word)
            cell[2] += wanted(some, (word,))
    return cells
