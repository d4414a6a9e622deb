"""Opening and writing files: packed ones, ``-`` for standard streams, errors with line numbers.

Every reader takes a path and goes through here, so that all of them treat compression, encoding and
half-written output alike.
"""

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, TextIO

from rankwise.errors import DataError, StoreError
from rankwise.io.packed.foreign_files import FOREIGN_BYTES, foreign_file
from rankwise.io.packed.packings import (
    MAGIC_BYTES,
    Packing,
    broken,
    packing_of,
    without_packing,
)

StrPath = str | os.PathLike[str]

_BLOCK_BYTES = 1 << 20

#: Streams that cannot be read twice (standard input, pipes) with the bytes peeked so far.
_peeked: dict[str, tuple[IO[bytes], bytes]] = {}


def name_of(path: StrPath) -> str:
    """How messages call a file that is read: its path as given, or ``<stdin>``."""
    return "<stdin>" if os.fspath(path) == "-" else os.fspath(path) or "''"


def is_folder(path: StrPath) -> bool:
    """Whether a folder is there; ``-`` is standard input even beside a folder of that name."""
    return os.fspath(path) != "-" and Path(path).is_dir()


def target_name(path: StrPath) -> str:
    """How messages call a file that is written: its path as given, or ``<stdout>``."""
    return "<stdout>" if os.fspath(path) == "-" else name_of(path)


def stem_of(path: StrPath) -> str:
    """The file name without directories, packing and one suffix: how a system gets its name."""
    return Path(plain_name(path)).stem


def plain_name(path: StrPath) -> str:
    """The file name without directories and packing: what the name of a format's file says."""
    return without_packing(Path(name_of(path)).name)


def must_differ(paths: Iterable[StrPath]) -> None:
    """Raise an error where two of *paths* are the same file, which would be counted twice."""
    seen: dict[str, str] = {}
    for path in paths:
        place = "-" if os.fspath(path) == "-" else os.path.realpath(path)
        if place in seen:
            same = dict.fromkeys((seen[place], name_of(path)))
            is_same = "are the same file" if len(same) > 1 else "is given twice"
            raise DataError(f"{' and '.join(same)} {is_same}; expected every file once")
        seen[place] = name_of(path)


# -- reading ---------------------------------------------------------------------------------------


@contextmanager
def open_bytes(path: StrPath) -> Iterator[IO[bytes]]:
    """The (decompressed) bytes of a file, a pipe or standard input.

    Gzip, xz, bzip2 and zstd are recognised by their first bytes; a file called ``*.gz`` must be
    gzip.
    """
    name, packing = name_of(path), None
    try:
        with _raw_stream(path) as raw:
            packing = packing_of(raw.peek(MAGIC_BYTES)[:MAGIC_BYTES], name)
            yield raw if packing is None else packing.unpacked(raw, name)
    except broken() as error:
        kind = "gzip" if packing is None else packing.name
        raise DataError(f"{name}: expected an intact {kind} file, but {_reason(error)}") from error
    except OSError as error:
        if packing is not None and error.errno is None:  # what bzip2 says of a broken file
            raise DataError(
                f"{name}: expected an intact {packing.name} file, but {error}"
            ) from error
        raise StoreError(f"{name}: cannot be read: {error.strerror or error}") from error


def peek_bytes(path: StrPath, size: int) -> bytes:
    """The first *size* bytes (decompressed), without losing them for a later ``open_bytes``."""
    if not _can_be_read_once(path):
        with open_bytes(path) as stream:
            return stream.read(size)
    try:
        stream, head = _take_peeked(path) or (_open_raw(path), b"")
        head += _read_fully(stream, size - len(head))
    except OSError as error:
        raise StoreError(f"{name_of(path)}: cannot be read: {error.strerror or error}") from error
    _peeked[os.fspath(path)] = (stream, head)
    packing = packing_of(head)
    return head if packing is None else _inflated(head, size, packing, path)


