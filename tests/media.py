"""A picture and a sound, small and made here, and campaigns whose sources they are."""

import io
import struct
import wave
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rankwise.server.campaign.plan.sources.media_files import MediaFiles, SegmentFile, asset_file
from rankwise.types import TestSet


def png(width: int = 640, height: int = 420) -> bytes:
    """A picture of a sun above a sea."""
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:] = (150, 200, 235)
    pixels[y > 0.6 * height] = (30, 90, 140)
    pixels[(x - 0.7 * width) ** 2 + (y - 0.25 * height) ** 2 < (0.12 * height) ** 2] = (
        250,
        200,
        60,
    )
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def part(name: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def wav(seconds: float = 2.0, rate: int = 8000) -> bytes:
    """A tone."""
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        times = np.arange(int(seconds * rate)) / rate
        sound.writeframes((8000 * np.sin(880 * np.pi * times)).astype("<i2").tobytes())
    return made.getvalue()


def media_of(
    folder: Path, files: Mapping[str, bytes], rows: Sequence[tuple[str, str] | None]
) -> MediaFiles:
    """The files of segments, written into *folder*: *rows* have a name and a description."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    known = {name: asset_file(folder, name) for name in files}
    return MediaFiles(
        tuple(None if row is None else SegmentFile(known[row[0]], row[1]) for row in rows)
    )


def without_sources(testset: TestSet, places: Collection[int]) -> TestSet:
    """The test set with no source text at those places."""
    segments = [
        replace(one, source="") if place in places else one
        for place, one in enumerate(testset.segments)
    ]
    return replace(testset, segments=tuple(segments))
