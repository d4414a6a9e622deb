"""Models that encode each text by itself: COMET's regression, with and without a reference."""

from collections.abc import Sequence

import numpy as np

from rankwise.neural.model_folder import TOKENIZER, ModelFolder, ModelSettings
from rankwise.neural.network import Floats, Network
from rankwise.neural.opening import NeuralScores
from rankwise.neural.subwords import Subwords

#: The most sentences whose vectors are kept between calls.
KEPT = 200_000
_HEAD_ROWS = 1024


class SentenceModel:
    """A network that gives a text's vector, and a head that compares vectors.

    A vector depends on its text alone, so each distinct text is encoded once, however many systems
    share it: sources and references cost nothing from the second system on.
    """

    def __init__(self, folder: ModelFolder, device: str, threads: int) -> None:
        self.settings: ModelSettings = folder.settings
        self._subwords = Subwords(folder.file(TOKENIZER), folder.settings.max_tokens)
        self._encoder = Network(folder.file("encoder.onnx"), device, threads)
        self._head = Network(folder.file("head.onnx"), device, threads)
        self._vectors: dict[str, Floats] = {}

    def scored(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        *,
        batch_size: int = 16,
    ) -> NeuralScores:
        """The score of every segment."""
        given = {"output": outputs, "source": sources, "reference": references}
        texts = {name: list(given[name] or ()) for name in self.settings.inputs}
        vectors = {name: self.vectors(part, batch_size) for name, part in texts.items()}
        if not outputs:
            return NeuralScores(np.zeros(0))
        scores = [
            self._head.run(**{name: rows[i : i + _HEAD_ROWS] for name, rows in vectors.items()})[0]
            for i in range(0, len(outputs), _HEAD_ROWS)
        ]
        return NeuralScores(np.concatenate([s.ravel() for s in scores]).astype(np.float64))

    def vectors(self, texts: Sequence[str], batch_size: int = 16) -> Floats:
        """The vector of every text, a row each."""
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if len(self._vectors) + len(new) > KEPT:
            self._vectors.clear()
            new = list(dict.fromkeys(texts))
        sequences = [(p.ids, (0,) * len(p.ids)) for p in self._subwords.pieces(new)]
        for places, (rows,) in self._encoder.batches(sequences, self.settings.pad, batch_size):
            for place, row in zip(places.tolist(), rows, strict=True):
                self._vectors[new[place]] = row
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])