def _inflated(head: bytes, size: int, packing: Packing, path: StrPath) -> bytes:
    name = name_of(path)
    try:
        return packing.inflated(head, size, name)
    except broken(OSError) as error:
        raise DataError(f"{name}: expected an intact {packing.name} file, but {error}") from error


def _can_be_read_once(path: StrPath) -> bool:
    if os.fspath(path) == "-":
        return True
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False  # opening it says what is wrong
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def _open_raw(path: StrPath) -> IO[bytes]:
    return sys.stdin.buffer if os.fspath(path) == "-" else Path(path).open("rb")


def _take_peeked(path: StrPath) -> tuple[IO[bytes], bytes] | None:
    kept = _peeked.pop(os.fspath(path), None)
    if kept and os.fspath(path) == "-" and kept[0] is not sys.stdin.buffer:
        return None  # standard input was replaced since
    return kept


@contextmanager
def _raw_stream(path: StrPath) -> Iterator[io.BufferedReader]:
    """The bytes as stored, those that were peeked first; standard input stays open."""
    stream, head = _take_peeked(path) or (_open_raw(path), b"")
    try:
        if not head and isinstance(stream, io.BufferedReader):
            yield stream
        else:
            yield io.BufferedReader(_Replay(head, stream), 1 << 17)
    finally:
        if os.fspath(path) != "-":
            stream.close()


class _Replay(io.RawIOBase):
    """Some bytes, then the rest of a stream."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(part) :] if self._head else b""
        buffer[: len(part)] = part
        return len(part)


def _read_fully(stream: IO[bytes], size: int) -> bytes:
    """Up to *size* bytes, fewer only at the end: one read of a pipe may return a part."""
    parts = bytearray()
    while len(parts) < size and (part := stream.read(size - len(parts))):
        parts += part
    return bytes(parts)


def entries_of(path: StrPath) -> frozenset[str]:
    """The names of what lies in a folder."""
    try:
        return frozenset(entry.name for entry in Path(path).iterdir())
    except OSError as error:
        raise StoreError(f"{name_of(path)}: cannot be read: {error.strerror or error}") from error


def read_lines(path: StrPath, *, longest: int | None = None) -> Iterator[tuple[int, str]]:
    r"""Numbered lines without their line end; UTF-8, ``\n`` or ``\r\n``, an initial BOM dropped.

    Only ``\n`` ends a line: a form feed or U+2028 inside a segment is text. A line of more than
    *longest* bytes is refused before it is read to its end.
    """
    with open_bytes(path) as stream:
        for number, raw in enumerate(_lines(stream, longest), 1):
            if longest is not None and len(raw) > longest:
                found = f"the line is longer than {longest:,} bytes; expected a shorter one"
                raise DataError(f"{name_of(path)}:{number}: {found}")
            line = decode(raw, path, number)
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line.removesuffix("\n").removesuffix("\r")


def _lines(stream: IO[bytes], longest: int | None) -> Iterable[bytes]:
    if longest is None:
        return stream
    return iter(partial(stream.readline, longest + 1), b"")


def read_blocks(path: StrPath) -> Iterator[tuple[int, str]]:
    r"""The text in blocks of whole lines (about a megabyte), each with its first line's number.

    Line ends stay as they are, ``\n`` or ``\r\n``; an initial BOM is dropped.
    """
    number = 1
    for raw in raw_blocks(path):
        block = decode(raw, path, number)
        yield number, block.removeprefix("\ufeff") if number == 1 else block
        number += raw.count(b"\n")


def raw_blocks(path: StrPath) -> Iterator[bytes]:
    """The bytes in blocks of whole lines (about a megabyte); an initial BOM stays."""
    with open_bytes(path) as stream:
        while raw := stream.read(_BLOCK_BYTES) + stream.readline():
            yield raw


def decode(raw: bytes, path: StrPath, number: int) -> str:
    """*raw*, which begins on line *number*, as UTF-8; an invalid byte is reported."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        must_be_text(raw, path, number)
        line = number + raw.count(b"\n", 0, error.start)
        column = error.start - raw.rfind(b"\n", 0, error.start)
        raise DataError(
            f"{name_of(path)}:{line}: byte {column} of the line is "
            f"0x{raw[error.start]:02x}; expected valid UTF-8"
        ) from error


