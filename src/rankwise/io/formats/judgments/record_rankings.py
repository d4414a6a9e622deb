"""``campaign-records``: the records of a campaign of rankings or of pairs (``campaign export``).

JSON lines, a judgment each, after a line that names the protocol. Judges are pseudonyms already.
"""

from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.record_lines import (
    DAMAGE,
    NOT_READ,
    ORDERED,
    protocol_of,
    read_record_lines,
    refused,
    segments_of,
    slots_of,
)
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder

__all__ = ["NOT_READ", "read", "sniff"]

_CHOICES = {"left": (1, 2), "right": (2, 1), "equal": (1, 1), "both_bad": (1, 1)}


def read(path: StrPath) -> Judgments:
    """A ranking per judgment and segment, a screen each; a skipped one has no ranks.

    What does not count on the campaign's own leaderboard is left out: controls, repeats, tutorials,
    revised and late judgments, those of excluded judges.
    """
    found, builder = read_record_lines(path), JudgmentsBuilder()
    if found.protocol not in ORDERED:
        raise DataError(
            f"{name_of(path)}:1: protocol {found.protocol!r} gives values; expected rankings"
        )
    for line, row in found.lines:
        try:
            items = list(slots_of(row))
            for segment, said in segments_of(row):
                ranks = None if row["kind"] == "skip" else _ranks(said)
                builder.add(
                    segment,
                    str(row["judge"]),
                    [name for _, name, _ in items],
                    [None if ranks is None else ranks[number] for number, _, _ in items],
                    screen=str(row["id"]),
                    outputs=[number for number, _, _ in items],
                    info={"both_bad": 1.0} if said.get("choice") == "both_bad" else {},
                )
        except DAMAGE as error:
            raise refused(path, line, error, "a judgment of a ranking") from error
    return builder.build()


def _ranks(answer: dict[str, Any]) -> list[int] | tuple[int, int]:
    """The ranks of the texts of one segment."""
    return list(answer["ranks"]) if "ranks" in answer else _CHOICES[answer["choice"]]


def sniff(head: Head) -> bool:
    """Whether the first line is the header of records of a protocol that ranks."""
    return protocol_of(head) in ORDERED
