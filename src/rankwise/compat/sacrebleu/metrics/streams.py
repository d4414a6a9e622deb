"""References as sacreBLEU takes them, K streams of N lines, turned into one entry per segment.

sacreBLEU stops at the end of the shortest stream and drops the remaining segments without a word;
here streams of unequal length are an error.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rankwise.errors import DataError
from rankwise.text.segments import References

Streams = Sequence[Sequence[str | None]]


class ArgumentError(DataError, TypeError):
    """An argument of the wrong type; sacreBLEU raises TypeError for most of these."""


@dataclass(frozen=True, slots=True)
class SegmentReferences:
    """References by segment; ``count`` is their number in every segment, -1 if it varies."""

    entries: References
    count: int


def by_segment(streams: Iterable[Iterable[str | None]]) -> SegmentReferences:
    """The references of each segment; a reference that is None is left out.

    >>> by_segment([["a", "b"], ["c", None]])
    SegmentReferences(entries=[['a', 'c'], ['b']], count=-1)
    """
    lines = [_lines(stream, number) for number, stream in enumerate(streams, 1)]
    if not lines:
        raise DataError("no stream of references; expected at least one")
    for number, stream in enumerate(lines[1:], 2):
        if len(stream) != len(lines[0]):
            raise DataError(
                f"reference stream 1 has {len(lines[0])} lines but stream {number} has "
                f"{len(stream)}; expected a line, or None, per segment in each"
            )
    if any(None in stream for stream in lines):
        return _present([[t for t in entry if t is not None] for entry in zip(*lines, strict=True)])
    if len(lines) == 1:
        return SegmentReferences(lines[0], 1)  # type: ignore[arg-type]
    return SegmentReferences(list(zip(*lines, strict=True)), len(lines))


def of_segment(references: Sequence[str | None]) -> SegmentReferences:
    """The references of a single segment."""
    return _present([[text for text in references if text is not None]])


def check_hypotheses(name: str, hypotheses: object) -> None:
    """Raise unless *hypotheses* is a non-empty sequence of strings."""
    if isinstance(hypotheses, str) or not isinstance(hypotheses, Sequence):
        found = type(hypotheses).__name__
        raise ArgumentError(f"{name}: hypotheses are a {found}; expected a sequence of strings")
    if not hypotheses:
        raise DataError(f"{name}: no hypothesis; expected at least one")
    if {*map(type, hypotheses)} == {str}:
        return
    for number, text in enumerate(hypotheses, 1):
        if not isinstance(text, str):
            found = type(text).__name__
            raise ArgumentError(f"{name}: hypothesis {number} is a {found}; expected a string")


def check_streams(name: str, streams: object) -> None:
    """Raise unless *streams* is a sequence of sequences of strings or None."""
    if isinstance(streams, str) or not isinstance(streams, Sequence):
        found = type(streams).__name__
        raise ArgumentError(f"{name}: references are a {found}; expected a sequence of streams")
    for number, stream in enumerate(streams, 1):
        if not isinstance(stream, Sequence):
            found = type(stream).__name__
            raise ArgumentError(
                f"{name}: reference stream {number} is a {found}; expected a sequence of strings"
            )


def check_sentence(name: str, hypothesis: object, references: object) -> None:
    """Raise unless *hypothesis* is a string and *references* is a sequence."""
    if not isinstance(hypothesis, str):
        found = type(hypothesis).__name__
        raise ArgumentError(f"{name}: the hypothesis is a {found}; expected a string")
    if isinstance(references, str) or not isinstance(references, Sequence):
        found = type(references).__name__
        raise ArgumentError(f"{name}: references are a {found}; expected a sequence of strings")


def check_same_length(name: str, hypotheses: Sequence[str], references: SegmentReferences) -> None:
    """Raise unless there are references for every hypothesis, and no others."""
    segments, entries = len(hypotheses), references.entries
    if len(entries) == segments:
        return
    turned = references.count == segments and not isinstance(entries[0], str)
    hint = "; these look like one list per segment, turn them with zip(*references)"
    raise DataError(
        f"{name}: {segments} hypotheses but streams of {len(entries)} references; expected "
        f"references[k][i] to be reference k of hypothesis i{hint if turned else ''}"
    )


def _lines(stream: Iterable[str | None], number: int) -> Sequence[str | None]:
    if isinstance(stream, str):
        raise ArgumentError(
            f"reference stream {number} is one string; expected a list with a string per segment"
        )
    return stream if isinstance(stream, list | tuple) else list(stream)


def _present(entries: list[list[str]]) -> SegmentReferences:
    counts = {len(entry) for entry in entries}
    return SegmentReferences(entries, counts.pop() if len(counts) == 1 else -1)
