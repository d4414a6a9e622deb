"""Published models that were fetched before: the cache of Hugging Face."""

import hashlib
import os
import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from rankwise.errors import DataError, MissingExtra
from rankwise.neural.model_folder import SETTINGS

_ENCODER = re.compile(r"""^pretrained_model: *["']?([\w./-]+)""", re.MULTILINE)
_may_fetch = ContextVar("may_fetch", default=False)
#: Weights for other programs than those that we run.
_LEFT_OUT = ["*.h5", "*.msgpack", "*.ot", "*.onnx", "onnx/*", "openvino/*", "*.gguf", "*.tflite"]
_NUMBER = re.compile(r"\[Errno -?\d+\] ")
_LONGEST_REASON = 200
#: What a tokenizer and the settings of a network are kept in.
_SMALL = ["*.json", "*.txt", "*.model"]


def allow_fetching(allowed: bool) -> None:
    """Whether published models that are not on this machine are fetched from now on."""
    _may_fetch.set(allowed)


def published_file(
    metric: str, name: str, file: str, advice: str, *, small: bool = False, fetch: bool = True
) -> Path:
    """*file* of the published model *name* in the cache of Hugging Face.

    Nothing is downloaded unless ``allow_fetching`` said so, and never without *fetch*; *small*
    leaves weights out. Where it is not there the error says where it was looked for, and gives
    *advice*.
    """
    snapshots = _cache() / ("models--" + name.replace("/", "--")) / "snapshots"
    is_published = name.count("/") == 1 and name[0] not in "/."  # owner/model, not a path
    found = sorted(snapshots.glob(f"*/{file}")) if is_published else []
    is_there = any(small or _has_weights(each) for each in found)
    if is_published and not is_there and fetch and _may_fetch.get():
        _fetch(metric, name, _SMALL if small else None)
        found = sorted(snapshots.glob(f"*/{file}"))
        if not found:
            raise DataError(f"{metric}: the model {name!r} was fetched, and holds no {file}")
        _fetch_encoder(metric, found[-1])
    if not found:
        looked = f" or in {snapshots}" if is_published else ""
        download = ", without --download" if is_published and fetch else ""
        here = "there is no such folder or checkpoint here"
        if name and Path(name).exists():
            here = f"what is here has neither {SETTINGS} nor {file}"
        raise DataError(
            f"{metric}: no model {name!r}: {here}{looked}; "
            f"nothing is downloaded{download}: {advice}"
        )
    return max(found, key=lambda found: found.stat().st_mtime)


def _has_weights(file: Path) -> bool:
    """Whether a network lies beside *file* too, which may have been fetched for a tokenizer."""
    return file.suffix == ".ckpt" or any(
        path.suffix in {".safetensors", ".bin"} for path in file.parent.iterdir()
    )


def _cache() -> Path:
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")


def _fetch(metric: str, name: str, patterns: list[str] | None) -> None:
    """The files of the published model *name*, into the cache; what is there is not fetched."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra(
            f"{metric}: --download needs the package huggingface_hub: "
            "pip install 'rankwise[neural]'"
        ) from None
    try:
        snapshot_download(
            name,
            cache_dir=_cache(),
            endpoint=os.environ.get("HF_ENDPOINT"),
            allow_patterns=patterns,
            ignore_patterns=_LEFT_OUT,
        )
    except Exception as error:  # of the library, of the network, of the disk
        raise DataError(
            f"{metric}: the model {name!r} could not be fetched: {_first_cause(error)}"
        ) from error


def _first_cause(error: BaseException) -> str:
    """What began it: libraries wrap what the network said in advice of their own."""
    while error.__cause__ is not None:
        error = error.__cause__
    said = _NUMBER.sub("", " ".join(str(error).split())) or type(error).__name__
    return said if len(said) <= _LONGEST_REASON else f"{said[:_LONGEST_REASON]}..."


def _fetch_encoder(metric: str, checkpoint: Path) -> None:
    """The tokenizer of the encoder that a model of COMET was made from, which it has not itself."""
    settings = checkpoint.parents[1] / "hparams.yaml"
    if checkpoint.suffix == ".ckpt" and settings.is_file():
        named = _ENCODER.search(settings.read_text("utf-8"))
        if named:
            _fetch(metric, named[1], _SMALL)


def files_digest(files: Sequence[Path]) -> str:
    """The first 16 digits of the SHA-256 of what *files* hold, one after the other."""
    return _digest(tuple((str(file), file.stat().st_mtime_ns) for file in files))


@lru_cache(maxsize=8)
def _digest(files: tuple[tuple[str, int], ...]) -> str:
    digest = hashlib.sha256()
    for file, _ in files:  # a file that changed is another
        with Path(file).open("rb") as handle:
            while block := handle.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:16]


def torch_device(metric: str, device: str) -> str:
    """The device of PyTorch that *device* means: a GPU where there is one, unless it says cpu."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise DataError(f"{metric}: device=cuda, but PyTorch finds no GPU; leave device away")
    return "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"
