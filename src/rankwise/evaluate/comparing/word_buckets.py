"""How well two systems get words: rare and frequent ones, short and long ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.comparing.counted_texts import CountedNgrams, Numbers, PairTexts
from rankwise.evaluate.comparing.paired_difference import PairedDifference, paired_difference
from rankwise.evaluate.scoreboard import Resampling
from rankwise.evaluate.system_scores import SystemScores
from rankwise.evaluate.work_done import Done
from rankwise.metrics.overlap import F1, Precision, Recall

#: The upper ends of the buckets; what is larger is in the last.
FREQUENCIES = (0, 1, 4, 9, 99, 999)
LENGTHS = (1, 3, 6, 10)


@dataclass(frozen=True, slots=True)
class WordBucket:
    """Words alike in frequency or length: how many there are, and how well two systems get them.

    ``kind`` is what they are alike in, ``wanted`` how many the references have. ``difference`` is
    that of F1, tested as any metric; ``precision`` and ``recall`` are those of both systems.
    """

    kind: str
    label: str
    wanted: int
    precision: tuple[float, float]
    recall: tuple[float, float]
    difference: PairedDifference


def word_buckets(
    texts: PairTexts,
    resampling: Resampling,
    *,
    counts: Mapping[str, int] | None = None,
    groups: Sequence[str] | None = None,
    done: Done | None = None,
) -> tuple[WordBucket, ...]:
    """Buckets by frequency, then by length in characters, of the words that references have.

    The frequency is that in the references, or in *counts* (of a training text, say), where a word
    that is not there has 0. A word matches as often as both sides have it; of several references
    each word counts as often as the one that has most of it. *done* is told the share of each kind.
    """
    [words] = texts.counted([1])
    usual = words.total(words.wanted) if counts is None else [counts.get(w, 0) for w in words.known]
    found: list[WordBucket] = []
    for kind, sizes, ends in (
        ("frequency", usual, FREQUENCIES),
        ("length", [len(word) for word in words.known], LENGTHS),
    ):
        rows = bucket_rows(words, len(texts), sizes, ends)
        for place, label in enumerate(bucket_labels(ends)):
            bucket = _bucket(kind, label, rows[:, place], resampling, groups)
            found += [bucket] if bucket is not None else []
        if done is not None:
            done(1 / 2)
    return tuple(found)


def bucket_labels(ends: Sequence[int]) -> list[str]:
    """What the buckets are called.

    >>> bucket_labels((0, 1, 4))
    ['0', '1', '2-4', '5+']
    """
    lows = [ends[0], *(end + 1 for end in ends[:-1])]
    pairs = zip(lows, ends, strict=True)
    return [*(str(a) if a == b else f"{a}-{b}" for a, b in pairs), f"{ends[-1] + 1}+"]


def bucket_rows(
    words: CountedNgrams, segments: int, sizes: Sequence[int] | Numbers, ends: Sequence[int]
) -> Numbers:
    """``[s, b, i]``: matches, words of the output, words of the reference of segment i.

    *sizes* are those of all known words; one at an end is in the bucket below it.
    """
    number = len(ends) + 1
    buckets = np.searchsorted(ends, np.asarray(sizes, np.int64))
    cells = words.segments * number + buckets[words.ngrams]
    outputs = ((words.first_matches, words.first), (words.second_matches, words.second))
    rows = [
        np.bincount(cells, counts, segments * number).reshape(segments, number).T
        for matches, output in outputs
        for counts in (matches, output, words.wanted)
    ]
    shaped = np.stack(rows).reshape(2, 3, number, segments).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(shaped, np.int64)


def _bucket(
    kind: str,
    label: str,
    rows: NDArray[np.int64],
    resampling: Resampling,
    groups: Sequence[str] | None,
) -> WordBucket | None:
    first, second = rows.sum(axis=1)
    if not first[2]:
        return None
    by_system = {"first": rows[0], "second": rows[1]}
    result = SystemScores(F1(), by_system, list(range(rows.shape[1])))
    difference = paired_difference(result, resampling, groups)
    assert difference is not None  # F1 is a number for every segment
    precision, recall = (
        (float(metric.score(first)), float(metric.score(second)))
        for metric in (Precision(), Recall())
    )
    return WordBucket(kind, label, int(first[2]), precision, recall, difference)
