"""Where segments stand: a file with the document of every line, and its domain if there is one.

The last of a line's tab-separated columns names the document, the one before it the domain.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import all_lines, counted

if TYPE_CHECKING:
    from rankwise.types import TestSet


class Place(NamedTuple):
    """Where a segment stands."""

    domain: str | None
    document: str


def place_of(line: str) -> Place:
    r"""The place that a line names.

    >>> place_of("news\tbridge")
    Place(domain='news', document='bridge')
    >>> place_of("en\tnews\tbridge").domain, place_of("bridge").domain
    ('news', None)
    """
    *before, document = line.split("\t")
    return Place(before[-1] if before else None, document)


def read_places(path: StrPath, count: int | None = None) -> list[Place]:
    """The places of segments, a line each; of *count* segments, where so many are known."""
    lines = all_lines(path)
    if count is not None and len(lines) != count:
        raise DataError(
            f"{name_of(path)} has {counted(len(lines), 'line')} for {counted(count, 'segment')}; "
            "expected one for each"
        )
    return [place_of(line) for line in lines]


def with_places(testset: "TestSet", path: StrPath) -> "TestSet":
    """The test set with the documents of a file, and with its domains where it has them."""
    places = read_places(path, len(testset))
    segments = tuple(
        replace(segment, document=place.document, domain=place.domain or segment.domain)
        for segment, place in zip(testset.segments, places, strict=True)
    )
    return replace(testset, segments=segments)