def must_be_text(raw: bytes, path: StrPath, number: int) -> None:
    """Raise where *raw*, which begins on line *number*, begins a file of a known other kind."""
    foreign = foreign_file(raw[:FOREIGN_BYTES]) if number == 1 else ""
    if foreign:
        raise DataError(f"{name_of(path)}:1: {foreign}")


# -- writing ---------------------------------------------------------------------------------------


@contextmanager
def write_text(path: StrPath, *, private: bool = False) -> Iterator[TextIO]:
    """A text stream whose content appears under *path* only when everything was written.

    Gzip by suffix (without a time stamp, so equal content gives equal bytes); ``-`` is standard
    output. A pipe or a device is written as it is, and a link to a file stays a link. What is
    *private* only its owner may read.
    """
    if os.fspath(path) == "-":
        try:
            yield sys.stdout
            sys.stdout.flush()
        except BrokenPipeError:
            raise  # whoever read it has enough, as head has: nothing is wrong
        except OSError as error:
            raise StoreError(f"<stdout>: cannot be written: {error.strerror or error}") from error
        except UnicodeEncodeError as error:
            raise _no_utf8(error, path) from error
        return
    try:
        with write_bytes(path, private=private) as raw:
            yield from _encoded(raw, compressed=os.fspath(path).endswith(".gz"))
    except UnicodeEncodeError as error:
        raise _no_utf8(error, path) from error


@contextmanager
def write_bytes(path: StrPath, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream of bytes whose content appears under *path* only when everything was written."""
    try:
        with _raw_target(path, private=private) as raw:
            yield raw
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _raw_target(path: StrPath, *, private: bool) -> Iterator[BinaryIO]:
    """A stream that becomes the file when it is closed without an error."""
    if is_device(path):  # renaming a file to /dev/stdout would replace it for everyone
        with Path(path).open("wb") as raw:
            yield raw
        return
    import tempfile  # slow to import, and most runs write to standard output

    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except UnicodeEncodeError as error:  # in a locale of few letters, as Latin-5
        raise _no_such_name(error, path) from error
    try:
        with os.fdopen(handle, "wb") as raw:
            yield raw
        if not private:  # it was made for its owner alone
            Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def is_device(path: StrPath) -> bool:
    """Whether a pipe or device is there, or a link to one as the system keeps them."""
    place = Path(path)
    if place.is_absolute() and place.parts[1:2] in (("dev",), ("proc",)):
        return place.exists() and place.parts[1:3] != ("dev", "shm")
    return place.exists() and not place.is_file() and not place.is_dir()


def _no_such_name(error: UnicodeEncodeError, path: StrPath) -> DataError:
    found = ascii(error.object[error.start])
    return DataError(
        f"{target_name(path)}: cannot be made: names of files have no {found} in this locale "
        f"({error.encoding}); set LC_ALL=C.UTF-8"
    )


def _no_utf8(error: UnicodeEncodeError, path: StrPath) -> DataError:
    found = ascii(error.object[error.start])
    return DataError(
        f"{target_name(path)}: cannot be written: found {found}; expected text that has UTF-8"
    )


def _encoded(raw: BinaryIO, *, compressed: bool) -> Iterator[TextIO]:
    import gzip  # few files are packed

    binary: IO[bytes] = gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) if compressed else raw  # type: ignore[assignment]
    text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    except BaseException:
        with suppress(OSError):
            text.close()  # now, and not later to a file that is gone
        raise
    text.detach()
    if compressed:
        binary.close()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: BaseException) -> str:
    text = str(error)[:1].lower() + str(error)[1:]
    return f"it is {text}" if text.startswith("not ") else text
