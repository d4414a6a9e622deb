"""Where a COMET model is looked for, and the two ways to run it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.metrics.outside.published_models import files_digest, published_file, torch_device
from rankwise.metrics.outside.scoring.scoring_metric import (
    ExportedScorer,
    ScoringModel,
    needs_references,
)
from rankwise.neural.marked_spans import ErrorSpan
from rankwise.neural.model_folder import SETTINGS

Floats64 = NDArray[np.float64]


@lru_cache(maxsize=8)
def comet_model(model: str, device: str) -> ScoringModel:
    """The model that *model* names: an exported folder, a checkpoint, or an official model.

    The same name gives the same object again, so that a model is loaded once.
    """
    if (Path(model) / SETTINGS).is_file():
        return ExportedScorer("comet", model, device)
    return _Official(checkpoint_of(model), device)


def checkpoint_of(model: str) -> Path:
    """The checkpoint that *model* names: the file, a folder over it, or a published model."""
    path = Path(model)
    for checkpoint in (path, path / "checkpoints" / "model.ckpt"):
        if checkpoint.is_file():
            return checkpoint
    return published_file(
        "comet",
        model,
        "checkpoints/model.ckpt",
        "fetch it with comet-score once, or name a folder that 'rankwise neural export' wrote "
        "(comet:model=FOLDER)",
    )


class _Official:
    """A checkpoint through the official package: its tokens, its network, its digits."""

    network_batch = 16

    def __init__(self, checkpoint: Path, device: str) -> None:
        settings = _hyperparameters(checkpoint)
        kind = str(settings.get("class_identifier"))
        self.inputs = _official_inputs(kind, settings)
        self.needs_references = needs_references(
            "regression" if kind == "regression_metric" else kind, self.inputs
        )
        self.marks_errors = kind == "xcomet_metric"
        self.digest = files_digest([checkpoint])
        self._checkpoint, self._device = checkpoint, device
        self._opened: Any = None

    def scores(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> Floats64:
        found = np.zeros(len(outputs))
        for places, said in self._said(outputs, sources, references, batch_size):
            found[places] = said["scores"].float().cpu().numpy()
        return found

    def error_spans(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> Sequence[Sequence[ErrorSpan]]:
        found: list[list[ErrorSpan]] = [[] for _ in outputs]
        for places, said in self._said(outputs, sources, references, batch_size):
            for place, spans in zip(places, said["metadata"]["error_spans"], strict=True):
                found[place] = [
                    ErrorSpan(s["start"], s["end"], s["severity"], s["confidence"]) for s in spans
                ]
        return found

    def _said(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> Iterator[tuple[list[int], Any]]:
        """What the model says of the outputs at some places, by batches of like length."""
        model = self._model()  # which says what to install
        import torch

        columns = {"mt": outputs, "src": sources, "ref": references}
        given = {name: texts for name, texts in columns.items() if texts is not None}
        rows = [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]
        order = sorted(range(len(rows)), key=lambda i: sum(map(len, rows[i].values())))
        for start in range(0, len(rows), batch_size):
            places = order[start : start + batch_size]
            with torch.inference_mode():
                batch = model.prepare_for_inference([rows[i] for i in places])
                said = model.predict_step(_moved(batch, model.device))
            yield places, said

    def _model(self) -> Any:
        if self._opened is None:
            from rankwise.neural.export.checkpoint import official_model

            if find_spec("comet") is None:
                raise _missing()
            self._opened = official_model(self._checkpoint)
            self._opened.to(torch_device("comet", self._device))
        return self._opened


def _official_inputs(kind: str, settings: dict[str, Any]) -> tuple[str, ...]:
    words = {"mt": "output", "src": "source", "ref": "reference"}
    if kind == "referenceless_regression_metric":
        return ("output", "source")
    if kind in {"regression_metric", "xcomet_metric"}:
        return ("output", "source", "reference")
    if kind == "unified_metric":
        return tuple(words[name] for name in settings.get("input_segments", list(words)))
    raise DataError(
        f"comet: the checkpoint is of class {kind!r}, which gives no scores of segments; expected "
        "a regression, referenceless, unified or xCOMET model"
    )


def _hyperparameters(checkpoint: Path) -> dict[str, Any]:
    file = checkpoint.parents[1] / "hparams.yaml"
    try:
        import yaml
    except ImportError:
        raise _missing() from None
    if not file.is_file():
        raise DataError(
            f"comet: {file} is missing; expected it in the folder above {checkpoint.name}"
        )
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise DataError(f"comet: {file} holds no settings of a model")
    return found


def _moved(batch: Any, device: Any) -> Any:
    """A batch with its tensors on *device*."""
    if hasattr(batch, "to"):
        return batch.to(device)
    if isinstance(batch, dict):
        return {name: _moved(value, device) for name, value in batch.items()}
    if isinstance(batch, tuple) and batch and isinstance(batch[0], dict):
        return tuple(_moved(value, device) for value in batch)
    return batch


def _missing() -> MissingExtra:
    return MissingExtra(
        "comet: official models need the package unbabel-comet: pip install 'rankwise[comet]'; "
        "a folder that 'rankwise neural export' wrote runs without it"
    )
