"""Metrics as features: any metric of the package is a column for a learner."""

from rankwise.metrics.features import features, metric_features

__all__ = ["features", "metric_features"]
