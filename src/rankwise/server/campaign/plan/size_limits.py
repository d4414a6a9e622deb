"""How large a campaign may be: a server holds its texts in memory, beside everybody's requests."""

from dataclasses import dataclass

from rankwise.errors import DataError
from rankwise.text.line_limits import LONGEST_TEXT
from rankwise.types import TestSet

MOST_SEGMENTS = 100_000
MOST_SYSTEMS = 2_000
#: Segments times systems.
MOST_CELLS = 2_000_000
#: Characters of a name: every page that tells of a system, a document or a segment shows it.
LONGEST_NAME = 1_000
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class AssetLimits:
    """How many bytes a picture, sound or video may have, and all of a campaign together.

    They lie in the database, and in every backup of it.
    """

    file: int = 64 * _MIB
    campaign: int = 1024 * _MIB

    def check_file(self, name: str, size: int) -> None:
        """Refuse a file that is too large.

        >>> AssetLimits(file=1 << 20).check_file("a.mp4", 3 << 20)
        Traceback (most recent call last):
        ...
        rankwise.errors.DataError: 'a.mp4' has 3.0 MiB; expected at most 1.0 MiB
        """
        if size > self.file:
            raise DataError(
                f"{name!r} has {shown_size(size)}; expected at most {shown_size(self.file)}"
            )

    def check_campaign(self, size: int) -> None:
        """Refuse files that are too large together."""
        if size > self.campaign:
            raise DataError(
                "the pictures, sounds and videos of the campaign have "
                f"{shown_size(size)} together; expected at most {shown_size(self.campaign)}"
            )


USUAL_ASSETS = AssetLimits()


def shown_size(size: int) -> str:
    """A number of bytes as people read it."""
    return f"{size / _MIB:,.1f} MiB" if size >= _MIB else f"{size / 1024:,.1f} KiB"


def check_size(segments: int, systems: int) -> None:
    """Refuse a campaign of more segments, systems or outputs than a server takes.

    >>> check_size(2_000, 30)
    >>> check_size(2_000, 3_000)
    Traceback (most recent call last):
    ...
    rankwise.errors.DataError: 3,000 systems; expected at most 2,000
    """
    cells = segments * systems
    for count, what, most in (
        (segments, "segments", MOST_SEGMENTS),
        (systems, "systems", MOST_SYSTEMS),
        (cells, "outputs (segments times systems)", MOST_CELLS),
    ):
        if count > most:
            raise DataError(f"{count:,} {what}; expected at most {most:,}")


def check_testset(testset: TestSet) -> None:
    """The same for the texts themselves and for names, none of which may be too long."""
    check_size(len(testset), len(testset.systems))
    for name in testset.systems:
        _check_name(name, "a system")
    for segment in testset.segments:
        _check_name(segment.id, "a segment")
        _check_name(segment.document, "a document")
        _check_name(segment.domain, "a domain")
        for text in (segment.source, *segment.references):
            _check_text(text, segment.id)
    for name, outputs in testset.outputs.items():
        for output in outputs:
            _check_text(output, name)


def _check_name(name: str | None, whose: str) -> None:
    if name is not None and len(name) > LONGEST_NAME:
        raise DataError(
            f"the name of {whose}, {name[:40]!r}..., has {len(name):,} characters; "
            f"expected at most {LONGEST_NAME:,}"
        )


def _check_text(text: str | None, whose: str) -> None:
    if text is not None and len(text) > LONGEST_TEXT:
        raise DataError(
            f"a text of {whose!r} has {len(text):,} characters; expected at most {LONGEST_TEXT:,}"
        )
