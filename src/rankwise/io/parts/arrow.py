"""pyarrow, which only Parquet needs: imported when asked for, or a sentence on how to get it."""

from importlib import import_module
from typing import Any

from rankwise.errors import MissingExtra


def pyarrow(missing: str) -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``; *missing* is said where they are absent."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra(missing) from error
