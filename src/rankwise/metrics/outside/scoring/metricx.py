"""MetricX: a language model of many languages that was taught to say how bad a translation is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.outside.published_models import files_digest, published_file, torch_device
from rankwise.metrics.outside.scoring.scoring_metric import (
    ExportedScorer,
    ScoringMetric,
    ScoringModel,
    needs_references,
)
from rankwise.neural.model_folder import SETTINGS

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
#: The models whose tokenizer is that of MetricX; all have the same.
TOKENIZERS = tuple(f"google/mt5-{size}" for size in ("xl", "large", "xxl", "base", "small"))


@dataclass(frozen=True)
class Metricx(ScoringMetric):
    """MetricX: errors on the scale of MQM, 0 to 25, as a network learned to predict them.

    ``model`` is a folder that ``rankwise neural export`` wrote, which runs without PyTorch, or an
    official model, by its name or folder, which runs through the package ``transformers``.
    MetricX-23 reads output and reference, MetricX-23-QE output and source, MetricX-24 both, and the
    reference where there is one. With several references the score is the mean over them.

    ``device`` is where it runs: ``cpu``, ``cuda``, or ``auto``, a GPU where there is one.
    ``sha256`` is the beginning of the hash of the model: the signature has it, and a model with
    another is refused. The corpus score is the mean over segments, 0 without any. Juraska et al.
    (2023, 2024), WMT.
    """

    name: ClassVar[str] = "metricx"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0

    model: str | None = None
    device: str = "auto"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Find the model, and put down its hash."""
        self._find()

    def _looked_up(self, model: str | None, device: str) -> ScoringModel:
        return metricx_model(model, device)


@lru_cache(maxsize=8)
def metricx_model(model: str | None, device: str) -> ScoringModel:
    """The model that *model* names: an exported folder, or an official model."""
    if model is None:
        raise DataError(
            "metricx: no model is named; expected metricx:model=FOLDER, one that 'rankwise neural "
            "export' wrote or one of Hugging Face's"
        )
    if (Path(model) / SETTINGS).is_file():
        return ExportedScorer("metricx", model, device)
    return _OfficialMetricx(metricx_folder(model), device)


def metricx_folder(model: str) -> Path:
    """The folder that *model* names: itself, or that of a published model."""
    if (Path(model) / "config.json").is_file():
        return Path(model)
    advice = (
        "fetch it with Hugging Face's tools once, or name a folder that 'rankwise neural export' "
        "wrote (metricx:model=FOLDER)"
    )
    return published_file("metricx", model, "config.json", advice).parent


def metricx_tokenizer(folder: Path, named: str | None = None) -> Path:
    """The folder of the tokenizer: *named*, the model's own, or that of an mT5 in the cache."""
    if named is not None and Path(named).is_dir():
        return Path(named)
    if named is None and any((folder / f).is_file() for f in ("tokenizer.json", "spiece.model")):
        return folder
    advice = "fetch it with Hugging Face's tools once; MetricX has the tokenizer of mT5"
    tried = TOKENIZERS if named is None else (named,)
    for name in tried[1:]:
        try:
            return published_file("metricx", name, "spiece.model", advice, fetch=False).parent
        except DataError:
            continue
    return published_file("metricx", tried[0], "spiece.model", advice, small=True).parent


class _OfficialMetricx:
    """A folder of Hugging Face's, by the rule that its makers published.

    The score is the logit of one token at the decoder's first step, between 0 and 25.
    """

    network_batch = 16
    marks_errors = False

    def __init__(self, folder: Path, device: str) -> None:
        from rankwise.neural.export.checkpoint import published_name
        from rankwise.neural.export.metricx_export import VERSIONS, metricx_version

        version = metricx_version(published_name(folder))
        self.inputs = tuple(text for text, _ in VERSIONS[version].parts)
        self._prefixes = dict(VERSIONS[version].parts)
        self._max_tokens = VERSIONS[version].max_tokens
        self.needs_references = needs_references("metricx", self.inputs)
        files = [file for kind in _WEIGHTS for file in sorted(folder.glob(kind))]
        if not files:
            raise DataError(f"metricx: {folder} holds no weights ({' or '.join(_WEIGHTS)})")
        self.digest = files_digest([folder / "config.json", *files])
        self._folder, self._device = folder, device
        self._opened: tuple[Any, Any] | None = None

    def scores(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> NDArray[np.float64]:
        """The score of every output."""
        from rankwise.neural.export.metricx_export import LEAST, MOST, score_token

        network, tokenizer = self._parts()  # which says what to install
        import torch

        columns = {"output": outputs, "source": sources, "reference": references}
        given = {name: columns[name] for name in self.inputs if columns[name] is not None}
        texts = [
            "".join(self._prefixes[name] + text for name, text in zip(given, row, strict=True))
            for row in zip(*(texts or () for texts in given.values()), strict=True)
        ]
        ids = tokenizer(texts, max_length=self._max_tokens, truncation=True)["input_ids"]
        ids = [tokens[:-1] for tokens in ids]  # without the end mark
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        token, found = score_token(network, tokenizer), np.zeros(len(ids))
        with torch.inference_mode():
            for first in range(0, len(ids), batch_size):
                places = order[first : first + batch_size]
                batch = tokenizer.pad({"input_ids": [ids[i] for i in places]}, return_tensors="pt")
                start = torch.zeros((len(places), 1), dtype=torch.long)
                logits = network(
                    **batch.to(network.device), decoder_input_ids=start.to(network.device)
                ).logits[:, 0, token]
                found[places] = logits.clamp(LEAST, MOST).float().cpu().numpy()
        return found

    def error_spans(self, *_: Any) -> tuple[()]:
        """None: MetricX marks no errors."""
        return ()

    def _parts(self) -> tuple[Any, Any]:
        if self._opened is None:
            from rankwise.neural.export.metricx_export import metricx_parts

            network, tokenizer = metricx_parts(self._folder, metricx_tokenizer(self._folder))
            self._opened = network.to(torch_device("metricx", self._device)), tokenizer
        return self._opened
