"""Corpus scores and nothing else: sums of statistics, without the arrays that resampling needs.

Arrays take longer to load than a test set to score. Where one number of each system is all that
is asked for, sums are plain lists, and the formula of the metric is worked out in plain floats.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from rankwise._lazy import LazyModule
from rankwise.errors import DataError
from rankwise.metrics import Metric
from rankwise.types.text_block import Block

np = LazyModule("numpy")

#: More than the values of plain floats and of arrays differ, relatively.
_ROUNDING = 1e-9


class PlainScores(NamedTuple):
    """What every metric says about every system: ``values[metric][system]``."""

    metrics: tuple[Metric, ...]
    systems: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def order(self) -> list[int]:
        """Places of the systems, best first by the first metric; of equals, by their names."""
        sign = -1 if self.metrics[0].higher_is_better else 1
        keys = [(sign * value, self.systems[s], s) for s, value in enumerate(self.values[0])]
        return [place for *_, place in sorted(keys)]

    def is_best(self, metric: int, system: int) -> bool:
        """Whether no system is better by that metric."""
        best = max if self.metrics[metric].higher_is_better else min
        return self.values[metric][system] == best(self.values[metric])


def has_plain_scores(metric: Metric) -> bool:
    """Whether the metric has sums and scores without arrays, of the same rows and formula."""
    places = [_place(metric, name) for name in ("statistics", "score", "total")]
    return _place(metric, "plain_totals") <= min(places)


def _place(metric: Metric, name: str) -> int:
    """How far up, from its class, a method of the metric is defined."""
    return next(place for place, owner in enumerate(type(metric).__mro__) if name in vars(owner))


def digits_of(metric: Metric) -> str:
    """The format of its scores: metrics of the scale 0-1 get more digits."""
    return ".4f" if metric.best == 1 else ".2f"


def plain_scores(blocks: Iterable[Block], metrics: Sequence[Metric]) -> PlainScores:
    """Scores of the systems of *blocks*, which have one reference per segment.

    Printed with the digits of their metrics, they are those that arrays give.
    """
    sums: list[dict[str, list[float]]] = [{} for _ in metrics]
    for block in blocks:
        for metric, of_systems in zip(metrics, sums, strict=True):
            for system, texts in block.outputs.items():
                with block.places_of(system):
                    found = metric.plain_totals(texts, block.references)
                before = of_systems.get(system)
                of_systems[system] = found if before is None else _added(before, found)
    if not sums or not sums[0]:
        raise DataError("there is no segment to score; expected at least one")
    values = [
        _values(metric, list(of_systems.values()))
        for metric, of_systems in zip(metrics, sums, strict=True)
    ]
    return PlainScores(tuple(metrics), tuple(sums[0]), tuple(values))


def _added(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(one, other, strict=True)]


def _values(metric: Metric, rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The scores; where the last bit might show, those that arrays give.

    Exponentials of arrays are rounded otherwise than those of single numbers.
    """
    values = [metric.plain_score(row) for row in rows]
    if _are_clear(values, rows, digits_of(metric)):
        return tuple(values)
    return tuple(float(metric.score(np.array(row))) for row in rows)


def _are_clear(values: Sequence[float], rows: Sequence[Sequence[float]], form: str) -> bool:
    """Whether no rounding can change what is printed, or which of two systems is better."""
    for value in values:
        if format(value * (1 - _ROUNDING), form) != format(value * (1 + _ROUNDING), form):
            return False
    different = sorted({(value, *row) for value, row in zip(values, rows, strict=True)})
    return all(one[0] < other[0] * (1 - _ROUNDING) for one, other in pairwise(different))
