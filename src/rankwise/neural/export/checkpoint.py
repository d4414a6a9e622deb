"""COMET's checkpoints as the official package opens them."""

from pathlib import Path
from typing import Any

from rankwise.errors import DataError, MissingExtra


def official_model(checkpoint: Path) -> Any:
    """The model in the file *checkpoint*, ready to predict; nothing is downloaded."""
    try:
        import comet
    except ImportError:
        raise MissingExtra(
            "reading a COMET checkpoint needs the package unbabel-comet: "
            "pip install 'rankwise[comet]'"
        ) from None
    if not checkpoint.is_file():
        raise DataError(f"{checkpoint}: no checkpoint is there")
    settings = checkpoint.parents[1] / "hparams.yaml"
    if not settings.is_file():
        raise DataError(f"{settings}: the settings of {checkpoint.name} are missing")
    try:
        model = comet.load_from_checkpoint(str(checkpoint), local_files_only=True)
    except OSError as error:
        raise DataError(
            f"{checkpoint}: the tokenizer or settings of its encoder are not on this machine: "
            f"{str(error).splitlines()[0]}"
        ) from None
    model.eval()
    return model


def published_name(folder: Path) -> str:
    """What people call the model in *folder*: as a rule the folder's name.

    Hugging Face's cache keeps it as ``models--Unbabel--wmt22-comet-da/snapshots/...``.
    """
    absolute = folder.absolute()
    for part in absolute.parts:
        if part.startswith("models--"):
            return part.removeprefix("models--").replace("--", "/")
    return absolute.name
