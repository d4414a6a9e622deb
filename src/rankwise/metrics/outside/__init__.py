"""Metrics from outside: those of other packages, of commands, and of models that score batches."""
