"""Where an encoder is looked for, and the two ways to run it."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.metrics.outside.published_models import files_digest, published_file, torch_device
from rankwise.metrics.outside.scoring.scoring_metric import METRIC_OF
from rankwise.neural import ModelFolder, TextEncoder, open_encoder
from rankwise.neural.model_folder import SETTINGS
from rankwise.neural.token_matching import TokenWeights, greedy_match

Floats = NDArray[np.float64]
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


class EncoderModel(Protocol):
    """An encoder that was found; it is opened when it first scores."""

    digest: str

    def cosines(self, pairs: Sequence[tuple[str, str]], batch_size: int) -> Floats:
        """The cosine of the vectors of every pair of texts."""
        ...

    def matches(
        self,
        pairs: Sequence[tuple[str, str]],
        layer: int | None,
        rarity: Sequence[str] | None,
        batch_size: int,
    ) -> Floats:
        """Precision, recall and F1 of every pair (output, reference), a row each.

        *rarity* are the texts in which tokens are counted; without them every token counts alike.
        """
        ...

    def layer(self, wanted: int | None) -> int:
        """The layer whose tokens are matched, where *wanted* is not said."""
        ...


@lru_cache(maxsize=8)
def encoder_model(metric: str, model: str | None, device: str) -> EncoderModel:
    """The encoder that *model* names: an exported folder, or one as Hugging Face saves them."""
    if model is None:
        raise DataError(
            f"{metric}: no model is named; expected {metric}:model=FOLDER, one that 'rankwise "
            "neural export' wrote or one of Hugging Face's"
        )
    if (Path(model) / SETTINGS).is_file():
        return _Exported(metric, model, device)
    return _Official(metric, encoder_folder(metric, model), device)


def encoder_folder(metric: str, model: str) -> Path:
    """The folder that *model* names: itself, or that of a published model."""
    if (Path(model) / "config.json").is_file() or (Path(model) / "modules.json").is_file():
        return Path(model)
    advice = (
        "fetch it with Hugging Face's tools once, or name a folder that 'rankwise neural export' "
        f"wrote ({metric}:model=FOLDER)"
    )
    return published_file(metric, model, "config.json", advice).parent


class _Exported:
    """A folder that ``rankwise neural export`` wrote."""

    def __init__(self, metric: str, model: str, device: str) -> None:
        folder = ModelFolder.at(model)
        if folder.settings.kind != "encoder":
            raise DataError(
                f"{metric}: {model} is a model of kind {folder.settings.kind}, expected an "
                f"encoder; use it with {METRIC_OF[folder.settings.kind]}:model=FOLDER"
            )
        self.digest = folder.settings.digest
        self._metric, self._folder, self._device = metric, folder, device
        self._opened: TextEncoder | None = None

    def cosines(self, pairs: Sequence[tuple[str, str]], batch_size: int) -> Floats:
        vectors = self._encoder().vectors([text for pair in pairs for text in pair], batch_size)
        return np.asarray((vectors[::2] * vectors[1::2]).sum(axis=1), np.float64)

    def matches(
        self,
        pairs: Sequence[tuple[str, str]],
        layer: int | None,
        rarity: Sequence[str] | None,
        batch_size: int,
    ) -> Floats:
        encoder = self._encoder()
        weights = TokenWeights.equal()
        if rarity is not None:
            weights = TokenWeights.by_rarity(encoder.pieces(rarity))
        texts = [text for pair in pairs for text in pair]
        tokens = encoder.tokens(texts, self.layer(layer), batch_size)
        return np.array([greedy_match(tokens[a], tokens[b], weights) for a, b in pairs])

    def layer(self, wanted: int | None) -> int:
        layers = self._folder.settings.layers
        if wanted is None and len(layers) > 1:
            raise DataError(
                f"{self._metric}: {self._folder.path} has the layers 0 to {layers[-1]}; say which "
                "one's tokens are matched, as in layer=9"
            )
        chosen = layers[0] if wanted is None else wanted
        if chosen not in layers:
            known = ", ".join(map(str, layers))
            raise DataError(
                f"{self._metric}: {self._folder.path} has no layer {chosen}; it was exported with "
                f"{known}"
            )
        return chosen

    def _encoder(self) -> TextEncoder:
        if self._opened is None:
            self._opened = open_encoder(self._folder.path, device=self._device)
        return self._opened


class _Official:
    """A folder of Hugging Face's through the official packages: their tokens, their digits."""

    def __init__(self, metric: str, folder: Path, device: str) -> None:
        self._metric, self._folder, self._device = metric, folder, device
        files = [file for kind in _WEIGHTS for file in sorted(folder.rglob(kind))]
        if not files:
            raise DataError(f"{metric}: {folder} holds no weights ({' or '.join(_WEIGHTS)})")
        self.digest = files_digest([folder / "config.json", *files])
        self._sentences: Any = None
        self._matchers: dict[Any, Any] = {}

    def cosines(self, pairs: Sequence[tuple[str, str]], batch_size: int) -> Floats:
        if self._sentences is None:
            package = _package(self._metric, "sentence_transformers", "sentence-transformers")
            self._sentences = package.SentenceTransformer(
                str(self._folder),
                device=torch_device(self._metric, self._device),
                local_files_only=True,
            )
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        rows = self._sentences.encode(
            texts, batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        vectors = dict(zip(texts, rows, strict=True))
        return np.array([float(vectors[a] @ vectors[b]) for a, b in pairs], np.float64)

    def matches(
        self,
        pairs: Sequence[tuple[str, str]],
        layer: int | None,
        rarity: Sequence[str] | None,
        batch_size: int,
    ) -> Floats:
        kept = (self.layer(layer), None if rarity is None else tuple(rarity))
        if kept not in self._matchers:
            package = _package(self._metric, "bert_score", "bert-score")
            self._matchers[kept] = package.BERTScorer(
                model_type=str(self._folder),
                num_layers=kept[0],
                idf=rarity is not None,
                idf_sents=None if rarity is None else list(rarity),
                device=torch_device(self._metric, self._device),
                nthreads=0,
            )
        outputs, references = (list(texts) for texts in zip(*pairs, strict=True))
        found = self._matchers[kept].score(outputs, references, batch_size=batch_size)
        return np.stack([part.numpy().astype(np.float64) for part in found], axis=1)

    def layer(self, wanted: int | None) -> int:
        if wanted is None:
            raise DataError(
                f"{self._metric}: say which layer's tokens of {self._folder} are matched, as in "
                "layer=9"
            )
        return wanted


def _package(metric: str, module: str, called: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(
            f"{metric}: a folder of Hugging Face's needs the package {called}: "
            f"pip install {called}; one that 'rankwise neural export' wrote runs without it"
        ) from None
