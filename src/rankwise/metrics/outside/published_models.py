"""Published models that other tools fetched before: the cache of Hugging Face."""

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rankwise.errors import DataError


def published_file(metric: str, name: str, file: str, advice: str) -> Path:
    """*file* of the published model *name* in the cache of Hugging Face; nothing is downloaded.

    Where it is not there the error says where it was looked for, and gives *advice*.
    """
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    cache = Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")
    snapshots = cache / ("models--" + name.replace("/", "--")) / "snapshots"
    is_published = name.count("/") == 1 and name[0] not in "/."  # owner/model, not a path
    found = sorted(snapshots.glob(f"*/{file}")) if is_published else []
    if not found:
        looked = f" or in {snapshots}" if is_published else ""
        raise DataError(
            f"{metric}: no model {name!r}: there is no such folder or checkpoint here{looked}; "
            f"nothing is downloaded: {advice}"
        )
    return max(found, key=lambda found: found.stat().st_mtime)


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
