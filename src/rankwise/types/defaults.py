"""What is meant where nothing is said, for commands and functions alike."""

#: The metrics that are computed unless others are named.
USUAL_METRICS = ("bleu", "chrf", "ter")

#: The model that ranks systems from judgments unless another is named.
USUAL_MODEL = "trueskill"

#: Metrics that count errors, by the names under which their scores are written and read.
ERROR_METRICS = ("cer", "metricx", "ter", "wer")


def counts_errors(name: str) -> bool:
    """Whether scores called so are of a metric of which less is better.

    >>> counts_errors("ter:asian_support=true"), counts_errors("chrf")
    (True, False)
    """
    return name.split(":")[0] in ERROR_METRICS
