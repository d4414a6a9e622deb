"""Resampled sums in blocks of bounded memory, and the scores of systems in every resample.

The random stream is that of ``np.random.default_rng(seed)`` as sacreBLEU uses it; see
``native/sampling/resample.hpp``. Nothing here holds more than a block of sums.
"""

from collections.abc import Iterator, Mapping
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
    statistics = Statistics.of(rows, groups)
    blocks = bootstrap_sums(statistics, samples=samples, seed=seed)
    resampled = np.concatenate([np.asarray(metric.score(sums), np.float64) for sums in blocks])
    return Bootstrap(
        statistics.systems,
        np.asarray(metric.score(statistics.totals), np.float64),
        resampled,
        getattr(metric, "higher_is_better", True),
        signature(metric, Drawn(samples, seed, unit(groups))),
    )


def bootstrap_sums(statistics: Statistics, *, samples: int, seed: int) -> Iterator[Rows]:
    """Blocks (resamples, systems, columns) of sums over items drawn with replacement."""
    resampler = _core.Resampler(statistics.flat, generator_state(seed))
    for size in _block_sizes(statistics, samples):
        yield statistics.rescaled(statistics.shaped(resampler.bootstrap(size)))


def coin_sums(statistics: Statistics, *, samples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Blocks (resamples, systems, columns) of integer sums over the items that a coin picks."""
    resampler = _core.Resampler(statistics.flat, generator_state(seed))
    for size in _block_sizes(statistics, samples):
        yield statistics.shaped(resampler.coins(size))


def signature(metric: RowScorer, drawing: Named) -> str:
    """What decides the numbers: the metric and the way of resampling."""
    return f"{getattr(metric, 'signature', type(metric).__name__)} {drawing.signature}"


def unit(groups: Groups | None) -> str:
    """What is drawn or exchanged at a time, for signatures."""
    return "item" if groups is None else "group"


def _block_sizes(statistics: Statistics, samples: int) -> Iterator[int]:
    """Sizes of blocks: multiples of 64, at which the stream of coins can be cut, and the rest."""
    if samples < 1:
        raise DataError(f"{samples} resamples; expected at least 1")
    columns = max(1, statistics.integers[0].size)
    block = max(64, _BLOCK // columns // 64 * 64)
    for first in range(0, samples, block):
        yield min(block, samples - first)
