"""Figures of rankings, drawn with matplotlib: one module per figure, values in, a Figure out."""
