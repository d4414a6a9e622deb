"""Metrics learned from what people said."""
