"""Formats that are folders: what lies in them, and writing one so that it appears whole or not."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rankwise.errors import DataError, StoreError
from rankwise.io.files import StrPath


def text_files(folder: Path, suffix: str = ".txt") -> dict[str, StrPath]:
    """The files of a folder by their name without *suffix*, sorted; empty without the folder."""
    if not folder.is_dir():
        return {}
    try:
        found = sorted(path for path in folder.iterdir() if path.name.endswith(suffix))
    except OSError as error:
        raise StoreError(f"{folder}: cannot be read: {error.strerror or error}") from error
    return {path.name.removesuffix(suffix): path for path in found if path.is_file()}


def file_name(name: str, suffix: str) -> str:
    """A system's or reference's name as a file name; a name that cannot be one is an error."""
    encoded = len((name + suffix).encode("utf-8", "surrogatepass"))
    if not name or name.startswith(".") or set(name) & set("/\\\0\n\r") or encoded > 255:
        raise DataError(f"{name!r} cannot be the name of a file; rename it first")
    return name + suffix


@contextmanager
def new_folder(path: StrPath) -> Iterator[Path]:
    """A folder to fill, which appears under *path* only when everything was written."""
    target = Path(path)
    if os.fspath(path) == "-":
        raise DataError("<stdout>: the format is a folder; expected the name of one to be made")
    if target.exists():
        raise StoreError(f"{target}: already exists; expected a folder still to be made")
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
    try:
        yield temporary
        temporary.chmod(0o755)
        temporary.rename(target)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
