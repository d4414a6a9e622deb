"""Metrics as features: any metric of the package is a column for a learner."""

from collections.abc import Sequence

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features import (
    FEATURE_SETS,
    Columns,
    Feature,
    Features,
    FeatureSet,
    GivenColumn,
    Joined,
    feature_set,
)
from rankwise.metrics import METRICS, Metric, metric
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.metrics.outside.encoder_metric import EncoderMetric


def features(names: str | Sequence[str]) -> Features:
    """The feature sets and metrics of these names, side by side.

    A name that both have, ``beer``, is the feature set, and the metric with an option that only the
    metric has, such as ``beer:version=2014`` or ``beer:model=FILE``. Metrics have the option
    ``relative`` too. The signature of sets side by side, ``duh + chrf``, names them too.

    >>> features(["duh:subset=1-12", "chrf:relative=z", "ter"]).names[-4:]
    ('bleu', 'chrf', 'chrf@z', 'ter')
    """
    wanted = names.split(" + ") if isinstance(names, str) else list(names)
    if not wanted:
        raise DataError("no feature set is named; expected at least one")
    sets = tuple(_named(name) for name in wanted)
    return sets[0] if len(sets) == 1 else Joined(sets)


def metric_features(metrics: Sequence[Metric], *, relative: str | None = None) -> FeatureSet:
    """The scores of metrics as columns, called by the metrics' names."""
    return Columns(
        relative=relative,
        columns=tuple(_column(each) for each in metrics),
        title=" ".join(each.signature for each in metrics),
    )


def _named(name: str) -> FeatureSet:
    kind, *options = name.split(":")
    if kind in FEATURE_SETS and not (kind in METRICS and _is_metric(options)):
        return feature_set(name)
    if kind in METRICS and _is_by_itself(METRICS[kind]):
        relative = [option for option in options if option.startswith("relative=")]
        plain = ":".join([kind, *(option for option in options if option not in relative)])
        kinds = ",".join(option.partition("=")[2] for option in relative)
        return metric_features([metric(plain)], relative=kinds or None)
    if kind in METRICS:  # a model file of somebody else's must not start a program
        raise DataError(f"{kind!r} is no feature; expected metrics that read texts by themselves")
    known = ", ".join(sorted({*FEATURE_SETS, *METRICS}))
    raise DataError(f"unknown feature set {kind!r}; choose from {known}")


def _is_by_itself(found: type[Metric]) -> bool:
    """Whether a metric reads outputs and references alone, and starts no program."""
    return not issubclass(found, BatchMetric) or issubclass(found, EncoderMetric)


def _is_metric(options: Sequence[str]) -> bool:
    """Whether these are options of the metric ``beer``, and not of the feature set of that name.

    The signature of a feature set ends with a version too, but with that of the package.
    """
    from rankwise.metrics.beer import VERSIONS  # that module needs this one

    own = {f"version={version}" for version in VERSIONS}
    return any(option in own or option.startswith(("model=", "sha256=")) for option in options)


def _column(each: Metric) -> GivenColumn:
    if not each.needs.references:
        raise DataError(f"{each} compares with the source; expected a metric of references")
    ideal = np.inf if each.higher_is_better else -np.inf
    return GivenColumn(Feature(str(each), f"score of the metric {each}", ideal), each.segments)
