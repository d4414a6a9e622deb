"""Random samples and random disjoint parts of a test set, with documents kept whole if asked.

Both functions return positions, so that the same choice applies to a test set
(``TestSet.subset``), to parallel files and to columns of scores.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.testset import Segment, TestSet

Items = TestSet | Sequence[Segment] | int
Indices = NDArray[np.intp]


def sample(items: Items, size: int, *, seed: int, by_document: bool = False) -> Indices:
    """Positions of a random sample without repetition, in the order of the test set.

    *items* is a test set, its segments, or just how many there are. ``by_document=True`` takes
    whole documents, see ``split``; the sample then holds about *size* segments: count it.

    >>> sample(10, 3, seed=1)
    array([3, 4, 5])
    """
    return split(items, {"sample": size}, seed=seed, by_document=by_document)["sample"]


def split(
    items: Items, sizes: Mapping[str, int | None], *, seed: int, by_document: bool = False
) -> dict[str, Indices]:
    """Positions of random disjoint parts, each in the order of the test set.

    *sizes* says how many segments each named part gets; ``None``, for one part, is the rest. What
    no part asks for is in no part.

    ``by_document=True`` keeps documents whole: they are put into random order and dealt to the
    parts one after the other. A part takes documents, at least one if it asks for any segment, for
    as long as each brings its number of segments nearer to its size; so it misses its size by less
    than one document, unless documents run out. A segment without a document is a document of its
    own.

    >>> split(6, {"train": None, "test": 2}, seed=1)
    {'train': array([0, 2, 4, 5]), 'test': array([1, 3])}
    """
    block = _documents(items) if by_document else _singles(items)
    _check_sizes(sizes, len(block))
    place = np.random.default_rng(seed).permutation(int(block.max(initial=-1)) + 1)[block]
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))
    parts: dict[str, Indices] = {}
    start = 0
    for name, size in sorted(sizes.items(), key=lambda item: item[1] is None):
        stop = len(order) if size is None else _nearest_end(ends, start, size)
        if size and stop == start:
            raise DataError(f"no document is left for part {name!r} of {size} segments")
        parts[name] = np.sort(order[start:stop])
        start = stop
    return {name: parts[name] for name in sizes}


def _singles(items: Items) -> Indices:
    return np.arange(items if isinstance(items, int) else len(items))


def _documents(items: Items) -> Indices:
    """The number of each segment's document."""
    if isinstance(items, int):
        raise DataError("documents are kept whole only where segments say their document")
    segments = items.segments if isinstance(items, TestSet) else items
    if segments and all(segment.document is None for segment in segments):
        raise DataError("no segment says its document; expected documents to keep whole")
    numbers: dict[str | int, int] = {}
    keys = [
        i if segment.document is None else segment.document for i, segment in enumerate(segments)
    ]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)


def _check_sizes(sizes: Mapping[str, int | None], total: int) -> None:
    given = [size for size in sizes.values() if size is not None]
    if len(sizes) - len(given) > 1:
        raise DataError("two parts ask for the rest; expected at most one")
    for name, size in sizes.items():
        if size is not None and size < 0:
            raise DataError(f"part {name!r} has size {size}; expected 0 or more")
    if sum(given) > total:
        asked = " + ".join(str(size) for size in given)
        raise DataError(f"{asked} segments are asked for, but there are {total}")


def _nearest_end(ends: NDArray[np.int64], start: int, size: int) -> int:
    """The end of a block that makes the part from *start* nearest to *size*; ties: the shorter."""
    if not size or start == (ends[-1] if len(ends) else 0):
        return start
    above = min(int(np.searchsorted(ends, start + size)), len(ends) - 1)
    longer = int(ends[above])
    shorter = int(ends[above - 1]) if above else 0
    if shorter <= start or longer - start - size < start + size - shorter:
        return longer
    return shorter
