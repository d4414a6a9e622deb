"""Where the shared data and golden numbers are, when they are: beside the checkout, or as told."""

import os
from pathlib import Path

import pytest


def _find() -> Path | None:
    told = os.environ.get("RANKWISE_SHARED")
    place = Path(told) if told else Path(__file__).resolve().parents[2] / "shared"
    return place if (place / "data").is_dir() else None


SHARED: Path | None = _find()

needs_shared = pytest.mark.skipif(SHARED is None, reason="the shared data are not here")


def shared(path: str) -> Path:
    """A file of the shared data; only for tests marked ``needs_shared``."""
    if SHARED is None:
        pytest.skip("the shared data are not here")
    return SHARED / path
