"""Resampled sums in blocks of bounded memory, and the scores of systems in every resample.

The random stream is that of ``np.random.default_rng(seed)`` as sacreBLEU uses it; see
``native/sampling/resample.hpp``. Nothing here holds more than a block of sums.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.significance.statistics import Groups, Rows, RowScorer, Statistics
from rankwise.types.named import Named
from rankwise.types.seeds import generator_state

#: The seed and the numbers of resamples that sacreBLEU uses when told nothing.
SEED = 12345
BOOTSTRAP_SAMPLES = 1000
SHUFFLES = 10_000
_BLOCK = 1 << 22  # numbers in a block of sums: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """Scores of systems on all items and on resamples of them.

    ``resampled[r, s]`` is the score of system s in resample r; all systems share the draws.
    """

    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    resampled: NDArray[np.float64]
    higher_is_better: bool = True
    signature: str = ""


@dataclass(frozen=True)
class Drawn(Named):
    """How resamples were drawn, for signatures."""

    name: ClassVar[str] = "bootstrap"
    kind: ClassVar[str] = "resampling"
    samples: int
    seed: int
    unit: str


def bootstrap(
    rows: Mapping[str, Rows],
    metric: RowScorer,
    *,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
    groups: Groups | None = None,
) -> Bootstrap:
    r"""Score every system on *samples* draws of the items with replacement.

    .. math:: s_r = \text{score}\Bigl(\sum_{i \in D_r} x_i\Bigr), \quad D_r \sim \{1..n\}^n

    *rows* are statistics of the same items by system; *metric* scores their sums. With *groups*
    (a label per item, such as its document) whole groups are drawn. One :class:`Bootstrap` answers
    all questions: intervals, paired tests and rank ranges. Efron (1979); Koehn (2004), EMNLP.

    >>> from rankwise.significance import MeanScore
    >>> rows = {"A": np.array([[1, 1], [3, 1]]), "B": np.array([[2, 1], [2, 1]])}
    >>> bootstrap(rows, MeanScore(), samples=4).resampled.T
    array([[2., 2., 2., 3.],
           [2., 2., 2., 2.]])
    """
    return bootstraps([(rows, metric)], samples=samples, seed=seed, groups=groups)[0]


def bootstraps(
    cases: Sequence[tuple[Mapping[str, Rows], RowScorer]],
    *,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
    groups: Groups | None = None,
) -> list[Bootstrap]:
    """What :func:`bootstrap` gives for each of several metrics of the same items.

    All have the same draws, which are made once for the metrics that count.
    """
    known = [Statistics.of(rows, groups) for rows, _ in cases]
    found: dict[int, NDArray[np.float64]] = {}
    for places in _together(known):
        chosen = [known[place] for place in places]
        blocks = [
            [_scores(cases[place][1], sums) for place, sums in zip(places, block, strict=True)]
            for block in _sums_together(chosen, samples=samples, seed=seed)
        ]
        for place, scores in zip(places, zip(*blocks, strict=True), strict=True):
            found[place] = np.concatenate(scores)
    return [
        Bootstrap(
            statistics.systems,
            _scores(metric, statistics.totals),
            found[place],
            getattr(metric, "higher_is_better", True),
            signature(metric, Drawn(samples, seed, unit(groups))),
        )
        for place, (statistics, (_, metric)) in enumerate(zip(known, cases, strict=True))
    ]


def _scores(metric: RowScorer, sums: Rows) -> NDArray[np.float64]:
    return np.asarray(metric.score(sums), np.float64)


def _together(known: Sequence[Statistics]) -> list[list[int]]:
    """The places of statistics that are drawn at once: those of counts, by their items.

    Others have large numbers, which would make the sums of all slow.
    """
    counts: dict[int, list[int]] = {}
    for place, statistics in enumerate(known):
        key = len(statistics.integers) if statistics.is_whole else -1 - place
        counts.setdefault(key, []).append(place)
    return list(counts.values())


def _sums_together(
    chosen: Sequence[Statistics], *, samples: int, seed: int
) -> Iterator[tuple[Rows, ...]]:
    """Blocks of sums of each of the statistics, over the same draws."""
    flat = np.concatenate([statistics.flat for statistics in chosen], axis=1)
    ends = np.cumsum([statistics.flat.shape[1] for statistics in chosen])[:-1]
    resampler = _core.Resampler(flat, generator_state(seed))
    for size in _block_sizes(flat.shape[1], samples):
        parts = np.split(resampler.bootstrap(size), ends, axis=1)
        yield tuple(
            statistics.rescaled(statistics.shaped(np.ascontiguousarray(part)))
            for statistics, part in zip(chosen, parts, strict=True)
        )


def coin_sums(statistics: Statistics, *, samples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Blocks (resamples, systems, columns) of integer sums over the items that a coin picks."""
    resampler = _core.Resampler(statistics.flat, generator_state(seed))
    for size in _block_sizes(statistics.integers[0].size, samples):
        yield statistics.shaped(resampler.coins(size))


def signature(metric: RowScorer, drawing: Named) -> str:
    """What decides the numbers: the metric and the way of resampling."""
    return f"{getattr(metric, 'signature', type(metric).__name__)} {drawing.signature}"


def unit(groups: Groups | None) -> str:
    """What is drawn or exchanged at a time, for signatures."""
    return "item" if groups is None else "group"


def _block_sizes(columns: int, samples: int) -> Iterator[int]:
    """Sizes of blocks: multiples of 64, at which the stream of coins can be cut, and the rest."""
    if samples < 1:
        raise DataError(f"{samples} resamples; expected at least 1")
    block = max(64, _BLOCK // max(1, columns) // 64 * 64)
    for first in range(0, samples, block):
        yield min(block, samples - first)
