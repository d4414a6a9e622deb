"""Files of models: a JSON document, or a folder of texts; what they mean, learners know."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, is_folder, name_of, read_blocks
from rankwise.io.json_values import parse_object


def read_document(path: StrPath) -> dict[str, Any]:
    """The JSON object in *path*."""
    return parse_object(_text(path), path, 1)


def read_folder(path: StrPath, names: Iterable[str]) -> dict[str, str]:
    """The texts of the files *names* in a folder, by name."""
    if not is_folder(path):
        raise DataError(f"{name_of(path)}: there is no such folder; expected the folder of a model")
    return {name: _text(Path(path) / name) for name in names}


def _text(path: StrPath) -> str:
    return "".join(block for _, block in read_blocks(path))
