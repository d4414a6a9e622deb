"""Evaluate machine translation as ranking."""

__version__ = "0.1.0"
