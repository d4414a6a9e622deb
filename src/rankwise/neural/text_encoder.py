"""Encoders: a vector of a text, and vectors of its tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankwise.errors import DataError
from rankwise.neural.model_folder import TOKENIZER, ModelFolder, ModelSettings
from rankwise.neural.network import Floats, Network
from rankwise.neural.subwords import Subwords

#: The most numbers that are kept between calls, as vectors of texts or of tokens: 256 MB.
KEPT_NUMBERS = 1 << 26


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """The tokens of a text with the marks around them: their numbers, and a unit vector each."""

    ids: tuple[int, ...]
    rows: Floats


class TextEncoder:
    """The encoder in a folder; each distinct text is encoded once as long as memory keeps it."""

    def __init__(self, folder: ModelFolder, device: str = "auto", threads: int = 0) -> None:
        self.settings: ModelSettings = folder.settings
        most = max(folder.settings.max_tokens, folder.settings.max_matched)
        self._subwords = Subwords(folder.file(TOKENIZER), most)
        self._network = Network(folder.file("encoder.onnx"), device, threads)
        self._vectors: dict[str, Floats] = {}
        self._tokens: dict[tuple[int, str], TokenVectors] = {}

    def vectors(self, texts: Sequence[str], batch_size: int = 16) -> Floats:
        """The unit vector of every text, a row each."""
        if not self.settings.pool:
            raise DataError(
                f"{self.settings.name} was exported for its tokens alone and gives no vector of a "
                "text; export it without --layer"
            )
        if not texts:
            return np.zeros((0, 1), np.float32)
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if sum(row.size for row in self._vectors.values()) > KEPT_NUMBERS:
            self._vectors.clear()
            new = list(dict.fromkeys(texts))
        read = [text.strip() for text in new]
        read = [text.lower() for text in read] if self.settings.lowercase else read
        self._subwords.cut_at(self.settings.max_tokens)
        sequences = [(pieces.ids, (0,) * len(pieces.ids)) for pieces in self._subwords.pieces(read)]
        batches = self._network.batches(sequences, self.settings.pad, batch_size, ["vector"])
        for places, (rows,) in batches:
            for place, row in zip(places.tolist(), _unit(rows), strict=True):
                self._vectors[new[place]] = row.copy()
        return np.stack([self._vectors[text] for text in texts])

    def tokens(
        self, texts: Sequence[str], layer: int, batch_size: int = 16
    ) -> dict[str, TokenVectors]:
        """The tokens of every distinct text, as *layer* sees them; marks are among them."""
        self._must_have(layer)
        wanted = dict.fromkeys((layer, text) for text in texts)
        new = [one for one in wanted if one not in self._tokens]
        if sum(kept.rows.size for kept in self._tokens.values()) > KEPT_NUMBERS:
            self._tokens.clear()
            new = list(wanted)
        pieces = self.pieces([text for _, text in new])
        sequences = [(ids, (0,) * len(ids)) for ids in pieces]
        output = f"layer_{layer}"
        batches = self._network.batches(sequences, self.settings.pad, batch_size, [output])
        for places, (states,) in batches:
            for place, rows in zip(places.tolist(), states, strict=True):
                ids = pieces[place]
                self._tokens[new[place]] = TokenVectors(ids, _unit(rows[: len(ids)]))
        return {text: self._tokens[layer, text] for text in texts}

    def pieces(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The numbers of the tokens of every text, as they are matched."""
        read = [text.strip() for text in texts]
        if self.settings.prefix_space:
            read = [f" {text}" if text else text for text in read]
        self._subwords.cut_at(self.settings.max_matched)
        return [pieces.ids for pieces in self._subwords.pieces(read)]

    def _must_have(self, layer: int) -> None:
        if layer not in self.settings.layers:
            known = ", ".join(map(str, self.settings.layers))
            raise DataError(
                f"{self.settings.name} has no layer {layer}; it was exported with {known}"
            )


def open_encoder(path: str | Path, *, device: str = "auto", threads: int = 0) -> TextEncoder:
    """The exported encoder in the folder *path*."""
    folder = ModelFolder.at(path)
    if folder.settings.kind != "encoder":
        raise DataError(
            f"{folder.path}: it is a model of kind {folder.settings.kind}, expected an encoder"
        )
    folder.must_be_as_written()
    return TextEncoder(folder, device, threads)


def _unit(rows: Floats) -> Floats:
    """Rows of length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.float32(1e-12)), np.float32)
