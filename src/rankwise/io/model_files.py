"""Files of models: a JSON document, or a folder of texts; what they mean, learners know."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, is_folder, name_of, read_blocks, write_text
from rankwise.io.parts.json_values import parse_object


def read_document(path: StrPath, *, lenient: bool = False) -> dict[str, Any]:
    """The JSON object in *path*.

    A *lenient* reader lets NaN and Infinity through, which JSON does not have but other programs
    write: Weka gives a model that fits its data too well a likelihood of -Infinity.
    """
    return parse_object(_text(path), path, 1, lenient=lenient)


def read_folder(path: StrPath, names: Iterable[str]) -> dict[str, str]:
    """The texts of the files *names* in a folder, by name."""
    if not is_folder(path):
        raise DataError(f"{name_of(path)}: there is no such folder; expected the folder of a model")
    return {name: _text(Path(path) / name) for name in names}


def _text(path: StrPath) -> str:
    return "".join(block for _, block in read_blocks(path))


def write_model(text: str, path: StrPath) -> None:
    """Write the text of a model; the file appears when it is complete."""
    with write_text(path) as stream:
        stream.write(text)
