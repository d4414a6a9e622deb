"""Where named test sets lie on this machine: in sacreBLEU's folder, in ours, or not at all."""

import os
from pathlib import Path


def sacrebleu_folder() -> Path:
    """Where sacreBLEU keeps its test sets: ``$SACREBLEU``, or ``~/.sacrebleu``."""
    return Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu")


def own_folder() -> Path:
    """Where ours are kept: ``$RANKWISE_CACHE``, else ``~/.cache/rankwise``.

    ``$XDG_CACHE_HOME`` takes the place of ``~/.cache``.
    """
    if os.environ.get("RANKWISE_CACHE"):
        return Path(os.environ["RANKWISE_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rankwise"


def set_folders() -> tuple[Path, ...]:
    """Where a named test set is looked for, in this order; both are laid out as sacreBLEU does."""
    return sacrebleu_folder(), own_folder() / "testsets"


def fetch_folder() -> Path:
    """Where a test set is fetched into: ``$SACREBLEU`` where that is set, else ours."""
    return sacrebleu_folder() if os.environ.get("SACREBLEU") else own_folder() / "testsets"


def evalset_folders(name: str) -> tuple[Path, ...]:
    """Where the EvalSets of mt-metrics-eval are looked for: its own folder first, then ours."""
    return Path.home() / ".mt-metrics-eval" / name, own_folder() / name


def shown(place: Path) -> str:
    """A path as people write it, from their home folder on."""
    try:
        return f"~/{place.relative_to(Path.home())}"
    except ValueError:
        return str(place)
