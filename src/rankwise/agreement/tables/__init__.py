"""Measures of tables of scores: what metrics say of systems and segments, and people."""
