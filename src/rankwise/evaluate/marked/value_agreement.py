"""How far judges agree on values: Krippendorff's alpha with an interval over segments."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.marked.span_agreement import SpanMeasure
from rankwise.significance.few_items import intervals_of_few
from rankwise.significance.resample import bootstrap
from rankwise.types import Assessments
from rankwise.types.judging.assessments import REAL_ROLES

Floats = NDArray[np.float64]


class ValueAlpha:
    r"""Krippendorff's alpha on the interval scale, from rows that may be added.

    A row is ``[apart, n, sum, squares]`` over the values of units with several of them: ``apart``
    is the sum of :math:`m_u s_u^2` with :math:`s_u^2` the sample variance of the unit's m values.

    .. math:: \alpha = 1 - \frac{(n - 1)\,\text{apart}}{n\,\text{squares} - \text{sum}^2}
    """

    signature = "alpha"
    higher_is_better = True

    def score(self, rows: NDArray[Any]) -> Any:
        """Alpha of (sums of) rows; nan where nothing was judged twice or all values are equal."""
        apart, n, total, squares = np.moveaxis(np.asarray(rows, np.float64), -1, 0)
        expected = n * squares - total**2
        found: Floats = np.full(np.shape(expected), np.nan)
        np.divide((n - 1) * apart, expected, out=found, where=expected > 1e-9 * (n * squares + 1))
        return float(1 - found) if found.ndim == 0 else 1 - found


def value_alpha(
    assessments: Assessments, *, samples: int = 1000, seed: int = 1, level: float = 0.95
) -> tuple[SpanMeasure, int]:
    """Alpha of the values on every judge's own scale, and how many values it rests on.

    A unit is one output of a system; only the first value of a judge counts, and only of systems'
    own outputs.

    >>> rows = [(s, "1", j, "TGT", v) for s, v in (("A", 9), ("B", 5)) for j in ("ann", "bob")]
    >>> value_alpha(Assessments.from_rows(rows))[0].value
    1.0
    """
    real = np.array([role in REAL_ROLES for role in assessments.roles], np.bool_)
    counts = np.flatnonzero(real[assessments.role] & ~np.isnan(assessments.value))
    system, segment, judge = (
        getattr(assessments, name)[counts].astype(np.int64)
        for name in ("system", "segment", "judge")
    )
    unit = segment * max(1, len(assessments.systems)) + system
    first = np.unique(unit * max(1, len(assessments.judges)) + judge, return_index=True)[1]
    unit, segment = unit[first], segment[first]
    value = assessments.standardised()[counts][first]
    rows = _rows(unit, segment, value)
    nothing = float("nan")
    if not len(rows):
        return SpanMeasure("alpha", nothing, nothing, nothing, 0.0), 0
    found = float(ValueAlpha().score(rows.sum(axis=0)))
    low = high = nothing
    if len(rows) > 1:
        drawn = bootstrap({"alpha": rows}, ValueAlpha(), samples=samples, seed=seed)
        if not np.isnan(drawn.resampled).any():
            ends = intervals_of_few(drawn, [len(rows)], level=level)
            low, high = float(ends.low[0]), float(ends.high[0])
    return SpanMeasure("alpha", found, low, high, 0.0), int(rows[:, 1].sum())


def _rows(unit: NDArray[np.int64], segment: NDArray[np.int64], value: Floats) -> Floats:
    """A row for every segment in which an output has several values."""
    code = np.unique(unit, return_inverse=True)[1]
    several = np.bincount(code)[code] > 1 if len(code) else np.zeros(0, np.bool_)
    code, segment, value = code[several], segment[several], value[several]
    if not len(value):
        return np.zeros((0, 4))
    size = np.bincount(code)[code]
    mean = (np.bincount(code, value) / np.maximum(1, np.bincount(code)))[code]
    apart = size * (value - mean) ** 2 / (size - 1)
    place = np.unique(segment, return_inverse=True)[1]
    columns = (apart, np.ones(len(value)), value, value**2)
    return np.stack([np.bincount(place, column) for column in columns], axis=1)
