"""Opening and writing files: gzip by suffix, ``-`` for standard streams, errors with line numbers.

Every reader takes a path and goes through here, so that all of them treat compression, encoding and
half-written output alike.
"""

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO, cast

from rankwise.errors import DataError, StoreError

StrPath = str | os.PathLike[str]


def name_of(path: StrPath) -> str:
    """How messages call a file: its path as given, or ``<stdin>``."""
    return "<stdin>" if os.fspath(path) == "-" else os.fspath(path)


def stem_of(path: StrPath) -> str:
    """The file name without directories, ``.gz`` and one suffix: how a system gets its name."""
    name = Path(name_of(path)).name.removesuffix(".gz")
    return Path(name).stem


@contextmanager
def open_bytes(path: StrPath) -> Iterator[IO[bytes]]:
    """The (decompressed) bytes of a file or of standard input."""
    name = name_of(path)
    try:
        if name == "<stdin>":
            yield sys.stdin.buffer
            return
        with gzip.open(path, "rb") if name.endswith(".gz") else Path(path).open("rb") as stream:
            yield cast(IO[bytes], stream)
    except (gzip.BadGzipFile, EOFError) as error:
        raise DataError(f"{name}: expected an intact gzip file, but {_lower(error)}") from error
    except OSError as error:
        raise StoreError(f"{name}: cannot be read: {error.strerror or error}") from error


def read_lines(path: StrPath) -> Iterator[tuple[int, str]]:
    r"""Numbered lines without their line end; UTF-8, ``\n`` or ``\r\n``, an initial BOM dropped.

    Only ``\n`` ends a line: a form feed or U+2028 inside a segment is text.
    """
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, 1):
            line = decode(raw, path, number)
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line.removesuffix("\n").removesuffix("\r")


def decode(raw: bytes, path: StrPath, number: int) -> str:
    """*raw* as UTF-8; an invalid byte is reported with its line and column."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name_of(path)}:{number}: byte {error.start + 1} of the line is "
            f"0x{raw[error.start]:02x}; expected valid UTF-8"
        ) from error


@contextmanager
def write_text(path: StrPath) -> Iterator[TextIO]:
    """A text stream whose content appears under *path* only when everything was written.

    Gzip by suffix (without a time stamp, so equal content gives equal bytes); ``-`` is standard
    output.
    """
    if os.fspath(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
    try:
        with os.fdopen(handle, "wb") as raw:
            yield from _encoded(raw, compressed=target.name.endswith(".gz"))
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
        raise


@contextmanager
def new_folder(path: StrPath) -> Iterator[Path]:
    """A folder to fill that appears under *path* only when everything was written.

    *path* must not exist yet: nothing is overwritten.
    """
    target = Path(path)
    if target.exists():
        raise StoreError(f"{target}: exists already; expected the name of a new folder")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error
    try:
        yield building
        building.chmod(0o777 & ~_umask())
        building.replace(target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


def _encoded(raw: IO[bytes], *, compressed: bool) -> Iterator[TextIO]:
    import io

    binary: IO[bytes] = gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) if compressed else raw  # type: ignore[assignment]
    text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    yield text
    text.flush()
    text.detach()
    if compressed:
        binary.close()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _lower(error: BaseException) -> str:
    text = str(error)
    return text[:1].lower() + text[1:]
