"""What models share that read a segment as one sequence: settings, subwords and one network."""

from collections.abc import Sequence

import numpy as np

from rankwise.neural.model_folder import TOKENIZER, ModelFolder, ModelSettings
from rankwise.neural.network import Network
from rankwise.neural.opening import NeuralScores
from rankwise.neural.subwords import Subwords


class OneSequenceModel:
    """An exported model with one network, which reads every segment as one sequence."""

    def __init__(self, folder: ModelFolder, device: str, threads: int) -> None:
        self.settings: ModelSettings = folder.settings
        self._subwords = Subwords(folder.file(TOKENIZER), folder.settings.max_tokens)
        self._network = Network(folder.file("network.onnx"), device, threads)

    def _read(
        self, sequences: Sequence[tuple[Sequence[int], Sequence[int]]], batch_size: int
    ) -> NeuralScores:
        """What the network says of every sequence, where that is a number."""
        scores = np.zeros(len(sequences))
        for places, (values,) in self._network.batches(sequences, self.settings.pad, batch_size):
            scores[places] = values.ravel()
        return NeuralScores(scores)
