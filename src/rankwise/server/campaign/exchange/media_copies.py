"""The pictures, sounds and videos of a campaign as files of a folder, under names of our own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import write_bytes, write_text
from rankwise.server.campaign.plan.sources.media_kinds import HEAD_BYTES, kind_of
from rankwise.server.records import Asset, SegmentAsset

#: What gives the bytes of a file, piece by piece.
Content = Callable[[Asset], Iterable[bytes]]
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/mp4": "m4a",
    "video/mp4": "mp4",
    "video/webm": "webm",
}


@dataclass(frozen=True, slots=True)
class MediaCopies:
    """What each file is called in the folder, by the asset's number, and how many bytes all have.

    A campaign's own names may be anything; here they are ``1.png``, ``2.mp3`` and so on.
    """

    names: Mapping[int, str]
    paths: tuple[Path, ...]
    size: int


def copy_media(found: Iterable[SegmentAsset], content: Content, folder: Path) -> MediaCopies:
    """Write the file of each asset once to *folder*, in the order of the assets."""
    assets = {one.asset.id: one.asset for one in found}
    names = {
        asset.id: f"{number}.{ENDINGS.get(asset.kind, 'bin')}"
        for number, asset in enumerate(assets.values(), 1)
    }
    if names:
        folder.mkdir(parents=True, exist_ok=True)
    for asset in assets.values():
        _copy(asset, content, folder / names[asset.id])
    paths = tuple(folder / name for name in names.values())
    return MediaCopies(names, paths, sum(asset.size for asset in assets.values()))


def _copy(asset: Asset, content: Content, path: Path) -> None:
    """Write a file that is still what it was when it was taken in."""
    blocks = iter(content(asset))
    first = next(blocks, b"")
    size = 0
    with write_bytes(path) as stream:
        for block in chain((first,), blocks):
            size += stream.write(block)
        if kind_of(first[:HEAD_BYTES]) != asset.kind or size != asset.size:
            kind = f"{asset.kind} of {asset.size:,} bytes"
            raise DataError(f"{asset.name!r} is no longer what was stored: expected {kind}")


def write_media(
    slug: str, assets: Mapping[int, SegmentAsset], content: Content, count: int, folder: Path
) -> MediaCopies:
    """The files of all *assets* in ``SLUG.media``, and ``SLUG.media.tsv``, their list.

    The list is what ``texts.media`` of a plan names: a line for each of *count* segments.
    """
    copies = copy_media(assets.values(), content, folder / f"{slug}.media")
    path = folder / f"{slug}.media.tsv"
    with write_text(path) as stream:
        for place in range(count):
            one = assets.get(place)
            words = "" if one is None else " ".join(one.words.split())
            stream.write("\n" if one is None else f"{copies.names[one.asset.id]}\t{words}\n")
    return replace(copies, paths=(path, *copies.paths))
