"""Which picture, sound or video belongs to which segment: a list beside the texts, and a folder.

The list has a line for every segment: the file's name within the folder and, after a tab, what is
to be seen or heard in it, for those who cannot. A line of a segment without a file is empty.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import all_lines, counted
from rankwise.server.campaign.plan.size_limits import USUAL_ASSETS, AssetLimits
from rankwise.server.campaign.plan.sources.media_kinds import EXPECTED, HEAD_BYTES, kind_of

#: The longest name of a file, and the longest description.
MOST_NAME, MOST_WORDS = 200, 2000
_CONTROL = re.compile("[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class AssetFile:
    """A file that was looked at: what its content is, and how many bytes it has."""

    name: str
    path: Path
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """The file of a segment; ``words`` say what is to be seen or heard in it."""

    file: AssetFile
    words: str = ""


@dataclass(frozen=True, slots=True)
class MediaFiles:
    """The files of segments, one place for each segment; no place at all where there are none.

    ``lessons`` are those of the tutorial and of checks, which know them by their names.
    """

    rows: tuple[SegmentFile | None, ...] = ()
    limits: AssetLimits = USUAL_ASSETS
    lessons: tuple[AssetFile, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any file."""
        return bool(self.lessons) or any(row is not None for row in self.rows)

    @property
    def files(self) -> tuple[AssetFile, ...]:
        """Every file once: several segments may show the same one."""
        of_segments = (row.file for row in self.rows if row is not None)
        return tuple(dict.fromkeys((*of_segments, *self.lessons)))

    @property
    def size(self) -> int:
        """How many bytes all files have together."""
        return sum(file.size for file in self.files)


NO_MEDIA = MediaFiles()


def read_media(
    path: StrPath, folder: StrPath, count: int, limits: AssetLimits = USUAL_ASSETS
) -> MediaFiles:
    """The files that a list names for *count* segments; *folder* is where they are."""
    root, lines = Path(folder), all_lines(path)
    if not root.is_dir():
        raise DataError(f"{name_of(folder)}: expected a folder with the files of {name_of(path)}")
    if len(lines) != count:
        raise DataError(
            f"{name_of(path)} has {counted(len(lines), 'line')} for {counted(count, 'segment')}; "
            "expected one for each, empty where a segment has no file"
        )
    known: dict[str, AssetFile] = {}
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(_row(line, root, known, limits))
        except DataError as error:
            raise DataError(f"{name_of(path)}:{number}: {error}") from error
    found = MediaFiles(tuple(rows), limits)
    try:
        limits.check_campaign(found.size)
    except DataError as error:
        raise DataError(f"{name_of(path)}: {error}") from error
    return found


def _row(
    line: str, folder: Path, known: dict[str, AssetFile], limits: AssetLimits
) -> SegmentFile | None:
    if not line.strip():
        return None
    name, *words = line.split("\t")
    if len(words) > 1:
        raise DataError(f"{len(words) + 1} columns; expected a file's name and its description")
    text = words[0].strip() if words else ""
    if len(text) > MOST_WORDS:
        raise DataError(f"a description of {len(text):,} characters; expected at most {MOST_WORDS}")
    if name not in known:
        known[name] = asset_file(folder, name, limits)
    return SegmentFile(known[name], text)


def asset_file(folder: Path, name: str, limits: AssetLimits = USUAL_ASSETS) -> AssetFile:
    """The file called *name* in *folder*, if it is one that judges may get."""
    return looked_at(_inside(folder, name), name, limits)


def looked_at(path: Path, name: str, limits: AssetLimits = USUAL_ASSETS) -> AssetFile:
    """The file at *path*, which its organiser calls *name*, if it is one that judges may get."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
            size = stream.seek(0, 2)
    except OSError as error:
        raise DataError(f"{name!r}: {error.strerror or error}") from error
    kind = kind_of(head)
    if kind is None:
        raise DataError(f"{name!r} is none of these by its content; expected {EXPECTED}")
    limits.check_file(name, size)
    return AssetFile(name, path, kind, size)


def _inside(folder: Path, name: str) -> Path:
    """Where *name* is: a plain file within *folder*, to which no link and no ``..`` leads."""
    expected = f"the name of a file within {folder.name!r}, without '..' and links"
    wrong = DataError(f"found {name[:MOST_NAME]!r}; expected {expected}")
    if len(name) > MOST_NAME or _CONTROL.search(name) or Path(name).is_absolute():
        raise wrong
    path = folder / name
    try:
        whole, root = path.resolve(), folder.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a link to itself, half a character
        raise wrong from error
    if whole != root / name or not whole.is_relative_to(root):
        raise wrong
    if not path.is_file():
        raise DataError(f"there is no file {name!r}; expected {expected}")
    return path
