"""Models that read output, source and reference as one sequence: UniTE, CometKiwi, xCOMET."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.neural.joined_texts import joined
from rankwise.neural.marked_spans import ErrorSpan, error_spans, span_score
from rankwise.neural.one_sequence import OneSequenceModel
from rankwise.neural.opening import NeuralScores
from rankwise.neural.subwords import Pieces

Floats64 = NDArray[np.float64]


@dataclass(frozen=True)
class _Reading:
    """What the network says of every segment: a score, and probabilities of labels by subword."""

    scores: Floats64
    probabilities: list[NDArray[np.float32]]


class JointModel(OneSequenceModel):
    """A network over joined texts, read once (output and source) or three times.

    With a reference, models of three inputs are read with the source, with the reference and with
    both; ``unified`` takes the mean of the three, ``xcomet`` a weighted sum with what the spans
    say. Without one they are quality estimation.
    """

    def scored(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        *,
        batch_size: int = 16,
    ) -> NeuralScores:
        """The score of every segment, and its error spans where the model marks them."""
        if not outputs:
            return NeuralScores(np.zeros(0))
        given = {"source": sources, "reference": references}
        mine = self._subwords.pieces(outputs)
        others = {
            name: self._subwords.pieces(given[name] or ())
            for name in self.settings.inputs
            if given.get(name) is not None
        }
        combinations = [[name] for name in others]
        if len(others) == 2:
            combinations.append(list(others))
        readings = [
            self._reading([mine, *(others[name] for name in names)], batch_size)
            for names in combinations
        ]
        spans = self._spans(readings, mine) if self.settings.labels else ()
        return NeuralScores(self._scores(readings, spans), spans)

    def _reading(self, parts: Sequence[Sequence[Pieces]], batch_size: int) -> _Reading:
        texts = [joined(pieces, self.settings) for pieces in zip(*parts, strict=True)]
        sequences = [(text.ids, text.types) for text in texts]
        scores = np.zeros(len(texts))
        probabilities: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(texts)
        for places, outputs in self._network.batches(sequences, self.settings.pad, batch_size):
            scores[places] = outputs[0].ravel()
            if self.settings.labels:
                for place, rows in zip(places.tolist(), outputs[1], strict=True):
                    probabilities[place] = rows[: len(parts[0][place].ids)].copy()
        return _Reading(scores, probabilities)

    def _spans(
        self, readings: Sequence[_Reading], pieces: Sequence[Pieces]
    ) -> tuple[tuple[ErrorSpan, ...], ...]:
        several = len(readings) == 3
        weights = np.array(self.settings.span_weights if several else (1.0,), np.float32)
        return tuple(
            error_spans(
                np.sum([w * r.probabilities[i] for w, r in zip(weights, readings, strict=True)], 0),
                text,
                self.settings.labels,
            )
            for i, text in enumerate(pieces)
        )

    def _scores(
        self, readings: Sequence[_Reading], spans: Sequence[Sequence[ErrorSpan]]
    ) -> Floats64:
        if self.settings.kind == "unified":
            return np.asarray(np.mean([reading.scores for reading in readings], axis=0))
        weights = self.settings.score_weights
        regressions = [np.minimum(reading.scores, 1.0) for reading in readings]
        shares = weights[:3] if len(readings) == 3 else (sum(weights[:3]),)
        total = sum(w * s for w, s in zip(shares, regressions, strict=True))
        return np.asarray(total + weights[3] * np.array([span_score(s) for s in spans]))
