"""The records of a campaign (``rankwise campaign export --to records``), line by line.

The first line is ``{"format": "rankwise-campaign", "version": 1, "protocol": "ranking"}``, with the
``weights`` of errors where there are some; every other line is one judgment. What does not count
on the campaign's own leaderboard is left out here, and counted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines
from rankwise.io.parts.json_values import parse_object
from rankwise.io.parts.line_text import counted
from rankwise.io.sniffing import Head

FORMAT, VERSION = "rankwise-campaign", 1
#: The protocols whose judgments are orders; all others give values.
ORDERED = ("ranking", "pairwise")
#: What is known of a judgment and never read here.
NOT_READ = ("Times, comments, places on the page and how screens were chosen are not read.",)

Line = dict[str, Any]
#: What a judgment that is not one makes a reader raise.
DAMAGE = (DataError, KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError)


@dataclass(frozen=True, slots=True)
class RecordLines:
    """The judgments that count, each with the number of its line, and why others do not."""

    protocol: str
    weights: Mapping[str, float]
    lines: tuple[tuple[int, Line], ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """A sentence for everything that was left out."""
        found = sorted(self.left_out.items())
        return [f"Left out: {counted(count, 'judgment')} {why}." for why, count in found]


def protocol_of(head: Head) -> str | None:
    """The protocol that the first line of a file of records names; None for another file."""
    header = head.first_object or {}
    return str(header.get("protocol")) if header.get("format") == FORMAT else None


def read_record_lines(path: StrPath) -> RecordLines:
    """The header and the judgments of a file of records."""
    lines = read_lines(path)
    number, text = next(lines, (1, ""))
    header = parse_object(text, path, number) if text.startswith("{") else {}
    if (header.get("format"), header.get("version")) != (FORMAT, VERSION):
        expected = f"the header of {FORMAT}, version {VERSION}"
        raise DataError(f"{name_of(path)}:1: found {text[:60]!r}; expected {expected}")
    rows = [(line, parse_object(text, path, line)) for line, text in lines if text]
    replaced = {row.get("supersedes") for _, row in rows}
    left: Counter[str] = Counter()
    found = []
    for line, row in rows:
        reason = _reason(row, replaced)
        if reason:
            left[reason] += 1
        else:
            found.append((line, row))
    weights = {str(key): float(value) for key, value in (header.get("weights") or {}).items()}
    return RecordLines(str(header.get("protocol")), weights, tuple(found), dict(left))


def _reason(row: Line, replaced: set[Any]) -> str:
    """Why a judgment does not count; nothing where it does."""
    if row.get("role") != "work":
        return "of controls, repeats and tutorials"
    if row.get("id") in replaced:
        return "that were revised later"
    if row.get("judge_kind") == "machine":
        return "of machines"
    if row.get("is_excluded"):
        return "of excluded judges"
    return "that came late and nobody needed" if row.get("surplus") else ""


def slots_of(row: Line) -> Iterator[tuple[int, str, str]]:
    """Number of the text, name and role of everything on a screen; controls are no systems."""
    for number, slot in enumerate(row["slots"]):
        role, systems = str(slot["role"]), [str(name) for name in slot["systems"]]
        if role == "REF":
            systems = ["#ref"]
        elif role == "BAD":
            systems = [f"{name}#bad" for name in systems[:1]]
        for name in systems:
            yield number, name, role


def segments_of(row: Line) -> Iterator[tuple[str, Any]]:
    """Every segment of a judgment with what was said about it; a skip stays whole."""
    answer = row["answer"]
    if "segments" not in answer:
        yield str(row["segment"]), answer
        return
    names = row["segments"] or [row["segment"]] * len(answer["segments"])
    for name, said in zip(names, answer["segments"], strict=True):
        yield str(name), said


def refused(path: StrPath, line: int, error: Exception, expected: str) -> DataError:
    """What to raise where a judgment of *line* lacks something, or has something else."""
    what = f"no key {error}" if isinstance(error, KeyError) else str(error)
    return DataError(f"{name_of(path)}:{line}: found {what}; expected {expected}")
