"""The records of a campaign that gives values (``rankwise campaign export --to records``).

JSON lines, a judgment each, after a line that names the protocol and the weights of errors. Judges
are pseudonyms already.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, Cell
from rankwise.io.formats.assessments.error_spans import PUBLISHED, Span, as_json, weight
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
from rankwise.types import Assessments

__all__ = ["NOT_READ", "read", "sniff"]

_SCALES = {"scores": "score", "fluency": "fluency", "adequacy": "adequacy"}

Part = tuple[str, int, float, dict[str, Cell]]  # segment, number of the text, value, further cells


def read(path: StrPath) -> Assessments:
    """One row per value.

    What does not count on the campaign's own leaderboard is left out, which the ``notes`` count:
    controls, repeats, tutorials, revised and late judgments, those of excluded judges. The value is
    the mean over the scales; of errors by category minus the sum of their weights, which are those
    of the campaign. Skipped screens have no value.
    """
    found, rows = read_record_lines(path), AssessmentRows(keep_judges=True)
    if found.protocol in ORDERED:
        raise DataError(
            f"{name_of(path)}:1: protocol {found.protocol!r} gives rankings; expected values"
        )
    for line, row in found.lines:
        if row.get("kind") == "skip":
            continue
        try:
            items = list(slots_of(row))
            for segment, text, value, cells in _parts(row, found.weights or PUBLISHED):
                info = {**cells, "judgment": str(row["id"])}
                for number, name, role in items:
                    if number == text:
                        rows.add((name, segment, str(row["judge"]), role, value), info)
        except DAMAGE as error:
            raise refused(path, line, error, "a judgment with values") from error
    return rows.build(stem_of(path), found.notes)


def _parts(row: dict[str, Any], weights: Mapping[str, float]) -> Iterator[Part]:
    """What a judgment says about every text of every segment."""
    document: dict[str, Cell] = {}
    if "segments" in row["answer"]:
        document["document"] = str(row["segment"])
    for segment, said in segments_of(row):
        if isinstance(said, list):
            for number, cell in enumerate(said):
                spans = [_span(span) for span in cell["spans"]]
                marked: dict[str, Cell] = {"spans": as_json(spans), **_further(cell)}
                yield segment, number, _value(cell, spans, weights), document | marked
            continue
        scales = [name for name in _SCALES if name in said]
        for number, values in enumerate(zip(*(said[name] for name in scales), strict=True)):
            given = [float(value) for value in values]
            info: dict[str, Cell] = {}
            info |= {_SCALES[name]: one for name, one in zip(scales, given, strict=True)}
            yield segment, number, sum(given) / len(given), document | info


def _further(cell: dict[str, Any]) -> dict[str, Cell]:
    """What else was said about a text: sliders and given errors as JSON, texts as they are."""
    found: dict[str, Cell] = {key: str(cell[key]) for key in ("comment", "edit") if key in cell}
    if "sliders" in cell:
        found["sliders"] = json.dumps(cell["sliders"], ensure_ascii=False)
    if "given" in cell:
        found["given"] = as_json([_span(span) for span in cell["given"]])
    return found


def _value(cell: dict[str, Any], spans: list[Span], weights: Mapping[str, float]) -> float:
    if "score" in cell:
        return float(cell["score"])
    total = sum(weight(span["severity"], span["category"] or "", weights) for span in spans)
    return 0.0 - round(total, 6)


def _span(span: dict[str, Any]) -> Span:
    """A span as all readers give it; one without a place is called by its mark."""
    return {
        "start": span.get("start"),
        "end": span.get("end"),
        "severity": span["severity"],
        "category": span.get("category") or span.get("mark"),
    }


def sniff(head: Head) -> bool:
    """Whether the first line is the header of records of a protocol that gives values."""
    protocol = protocol_of(head)
    return protocol is not None and protocol not in ORDERED
