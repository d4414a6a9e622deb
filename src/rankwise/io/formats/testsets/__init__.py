"""Formats of test sets: sources, references, outputs of systems."""
