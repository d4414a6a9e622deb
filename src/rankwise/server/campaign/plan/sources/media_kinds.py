"""What a picture, a sound or a video is by its first bytes, whatever its file is called.

Only what browsers show by themselves and what cannot hold a script is known.
"""

from collections.abc import Callable

#: So many bytes tell what a file is.
HEAD_BYTES = 512
EXPECTED = "PNG, JPEG, WebP or GIF, MP3, Ogg, WAV or M4A, MP4 or WebM"

_SOUNDS_IN_OGG = (b"\x01vorbis", b"OpusHead", b"\x7fFLAC", b"Speex   ")
_BRANDS = {
    **dict.fromkeys((b"M4A ", b"M4B "), "audio/mp4"),
    **dict.fromkeys((b"mp41", b"mp42", b"M4V ", b"avc1", b"dash", b"MSNV"), "video/mp4"),
}
_EBML = b"\x1a\x45\xdf\xa3"


def _is_mp3(head: bytes) -> bool:
    """A tag of ID3, or a frame of MPEG audio, layer III, with a bit rate and a sample rate."""
    if head.startswith(b"ID3"):
        return True
    if len(head) < 3 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return False
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    rate, sampling = head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and layer == 1 and rate not in (0, 15) and sampling != 3


def _mp4(head: bytes) -> str | None:
    brand = head[8:12]
    # isom, iso2, ... are the brands of the format itself; those of still pictures are others
    return _BRANDS.get(brand, "video/mp4" if brand.startswith(b"iso") else None)


_RULES: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("image/png", lambda head: head.startswith(b"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", lambda head: head.startswith(b"\xff\xd8\xff")),
    ("image/gif", lambda head: head.startswith((b"GIF87a", b"GIF89a"))),
    ("image/webp", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP"),
    ("audio/wav", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WAVE"),
    ("audio/mpeg", _is_mp3),
    ("audio/ogg", lambda head: head[:4] == b"OggS" and any(k in head for k in _SOUNDS_IN_OGG)),
    ("video/webm", lambda head: head.startswith(_EBML) and b"webm" in head[:64]),
)


def kind_of(head: bytes) -> str | None:
    r"""The type that the first bytes of a file say; ``None`` for everything else.

    >>> kind_of(b"\x89PNG\r\n\x1a\n..."), kind_of(b"\0\0\0 ftypM4A "), kind_of(b"\0\0\0 ftypisom")
    ('image/png', 'audio/mp4', 'video/mp4')
    >>> kind_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), kind_of(b"<!DOCTYPE html>")
    (None, None)
    """
    if head[4:8] == b"ftyp":
        return _mp4(head)
    return next((kind for kind, fits in _RULES if fits(head)), None)
