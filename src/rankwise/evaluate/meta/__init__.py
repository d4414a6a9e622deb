"""Metrics against people."""
