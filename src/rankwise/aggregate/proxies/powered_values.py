r"""Means of values (DA, ESA, MQM) by people and a machine.

What the machine says of an output has two parts: how easy it finds the segment, for all systems
alike, and how it finds the output against those of the other systems. The first moves the means
of all systems and no difference between two; the second moves the differences. People may follow
the machine in one and not in the other. So each has a weight of its own,

.. math:: x_{sg} = (\bar f_g,\; f_{sg} - \bar f_g)

with :math:`\bar f_g` the mean of the systems' scores on segment g. The means are those of the
mixed model of :mod:`rankwise.aggregate.scalar.mixed_effects`, and the weights are its generalised
least squares, which know how strict judges and how hard segments were.
"""

from dataclasses import dataclass

import numpy as np

from rankwise.aggregate.proxies.powered_estimate import (
    MachineColumns,
    PoweredEstimate,
    Values,
    correlation,
    powered_estimate,
    solved,
)
from rankwise.aggregate.scalar.clustered_errors import of_one_unit
from rankwise.aggregate.scalar.judged_values import Codes, Floats, JudgedValues, numbered
from rankwise.aggregate.scalar.mixed_effects import MixedFit, mixed_fit, noise_of

#: What the columns are about.
PARTS = ("segment", "output")


def powered_values(
    judged: JudgedValues, scores: Floats, place: Codes, document: Codes
) -> PoweredEstimate:
    """The means of the systems of *judged*, helped by *scores* (S, M) of M segments.

    ``place[i]`` is the segment of judgment i among the M; *document* (M,) are their documents, in
    the numbers of the judgments, and higher ones where nobody judged. A system that the machine
    did not score, such as a reference, has a row of nan: its segments alone are corrected for.
    """
    columns = machine_columns(judged.system, scores, place, document)
    first = mixed_fit(judged.value, judged.system, judged.judge, judged.segment)

    def fit(value: Floats) -> tuple[Floats, Floats]:
        if value is judged.value:
            return first.means, first.influence
        found = mixed_fit(value, judged.system, judged.judge, judged.segment)
        return found.means, found.influence

    return powered_estimate(
        Values(judged.value, judged.judge, judged.document),
        columns,
        fit,
        _Tuning(judged, columns, first),
        correlations=_correlations(judged, columns),
        unknown=of_one_unit(judged.system, judged.judge, judged.document),
    )


def machine_columns(system: Codes, scores: Floats, place: Codes, document: Codes) -> MachineColumns:
    """Both parts of the machine's scores, each minus its mean over all segments."""
    of_segment = np.nanmean(scores, axis=0)
    shared = np.broadcast_to(of_segment - of_segment.mean(), scores.shape)
    against = scores - of_segment
    own = np.nan_to_num(against - against.mean(axis=1, keepdims=True))
    everywhere = np.stack([shared, own])
    judged = everywhere[:, system, place]
    spread = (everywhere**2).mean(axis=(1, 2))
    share = everywhere / scores.shape[1]
    return MachineColumns(PARTS, judged, share, document, spread)


@dataclass(frozen=True, slots=True, eq=False)
class _Tuning:
    """Weights by generalised least squares, with the variances that all judgments have."""

    judged: JudgedValues
    columns: MachineColumns
    first: MixedFit

    def __call__(self, rows: Codes) -> Floats:
        judged, count = self.judged, len(self.columns.names)
        system, judge, segment = (
            numbered(column[rows]) for column in (judged.system, judged.judge, judged.segment)
        )
        values = np.vstack([self.columns.judged[:, rows], judged.value[rows]])
        products = values @ noise_of(values, system, judge, segment, self.first).T
        doubt = self.columns.doubt(rows, judged.document)
        return solved(products[:count, :count], products[:count, count], doubt)


def _correlations(judged: JudgedValues, columns: MachineColumns) -> Floats:
    """Of segments, over their means; of outputs, within segments. Systems are taken away first."""
    value, own = (_without(column, judged.system) for column in (judged.value, columns.judged[1]))
    counts = np.bincount(judged.segment)
    value_means, shared_means = (
        np.bincount(judged.segment, column) / counts for column in (value, columns.judged[0])
    )
    of_segments = correlation(value_means - value_means.mean(), shared_means - shared_means.mean())
    within = [_without(column, judged.segment) for column in (value, own)]
    return np.array([of_segments, correlation(*within)])


def _without(column: Floats, codes: Codes) -> Floats:
    """The column minus its mean for each of *codes*."""
    means = np.bincount(codes, column) / np.maximum(np.bincount(codes), 1)
    return np.asarray(column - means[codes], np.float64)
