"""Formats of scores: numbers for systems, segments, documents or domains."""
