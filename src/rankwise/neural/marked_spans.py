"""Error spans out of the probabilities of subwords, as COMET's models decode them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.neural.subwords import Pieces


@dataclass(frozen=True)
class ErrorSpan:
    """An error: the characters ``start`` to ``end`` (not included) of an output.

    ``severity`` is that of its first subword; ``confidence`` the mean probability of the labels.
    """

    start: int
    end: int
    severity: str
    confidence: float


def error_spans(
    probabilities: NDArray[np.float32], pieces: Pieces, labels: Sequence[str]
) -> tuple[ErrorSpan, ...]:
    """The spans of subwords whose likeliest label is an error.

    Row t of *probabilities* belongs to subword t of *pieces*, column 0 says "no error" and the
    others are *labels*. A span that is still open at the end mark is dropped: the models that are
    published were tuned with that.
    """
    chosen = probabilities[: len(pieces.ids)].argmax(axis=1)
    spans, start = [], -1
    for place, label in enumerate(chosen.tolist()):
        if label and start < 0:
            start = place
        elif not label and start >= 0:
            sure = probabilities[np.arange(start, place), chosen[start:place]]
            spans.append(
                ErrorSpan(
                    start=pieces.offsets[start][0],
                    end=pieces.offsets[place - 1][1],
                    severity=labels[int(chosen[start]) - 1],
                    confidence=float(sure.mean()),
                )
            )
            start = -1
    return tuple(spans)


#: What an error of a severity costs, and the most that is taken off (the scale of MQM).
PENALTIES = {"minor": 1.0, "major": 5.0, "critical": 10.0}
MOST = 25.0


def span_score(spans: Sequence[ErrorSpan]) -> float:
    """One minus the penalties of *spans* over 25, at least 0."""
    return 1 - min(MOST, sum(PENALTIES[span.severity] for span in spans)) / MOST
