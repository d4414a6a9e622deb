"""Measures of ranked lists: predicted ranks of some items against the gold ones."""
