"""What is meant where nothing is said, for commands and functions alike."""

#: The metrics that are computed unless others are named.
USUAL_METRICS = ("bleu", "chrf", "ter")
