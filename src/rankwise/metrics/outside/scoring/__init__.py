"""Metrics whose network gives the score of a segment: what they share, MetricX and BLEURT."""
