"""What judges said of pairs of texts, as columns: the labels that agreement is counted on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.shared_texts import with_shared_texts
from rankwise.types import Judgments

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """One label per judged pair of texts.

    ``item[k]`` numbers what was judged, two texts of one segment; ``sign[k]`` is +1, 0 or -1 when
    the first text of the item was judged better than, equal to or worse than the second, by
    ``judge[k]``. Items are numbered from 0; ``segment_of[item]`` numbers their segments, of which
    there are ``segments`` (a segment of another language pair is another segment).
    """

    item: Codes
    judge: Codes
    sign: Codes
    segment_of: Codes
    segments: int
    judges: int

    def __len__(self) -> int:
        return len(self.item)


def labels(judgments: Judgments, *, expanded: bool = False, mirrored: bool = True) -> Labels:
    """The labels of all pairs of ranked texts.

    Systems that produced the same text were judged in one look and are one text, also where an
    expanded file of WMT forgot it (:func:`with_shared_texts`); ``expanded=True`` gives each of them
    its own label. ``mirrored=True`` makes (A, B) and (B, A) the same item;
    otherwise they are two, and so are the texts ``a+b`` and ``b+a``, as in the WMT scripts.

    >>> from rankwise.types import Ranking
    >>> seen = [Ranking("1", "ann", ("A", "B"), (1, 2)), Ranking("1", "bob", ("B", "A"), (2, 1))]
    >>> found = labels(Judgments.from_rankings(seen))
    >>> found.item, found.sign
    (array([0, 0]), array([1, 1]))
    """
    texts = judgments
    if not expanded:
        texts = one_item_per_text(with_shared_texts(judgments), any_order=mirrored)
    pairs = texts.pairs()
    left, right = pairs.left.astype(np.int64), pairs.right.astype(np.int64)
    sign = pairs.sign.astype(np.int64)
    if mirrored:
        sign = np.where(left > right, -sign, sign)
        left, right = np.minimum(left, right), np.maximum(left, right)
    place = _joint(texts.language, texts.segment, len(texts.segments))
    segments, place = np.unique(place, return_inverse=True)
    segment = place[pairs.ranking]
    two = _joint(left, right, len(texts.systems))
    if len(segments) * len(texts.systems) ** 2 >= 1 << 62:
        two = np.unique(two, return_inverse=True)[1]
    _, first, item = np.unique(
        _joint(segment, two, int(two.max(initial=0)) + 1), return_index=True, return_inverse=True
    )
    judge = texts.judge[pairs.ranking].astype(np.int64)
    return Labels(item, judge, sign, segment[first], len(segments), len(texts.judges))


def _joint(major: NDArray[Any], minor: NDArray[Any], size: int) -> Codes:
    """One number for two, of which *minor* is below *size*."""
    joint: Codes = major.astype(np.int64) * size + minor
    return joint


def one_item_per_text(judgments: Judgments, *, any_order: bool = True) -> Judgments:
    """The same rankings with systems that shared a text as one, which is named by a number.

    The same systems are the same number; with ``any_order=False`` only if they come in the same
    order.
    """
    ranking = np.repeat(np.arange(len(judgments), dtype=np.int64), judgments.sizes)
    text = (ranking << 16) + judgments.output
    numbers, sizes = np.unique(text, return_counts=True)
    if len(numbers) == len(text):
        return judgments
    system = judgments.system.astype(np.int64)
    order = np.lexsort((system, text)) if any_order else np.argsort(text, kind="stable")
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    codes, count = _group_codes(system[order], starts, sizes, len(judgments.systems))
    firsts = order[starts]
    texts_per_ranking = np.bincount(numbers >> 16, minlength=len(judgments))
    return Judgments(
        tuple(map(str, range(count))),
        judgments.segments,
        judgments.judges,
        judgments.languages,
        starts=np.concatenate(([0], np.cumsum(texts_per_ranking))).astype(np.int64),
        system=codes.astype(np.int32),
        rank=judgments.rank[firsts],
        output=judgments.output[firsts],
        segment=judgments.segment,
        judge=judgments.judge,
        language=judgments.language,
        screen=judgments.screen,
        screens=judgments.screens,
    )


def _group_codes(members: Codes, starts: Codes, sizes: Codes, count: int) -> tuple[Codes, int]:
    """A number for every list of members, equal for equal lists, and how many numbers there are.

    A list of k is numbered by the number of its first k - 1 and its last, in k steps over all.
    """
    codes = members[starts]
    for length in range(1, int(sizes.max(initial=0))):
        longer = sizes > length
        extended = _joint(codes[longer], members[starts[longer] + length], count)
        found, inverse = np.unique(extended, return_inverse=True)
        codes[longer] = count + inverse
        count += len(found)
    return codes, count
