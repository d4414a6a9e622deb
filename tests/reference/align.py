"""METEOR's matching and search, slowly and obviously.

A match is (reference start, reference length, hypothesis start, hypothesis length, stage).
"""

from collections import Counter
from dataclasses import dataclass, field, replace

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)


@dataclass
class State:
    covered_hyp: float = 0
    covered_ref: float = 0
    chunks: int = 0
    next: int = 0
    last_end: int = -1
    distance: int = 0
    used_hyp: frozenset = frozenset()
    used_ref: frozenset = frozenset()
    chosen: tuple = field(default=())

    @property
    def order(self):
        return (-(self.covered_hyp + self.covered_ref), self.chunks, self.distance)


def hyp_words(match):
    return set(range(match[2], match[2] + match[3]))


def ref_words(match):
    return set(range(match[0], match[0] + match[1]))


def apply(state, match, *, original):
    """The state after *match*, but for the distance."""
    weight = 1 if match[4] == EXACT else 0.5
    covered_hyp = state.covered_hyp + match[3] * weight
    covered_ref = state.covered_ref + match[1] * weight
    if original:
        covered_hyp, covered_ref = int(covered_hyp), int(covered_ref)
    breaks = state.last_end != -1 and match[2] != state.last_end
    return replace(
        state,
        covered_hyp=covered_hyp,
        covered_ref=covered_ref,
        chunks=state.chunks + breaks,
        next=match[0] + match[1],
        last_end=match[2] + match[3],
        used_hyp=state.used_hyp | hyp_words(match),
        used_ref=state.used_ref | ref_words(match),
        chosen=(*state.chosen, match),
    )


def skip(state):
    closed = state.last_end != -1
    return replace(state, chunks=state.chunks + closed, last_end=-1, next=state.next + 1)


def fixed_matches(candidates):
    """Matches nobody competes with: alone at their start, and on every word they cover."""
    starts = Counter(match[0] for match in candidates)
    hyp_cover = Counter(word for match in candidates for word in hyp_words(match))
    ref_cover = Counter(word for match in candidates for word in ref_words(match))
    return {
        match[0]: match
        for match in candidates
        if starts[match[0]] == 1
        and all(hyp_cover[word] == 1 for word in hyp_words(match))
        and all(ref_cover[word] == 1 for word in ref_words(match))
    }


def search(candidates, ref_length, *, original, beam=40):
    """The chosen matches, ordered by the reference.

    The last chunk of a state is closed only after the last sort, and ``min`` takes the first.
    """
    fixed = fixed_matches(candidates)
    start = State(
        used_hyp=frozenset(w for match in fixed.values() for w in hyp_words(match)),
        used_ref=frozenset(w for match in fixed.values() for w in ref_words(match)),
    )
    states = [start]
    for j in range(ref_length):
        states = [
            child
            for state in states
            for child in children(state, j, candidates, fixed, original=original)
        ]
        states = sorted(states, key=lambda state: state.order)[:beam]
    best = min((skip(state) for state in states), key=lambda state: state.order)
    return sorted(best.chosen)


def children(state, j, candidates, fixed, *, original):
    if j in state.used_ref:
        if j < state.next:
            return [state]
        match = fixed[j]
        moved = abs(match[0] - match[2])
        return [replace(apply(state, match, original=original), distance=state.distance + moved)]
    made = []
    for match in (match for match in candidates if match[0] == j):
        if hyp_words(match) & state.used_hyp or ref_words(match) & state.used_ref:
            continue
        child = apply(state, match, original=original)
        moved = abs(match[0] - match[2])
        if original:  # the parent pays, and so do all that come from it later
            state = replace(state, distance=state.distance + moved)
        else:
            child = replace(child, distance=child.distance + moved)
        made.append(child)
    return [*made, skip(state)]


def find_candidates(hyp, ref, *, stems, synsets, phrases, stages):
    """All candidates in the order the search wants them.

    *stems* and *synsets* are functions of a word; *phrases* a list of pairs of tuples of words.
    """
    found = []
    for stage in stages:
        found += stage_matches(stage, hyp, ref, stems, synsets, phrases)
        if hyp == ref:
            break
    return sorted(found, key=lambda match: match[0])


def stage_matches(stage, hyp, ref, stems, synsets, phrases):
    if stage == PARAPHRASE:
        there = [(j, len(p), i, len(q)) for j, p, i, q in phrase_places(ref, hyp, phrases)]
        back = [(j, len(q), i, len(p)) for i, p, j, q in phrase_places(hyp, ref, phrases)]
        return [(*match, PARAPHRASE) for match in there + back]
    equal = {
        EXACT: lambda h, r: h == r,
        STEM: lambda h, r: h != r and stems(h) == stems(r),
        SYNONYM: lambda h, r: h != r and bool(synsets(h) & synsets(r)),
    }[stage]
    return [
        (j, 1, i, 1, stage) for j, r in enumerate(ref) for i, h in enumerate(hyp) if equal(h, r)
    ]


def phrase_places(one, two, phrases):
    """Where a phrase starts in *one* and its paraphrase in *two*: by place, length, file order."""
    by_length = sorted(phrases, key=lambda pair: len(pair[0]))
    return [
        (start, phrase, other, paraphrase)
        for start in range(len(one))
        for phrase, paraphrase in by_length
        if tuple(one[start : start + len(phrase)]) == phrase
        for other in range(len(two))
        if tuple(two[other : other + len(paraphrase)]) == paraphrase
    ]


def chunks(matches):
    count, last = 0, None
    for match in matches:
        count += last != (match[0], match[2])
        last = (match[0] + match[1], match[2] + match[3])
    return count


def row(matches, hyp, ref, function_words):
    """The counts of a pair, as ``rankwise.text.alignment.Aligned`` describes them."""
    count = chunks(matches)
    hyp_covered, ref_covered = sum(m[3] for m in matches), sum(m[1] for m in matches)
    if count == 1 and hyp_covered == len(hyp) and ref_covered == len(ref):
        count = 0
    counts = [len(hyp), len(ref)]
    counts += [sum(word in function_words for word in side) for side in (hyp, ref)]
    counts.append(count)
    for stage in range(4):
        chosen = [match for match in matches if match[4] == stage]
        for side, words in ((hyp, hyp_words), (ref, ref_words)):
            covered = [side[w] for match in chosen for w in words(match)]
            function = sum(word in function_words for word in covered)
            counts += [len(covered) - function, function]
    return counts
