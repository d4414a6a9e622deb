"""Features of many outputs: metrics as columns, and parts computed on processes or a cluster."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.engine import Site
from rankwise.learning.features import Features
from rankwise.learning.features.context import NO_CONTEXT, Context
from rankwise.metrics.features import features, metric_features
from rankwise.text.line_limits import check_learned_lengths

__all__ = ["computed_features", "features", "metric_features"]

#: Gives features that are kept, or those that are computed, which it keeps. Its
#: arguments: what decides them but outputs and references, their names, texts, references and
#: groups, and what computes them.
KeptFeatures = Callable[
    [
        str,
        Sequence[str],
        Sequence[str],
        Sequence[Sequence[str]],
        Sequence[int],
        Callable[[], NDArray[np.float64]],
    ],
    NDArray[np.float64],
]
Part = tuple[Sequence[str], Sequence[Sequence[str]], Sequence[int], Context]
#: How many outputs a worker gets at a time: seconds of work, and little to repeat when one dies.
PART = 5_000


def computed_features(
    chosen: Features,
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
    groups: Sequence[int],
    context: Context = NO_CONTEXT,
    *,
    site: Site | None = None,
    size: int = PART,
) -> NDArray[np.float64]:
    """The features of outputs, shape (n, k): computed here, or in parts at *site*.

    Features see one output or, if intra-set, those of its group. Outputs of one group, which must
    follow each other, stay together, so that parts give the same numbers to the last bit; but a
    network may round otherwise in other batches. *context* is what some features read beside.

    >>> beer, texts, references = features("beer"), ["a b", "b"], [("a b",), ("a b",)]
    >>> here = computed_features(beer, texts, references, [0, 0])
    >>> there = computed_features(beer, texts, references, [0, 0], site=Site(workers=1))
    >>> bool((here == there).all())
    True
    """
    check_learned_lengths(texts, references)
    if site is None:
        return chosen.values(texts, references, groups, context)
    parts = list(_parts(texts, references, groups, context, size))
    found = site.values(partial(_part_values, chosen), parts)
    return np.concatenate(found) if found else np.empty((0, len(chosen.names)))


def _part_values(chosen: Features, part: Part) -> NDArray[np.float64]:
    return chosen.values(*part)


def _parts(
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
    groups: Sequence[int],
    context: Context,
    size: int,
) -> Iterator[Part]:
    """Parts of at least *size* outputs, the last aside, that end where a group does."""
    start = 0
    for end in range(1, len(texts) + 1):
        is_end = end == len(texts) or (end - start >= size and groups[end] != groups[end - 1])
        if is_end:
            yield (
                texts[start:end],
                references[start:end],
                groups[start:end],
                context.part(start, end),
            )
            start = end
