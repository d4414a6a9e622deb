"""How files are packed: known by their first bytes, which no UTF-8 text begins with."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, cast


@dataclass(frozen=True, slots=True)
class Packing:
    """One way of packing: how it is called, how files begin, how they are unpacked.

    ``magic`` is a pattern of bytes.
    """

    name: str
    magic: re.Pattern[bytes]
    suffix: str
    open: Callable[[io.BufferedReader], IO[bytes]] | None
    decompressor: Callable[[], Any] | None


GZIP = Packing(
    "gzip",
    re.compile(rb"\x1f\x8b"),
    ".gz",
    lambda raw: cast(IO[bytes], gzip.GzipFile(fileobj=raw)),
    lambda: zlib.decompressobj(wbits=31),
)
PACKINGS = (
    GZIP,
    Packing("xz", re.compile(rb"\xfd7zXZ\x00"), ".xz", lzma.LZMAFile, lzma.LZMADecompressor),
    Packing(
        "bzip2",
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        ".bz2",
        bz2.BZ2File,
        bz2.BZ2Decompressor,
    ),
    Packing("zstd", re.compile(rb"\x28\xb5\x2f\xfd"), ".zst", None, None),
)
#: How many bytes tell all of them.
MAGIC_BYTES = 10
#: What unpacking a broken file raises; of bzip2 also an OSError without a number.
BROKEN = (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError)
#: The beginnings of texts in UTF-16 and UTF-32.
OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00\x00\xfe\xff": "UTF-32"}


def packing_of(head: bytes, name: str = "") -> Packing | None:
    """The packing of a file that begins so, or whose *name* promises it; None for plain files.

    >>> packing_of(b"BZh91AY&SY").name, packing_of(b"BZh is a paper")
    ('bzip2', None)
    >>> packing_of(b"plain", "x.gz").name
    'gzip'
    """
    begins = next((packing for packing in PACKINGS if packing.magic.match(head)), None)
    return begins or next((packing for packing in PACKINGS if name.endswith(packing.suffix)), None)


def without_packing(name: str) -> str:
    """A file name without the suffix of a packing.

    >>> without_packing("system.txt.xz"), without_packing("system.txt")
    ('system.txt', 'system.txt')
    """
    found = next((packing.suffix for packing in PACKINGS if name.endswith(packing.suffix)), "")
    return name.removesuffix(found)
