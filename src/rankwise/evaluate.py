"""Compositions people repeat, still without I/O."""
