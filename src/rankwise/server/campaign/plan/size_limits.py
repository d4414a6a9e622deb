"""How large a campaign may be: a server holds its texts in memory, beside everybody's requests."""

from rankwise.errors import DataError
from rankwise.text.line_limits import LONGEST_TEXT
from rankwise.types import TestSet

MOST_SEGMENTS = 100_000
MOST_SYSTEMS = 2_000
#: Segments times systems.
MOST_CELLS = 2_000_000


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
    """The same for the texts themselves, none of which may be too long."""
    check_size(len(testset), len(testset.systems))
    for segment in testset.segments:
        for text in (segment.source, *segment.references):
            _check_text(text, segment.id)
    for name, outputs in testset.outputs.items():
        for output in outputs:
            _check_text(output, name)


def _check_text(text: str | None, whose: str) -> None:
    if text is not None and len(text) > LONGEST_TEXT:
        raise DataError(
            f"a text of {whose!r} has {len(text):,} characters; expected at most {LONGEST_TEXT:,}"
        )
