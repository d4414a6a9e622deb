"""Files packed by zstd: Python reads them from 3.14 on, before that the package zstandard does."""

import io
from importlib import import_module
from typing import IO, Any, cast

from rankwise.errors import MissingExtra

#: Bytes unpacked at a time: few, for each may stand for many.
_PIECE = 1 << 12


def open_zstd(raw: IO[bytes]) -> IO[bytes]:
    """The bytes that *raw* holds packed; an ``EOFError`` where it ends too early."""
    zstd = _standard_library()
    if zstd is not None:
        return cast(IO[bytes], zstd.ZstdFile(raw))
    return cast(IO[bytes], io.BufferedReader(_Frames(raw, _zstandard()), 1 << 17))


def inflated_zstd(head: bytes) -> bytes:
    """What the beginning of a packed file holds."""
    zstd = _standard_library()
    if zstd is not None:
        return bytes(zstd.ZstdDecompressor().decompress(head))
    return bytes(_zstandard().ZstdDecompressor().decompressobj().decompress(head))


def zstd_errors() -> tuple[type[Exception], ...]:
    """What unpacking a broken file raises, if anything here can unpack one."""
    for name in ("compression.zstd", "zstandard"):
        module = _imported(name)
        if module is not None:
            return (module.ZstdError,)
    return ()


def _standard_library() -> Any | None:
    return _imported("compression.zstd")


def _zstandard() -> Any:
    found = _imported("zstandard")
    if found is None:
        raise MissingExtra("files packed by zstd need zstandard: pip install 'rankwise[zstd]'")
    return found


def _imported(name: str) -> Any | None:
    try:
        return import_module(name)
    except ImportError:
        return None


class _Frames(io.RawIOBase):
    """The content of packed frames, one after the other.

    zstandard's own reader takes a file that was cut off for a whole one.
    """

    def __init__(self, raw: IO[bytes], zstandard: Any) -> None:
        self._raw, self._zstandard = raw, zstandard
        self._frame: Any | None = None
        self._packed = b""
        self._unpacked = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._unpacked:
            if not self._advance():
                return 0
        part = self._unpacked[: len(buffer)]
        buffer[: len(part)] = part
        self._unpacked = self._unpacked[len(part) :]
        return len(part)

    def _advance(self) -> bool:
        """Unpack the next piece, which may hold nothing; False at the end."""
        piece = self._packed or self._raw.read(_PIECE)
        if not piece:
            if self._frame is not None:
                raise EOFError("the end of its last frame is missing")
            return False
        if self._frame is None:
            self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        self._unpacked = memoryview(self._frame.decompress(piece))
        self._packed = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None
        return True
