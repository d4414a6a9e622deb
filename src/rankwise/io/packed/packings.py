"""How files are packed: known by their first bytes, which no UTF-8 text begins with."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import IO, NamedTuple, cast

from rankwise.errors import MissingExtra
from rankwise.io.packed.zstd import inflated_zstd, open_zstd, zstd_errors


class Packing(NamedTuple):
    """One way of packing: how it is called, how files begin, how they are unpacked.

    ``magic`` is a pattern of bytes.
    """

    name: str
    magic: bytes
    suffix: str
    open: Callable[[IO[bytes]], IO[bytes]]
    inflate: Callable[[bytes, int], bytes]

    def unpacked(self, raw: IO[bytes], name: str) -> IO[bytes]:
        """The bytes that *raw*, a file called *name*, holds packed."""
        try:
            return self.open(raw)
        except MissingExtra as error:
            raise MissingExtra(f"{name}: {error}") from error

    def inflated(self, head: bytes, size: int, name: str) -> bytes:
        """At most *size* bytes that the beginning of a file called *name* holds packed."""
        try:
            return self.inflate(head, size)[:size]
        except MissingExtra as error:
            raise MissingExtra(f"{name}: {error}") from error


def _opened_by(module: str, name: str) -> Callable[[IO[bytes]], IO[bytes]]:
    """A class of files, imported when one is opened: few are packed by xz or bzip2."""
    return lambda raw: cast(IO[bytes], getattr(import_module(module), name)(raw))


def _inflated_by(module: str, name: str) -> Callable[[bytes, int], bytes]:
    """What a decompressor, imported when it is needed, makes of the beginning of a file."""

    def inflate(head: bytes, size: int) -> bytes:
        found: bytes = getattr(import_module(module), name)().decompress(head, size)
        return found

    return inflate


def _gzip_inflated(head: bytes, size: int) -> bytes:
    found: bytes = import_module("zlib").decompressobj(wbits=31).decompress(head, size)
    return found


GZIP = Packing(
    "gzip",
    rb"\x1f\x8b",
    ".gz",
    lambda raw: cast(IO[bytes], import_module("gzip").GzipFile(fileobj=raw, mode="rb")),
    _gzip_inflated,
)
PACKINGS = (
    GZIP,
    Packing(
        "xz",
        rb"\xfd7zXZ\x00",
        ".xz",
        _opened_by("lzma", "LZMAFile"),
        _inflated_by("lzma", "LZMADecompressor"),
    ),
    Packing(
        "bzip2",
        rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
        ".bz2",
        _opened_by("bz2", "BZ2File"),
        _inflated_by("bz2", "BZ2Decompressor"),
    ),
    Packing(
        "zstd",
        rb"\x28\xb5\x2f\xfd",
        ".zst",
        open_zstd,
        lambda head, _: inflated_zstd(head),
    ),
)
#: With what byte any of them begins: patterns are looked for only there.
_FIRST_BYTES = (b"\x1f", b"\xfd", b"B", b"\x28")
#: How many bytes tell all of them.
MAGIC_BYTES = 10


def broken(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What unpacking a broken file raises, and *others*; bzip2 an OSError without a number too."""
    import gzip
    import zlib
    from lzma import LZMAError

    return gzip.BadGzipFile, EOFError, zlib.error, LZMAError, *zstd_errors(), *others


def packing_of(head: bytes, name: str = "") -> Packing | None:
    """The packing of a file that begins so, or whose *name* promises it; None for plain files.

    >>> packing_of(b"BZh91AY&SY").name, packing_of(b"BZh is a paper")
    ('bzip2', None)
    >>> packing_of(b"plain", "x.gz").name
    'gzip'
    """
    may_be = PACKINGS if head.startswith(_FIRST_BYTES) else ()
    begins = next((packing for packing in may_be if re.match(packing.magic, head)), None)
    return begins or next((packing for packing in PACKINGS if name.endswith(packing.suffix)), None)


def without_packing(name: str) -> str:
    """A file name without the suffix of a packing.

    >>> without_packing("system.txt.xz"), without_packing("system.txt")
    ('system.txt', 'system.txt')
    """
    found = next((packing.suffix for packing in PACKINGS if name.endswith(packing.suffix)), "")
    return name.removesuffix(found)
