"""Pictures, sounds and videos that a program sends with segments, in base64."""

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rankwise.errors import DataError
from rankwise.server.campaign.plan.size_limits import AssetLimits
from rankwise.server.campaign.plan.sources.media_files import (
    NO_MEDIA,
    AssetFile,
    MediaFiles,
    SegmentFile,
    looked_at,
)
from rankwise.server.settings import Settings
from rankwise.server.web.api.api_models import SegmentIn


@contextmanager
def sent_media(
    segments: Sequence[SegmentIn],
    assets: Mapping[str, str],
    settings: Settings,
    *,
    lessons: Sequence[str] = (),
) -> Iterator[MediaFiles]:
    """The files of *segments*, and those that *lessons* name; they are there within the block."""
    named = {one.asset for one in segments if one.asset is not None} | set(lessons)
    odd = next((name for name in assets if name not in named), None)
    if odd is not None:
        raise DataError(f"assets: no segment names {odd!r}; expected it as 'asset' of a segment")
    if not named:
        yield NO_MEDIA
        return
    limits = AssetLimits(settings.asset_limit, settings.assets_limit)
    with TemporaryDirectory(prefix="rankwise-") as folder:
        files = {
            name: _file(Path(folder) / str(number), name, content, limits)
            for number, (name, content) in enumerate(assets.items())
        }
        of_lessons = tuple(files[name] for name in lessons if name in files)
        media = MediaFiles(tuple(_row(one, files) for one in segments), limits, of_lessons)
        limits.check_campaign(media.size)
        yield media


def _file(path: Path, name: str, content: str, limits: AssetLimits) -> AssetFile:
    try:
        path.write_bytes(b64decode(content, validate=True))
    except (binascii.Error, ValueError) as error:
        raise DataError(f"assets: {name!r} is no base64: {error}") from error
    try:
        return looked_at(path, name, limits)
    except DataError as error:
        raise DataError(f"assets: {error}") from error


def _row(segment: SegmentIn, files: Mapping[str, AssetFile]) -> SegmentFile | None:
    if segment.asset is None:
        return None
    if segment.asset not in files:
        raise DataError(f"segments: one names {segment.asset!r}; expected a name that 'assets' has")
    return SegmentFile(files[segment.asset], segment.asset_words.strip())
