"""Pictures, sounds and videos in sources of Pearmut: HTML with addresses of files that it hosts.

``info.assets`` is ``{source, destination}``: the files lie in the folder *source* and are below the
address *destination*. A source with one of them has this file, and its text without the HTML.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rankwise.errors import DataError
from rankwise.server.campaign.plan.lessons import LessonFile, TutorialItem
from rankwise.server.campaign.plan.size_limits import AssetLimits
from rankwise.server.campaign.plan.sources.media_files import (
    MOST_WORDS,
    AssetFile,
    MediaFiles,
    SegmentFile,
    asset_file,
)
from rankwise.types import TestSet

_TAGS = frozenset({"img", "audio", "video"})
_HTML = re.compile(r"<(?:img|audio|video|iframe|embed|object)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HostedFiles:
    """Where the files of a campaign are, and below which address its sources name them."""

    folder: Path
    address: str
    limits: AssetLimits
    known: dict[str, AssetFile] = field(default_factory=dict)

    def file(self, address: str) -> AssetFile | None:
        """The file of an address; ``None`` for one that is elsewhere."""
        path = unquote(address).lstrip("/")
        if not path.startswith(f"{self.address}/"):
            return None
        name = path.removeprefix(f"{self.address}/")
        if name not in self.known:
            self.known[name] = asset_file(self.folder, name, self.limits)
        return self.known[name]


def hosted_files(assets: object, folder: Path, limits: AssetLimits) -> HostedFiles:
    """What ``info.assets`` says; *folder* is that of the campaign's file."""
    found = assets if isinstance(assets, dict) else {}
    source, address = found.get("source"), found.get("destination")
    if not isinstance(source, str) or not isinstance(address, str):
        expected = "the texts source (a folder) and destination (an address)"
        raise DataError(f"'info.assets' is {assets!r}; expected an object with {expected}")
    root = folder / source
    if not root.is_dir():
        raise DataError(f"'info.assets' has the source {source!r}; expected a folder")
    return HostedFiles(root, address.strip("/"), limits)


def with_media(testset: TestSet, hosted: HostedFiles) -> tuple[TestSet, MediaFiles]:
    """The test set without the HTML of files that are there, and these files."""
    segments, rows = [], []
    for segment in testset.segments:
        try:
            text, row = _shown(segment.source, hosted)
        except DataError as error:
            raise DataError(f"the source of item {segment.id!r}: {error}") from error
        segments.append(replace(segment, source=text))
        rows.append(row)
    media = MediaFiles(tuple(rows), hosted.limits)
    hosted.limits.check_campaign(media.size)
    return replace(testset, segments=tuple(segments)), media


def lessons_with_media(
    items: Iterable[TutorialItem], hosted: HostedFiles
) -> tuple[TutorialItem, ...]:
    """Items of a tutorial or checks without the HTML of files that are there, and these files."""
    return tuple(_lesson(item, hosted) for item in items)


def _lesson(item: TutorialItem, hosted: HostedFiles) -> TutorialItem:
    found = [_shown(source, hosted) for source, _ in item.rows]
    if not any(row for _, row in found):
        return item
    files = tuple(LessonFile(row.file.name, row.words) if row else None for _, row in found)
    more = tuple((s, texts) for (s, _), (_, texts) in zip(found[1:], item.more, strict=True))
    return replace(item, source=found[0][0], more=more, files=files)


def untaken(sources: Iterable[str]) -> Sequence[str]:
    """A sentence where sources still have HTML of pictures, sounds or videos."""
    count = sum(bool(_HTML.search(source)) for source in sources)
    if not count:
        return ()
    why = "expected one file for a source, in the folder that 'info.assets' names"
    return (f"the picture, sound or video of {count} sources is shown as its HTML: {why}",)


def _shown(source: str, hosted: HostedFiles) -> tuple[str, SegmentFile | None]:
    parser = _Sources()
    parser.feed(source)
    parser.close()
    files = [hosted.file(address) for address in parser.addresses]
    if len(set(files)) != 1 or files[0] is None:
        return source, None
    text = "".join(parser.parts).strip()
    return text, SegmentFile(files[0], parser.words.strip()[:MOST_WORDS])


class _Sources(HTMLParser):
    """The addresses in HTML, what stands for those who cannot see, and the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.addresses: list[str] = []
        self.parts: list[str] = []
        self.words = ""
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An address stands in an element, or in the sources within it."""
        given: dict[str, Any] = dict(attrs)
        if (tag in _TAGS or (tag == "source" and self._inside)) and given.get("src"):
            self.addresses.append(given["src"])
        if tag in _TAGS:
            self._inside += tag != "img"
            names = ("alt", "aria-label", "title")
            self.words = self.words or next((given[n] for n in names if given.get(n)), "")
        elif tag in ("br", "p", "div"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """What follows is text again."""
        if tag in ("audio", "video"):
            self._inside = max(0, self._inside - 1)

    def handle_data(self, data: str) -> None:
        """Text stays; what a player holds is for browsers that have none."""
        if not self._inside:
            self.parts.append(data)
