"""Formats of scalar human judgments: direct assessment, ESA, MQM."""
