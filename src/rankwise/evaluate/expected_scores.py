"""Candidate translations of one segment scored against each other, and the one closest to all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics import Metric, metrics_of
from rankwise.metrics.learned_metric import LearnedMetric
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.text.languages import language_of


def score_matrix(
    metric: str | Metric,
    candidates: Sequence[str],
    *,
    language: str = "",
    source: str | None = None,
) -> NDArray[np.float64]:
    """``[i, j]`` is the segment score of candidate i with candidate j as its only reference.

    Every candidate is prepared once where the metric has a kernel for that (BLEU, chrF). What the
    name of a metric leaves open follows the *language*, or the script of the candidates. A metric
    may need the *source*; one that reads no reference gives a candidate one score, whatever j is.
    No candidate at all is an error.

    >>> score_matrix("wer", ["a b", "a b c d"])
    array([[  0.,  50.],
           [100.,   0.]])
    """
    if isinstance(candidates, str) or len(candidates) == 0:
        raise DataError("there is no candidate; expected a list of at least one text")
    if isinstance(metric, str):
        [metric] = metrics_of(metric, language_of(candidates, language, called="candidates"))
    if isinstance(metric, BatchMetric | LearnedMetric):
        rows = metric.pairwise_statistics(candidates, source)
    else:
        rows = metric.pairwise_statistics(candidates)
    return metric.segment_scores(rows).reshape(len(candidates), len(candidates))


def expected_scores(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""The mean score of every candidate when each candidate is equally likely to be right.

    .. math:: u_i = \frac1N \sum_{j=1}^{N} \text{score}(c_i, c_j)

    Kumar and Byrne (2004), NAACL; Eikema and Aziz (2020), COLING.

    >>> expected_scores(np.array([[0.0, 50.0], [100.0, 0.0]]))
    array([25., 50.])
    """
    return np.asarray(matrix.mean(axis=1), np.float64)


def best_candidate(metric: Metric, matrix: NDArray[np.float64]) -> int:
    """The candidate with the best expected score, the first of equals: minimum Bayes risk.

    >>> from rankwise.metrics import metric
    >>> best_candidate(metric("wer"), np.array([[0.0, 50.0], [100.0, 0.0]]))
    0
    """
    expected = expected_scores(matrix)
    return int(np.argmax(expected if metric.higher_is_better else -expected))


class BestCandidate(NamedTuple):
    """The candidate that was chosen, its place among them, and the expected score of each."""

    text: str
    place: int
    expected: NDArray[np.float64]


def mbr(
    candidates: Sequence[str],
    metric: str | Metric = "chrf",
    *,
    language: str = "",
    source: str | None = None,
) -> BestCandidate:
    """The best of several translations of one segment, each a reference of the others.

    It has the best expected score, of equals the first: minimum Bayes risk. What the name of a
    metric leaves open follows the *language*, or the script of the candidates. A metric that needs
    the *source* and no reference chooses by the score it gives each.

    >>> mbr(["a cat sat", "a cat sits", "dogs bark"]).text
    'a cat sits'
    """
    if isinstance(metric, str):
        [metric] = metrics_of(metric, language_of(candidates, language, called="candidates"))
    matrix = score_matrix(metric, candidates, source=source)
    place = best_candidate(metric, matrix)
    return BestCandidate(candidates[place], place, expected_scores(matrix))
