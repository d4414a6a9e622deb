"""Pairs of labels counted without making them: how many are comparable, how many identical.

Of n labels of one item n (n - 1) / 2 pairs are comparable, and the same of those with one sign are
identical. Everything here is a sum of such numbers over items, judges or segments.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.judge_labels import Codes, Labels


@dataclass(frozen=True, slots=True, eq=False)
class LabelCounts:
    """How often each judge gave each sign to each item.

    Cell c says that ``judge[c]`` gave the sign ``sign[c]`` to ``item[c]`` ``count[c]`` times. Block
    b sums the cells of one item and judge: ``block_item``, ``block_judge``, ``block_count``.
    ``of_item[i]`` and ``of_sign[i, s]`` sum over judges; signs are numbered 0, 1, 2 here.
    """

    item: Codes
    judge: Codes
    sign: Codes
    count: Codes
    block_item: Codes
    block_judge: Codes
    block_count: Codes
    of_item: Codes
    of_sign: Codes

    @classmethod
    def of(cls, labels: Labels) -> "LabelCounts":
        """The counts of *labels*."""
        judges = max(1, labels.judges)
        code = (labels.item * judges + labels.judge) * 3 + labels.sign + 1
        cells, count = np.unique(code, return_counts=True)
        blocks, sign = np.divmod(cells, 3)
        block, first = np.unique(blocks, return_index=True)
        item, judge = np.divmod(blocks, judges)
        of_sign = _sums(item * 3 + sign, count, 3 * len(labels.segment_of)).reshape(-1, 3)
        return cls(
            item,
            judge,
            sign,
            count,
            *np.divmod(block, judges),
            np.add.reduceat(count, first) if len(first) else count,
            of_sign.sum(axis=1),
            of_sign,
        )


def pairs_by_segment(counts: LabelCounts, labels: Labels, *, own: bool, others: bool) -> Codes:
    """Identical and comparable pairs of labels of every segment, (segments, 2).

    *own* pairs are of one judge, *others* of two.
    """
    segment, size = labels.segment_of, labels.segments
    found = np.zeros((size, 2), np.int64)
    if others:
        identical = _pairs(counts.of_sign).sum(axis=1)
        found += _two(segment, identical, segment, _pairs(counts.of_item), size)
    if own != others:
        cells, blocks = segment[counts.item], segment[counts.block_item]
        mine = _two(cells, _pairs(counts.count), blocks, _pairs(counts.block_count), size)
        found += mine if own else -mine
    return found


def own_pairs_by_judge(counts: LabelCounts, labels: Labels) -> Codes:
    """Identical and comparable pairs of labels that a judge gave to one item, (judges, 2)."""
    identical, comparable = _pairs(counts.count), _pairs(counts.block_count)
    return _two(counts.judge, identical, counts.block_judge, comparable, labels.judges)


def shared_pairs_by_judge(counts: LabelCounts, labels: Labels) -> Codes:
    """Identical and comparable pairs of a label of the judge and one of another, (judges, 2)."""
    identical = counts.count * (counts.of_sign[counts.item, counts.sign] - counts.count)
    comparable = counts.block_count * (counts.of_item[counts.block_item] - counts.block_count)
    return _two(counts.judge, identical, counts.block_judge, comparable, labels.judges)


def in_repeating_blocks(counts: LabelCounts, labels: Labels) -> NDArray[np.bool_]:
    """Which labels are by a judge who labels an item of their segment more than once."""
    block = labels.segment_of[counts.block_item] * labels.judges + counts.block_judge
    repeating = np.unique(block[counts.block_count > 1])
    return np.isin(labels.segment_of[labels.item] * labels.judges + labels.judge, repeating)


def ties_and_labels(groups: Codes, signs: Codes, size: int) -> Codes:
    """Ties and labels of every group, (groups, 2)."""
    return _two(groups, signs == 0, groups, np.ones(len(groups)), size)


def _pairs(count: Codes) -> Codes:
    return count * (count - 1) // 2


def _sums(groups: Codes, values: NDArray[Any], size: int) -> Codes:
    """Sums of whole *values* by group; floats hold them exactly up to 2^53."""
    return np.rint(np.bincount(groups, weights=values, minlength=size)).astype(np.int64)


def _two(
    first: Codes, values: NDArray[Any], second: Codes, others: NDArray[Any], size: int
) -> Codes:
    return np.stack([_sums(first, values, size), _sums(second, others, size)], axis=1)
