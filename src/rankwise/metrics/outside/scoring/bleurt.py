"""BLEURT: an encoder that was taught how people rate a text against a reference."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from rankwise.errors import DataError
from rankwise.metrics.outside.published_models import published_file
from rankwise.metrics.outside.scoring.scoring_metric import (
    ExportedScorer,
    ScoringMetric,
    ScoringModel,
)
from rankwise.neural.model_folder import SETTINGS


@dataclass(frozen=True)
class Bleurt(ScoringMetric):
    """BLEURT: how good an output is against its reference, as a network learned it of people.

    ``model`` is a folder that ``rankwise neural export`` wrote; it runs without PyTorch. Scores of
    BLEURT-20 are as a rule between 0 and 1. With several references the score is the mean over
    them.

    ``device`` is where it runs: ``cpu``, ``cuda``, or ``auto``, a GPU where there is one.
    ``sha256`` is the beginning of the hash of the model: the signature has it, and a model with
    another is refused. The corpus score is the mean over segments, 0 without any. Sellam et al.
    (2020), ACL; Pu et al. (2021), EMNLP.
    """

    name: ClassVar[str] = "bleurt"

    model: str | None = None
    device: str = "auto"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Find the model, and put down its hash."""
        self._find()

    def _looked_up(self, model: str | None, device: str) -> ScoringModel:
        return bleurt_model(model, device)


@lru_cache(maxsize=8)
def bleurt_model(model: str | None, device: str) -> ScoringModel:
    """The exported model in the folder *model*."""
    if model is None or not (Path(model) / SETTINGS).is_file():
        named = "no model is named" if model is None else f"{model} is no exported model"
        raise DataError(
            f"bleurt: {named}; expected bleurt:model=FOLDER, one that 'rankwise neural export' "
            "wrote of a checkpoint such as lucadiliello/BLEURT-20"
        )
    return ExportedScorer("bleurt", model, device)


def bleurt_folder(model: str) -> Path:
    """The folder of a checkpoint that *model* names: itself, or that of a published model."""
    if (Path(model) / "config.json").is_file():
        return Path(model)
    advice = "fetch it with Hugging Face's tools once"
    return published_file("bleurt", model, "config.json", advice).parent
