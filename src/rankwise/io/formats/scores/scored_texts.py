"""The outputs that a file of scores is about, where it holds them, against those at hand.

Scores that were computed for other outputs, or for lines in another order, are wrong without any
sign of it. Files of comet-score and MetricX hold the outputs, so somebody can look.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.scores import comet_json, metricx_jsonl
from rankwise.io.parts.given_files import given_files
from rankwise.io.parts.json_values import read_objects
from rankwise.io.parts.line_text import shown
from rankwise.io.sniffing import read_head
from rankwise.types.text_block import Block


class ScoredTexts(NamedTuple):
    """The outputs of one system that a file has scores of, by segment, or by number of line."""

    file: str
    system: str
    texts: Mapping[str, str]
    is_by_line: bool


def scored_texts(paths: Sequence[StrPath]) -> list[ScoredTexts]:
    """The outputs in those of the files that hold any."""
    found = []
    for called, path, _ in given_files(paths):
        head = read_head(path)
        if comet_json.sniff(head):
            cells, is_by_line = _comet_texts(path), True
        elif metricx_jsonl.sniff(head):
            alone = None if metricx_jsonl.has_systems(head) else called
            is_by_line = not head.first_keys & {*metricx_jsonl.SEGMENT}
            cells = _metricx_texts(path, alone)
        else:
            continue
        texts: dict[str, dict[str, str]] = {}
        for system, segment, text in cells:
            own = texts.setdefault(system, {})
            own[segment or str(len(own) + 1)] = text
        found += [
            ScoredTexts(name_of(path), system, own, is_by_line) for system, own in texts.items()
        ]
    return found


def about_these(blocks: Iterable[Block], scored: Sequence[ScoredTexts]) -> Iterator[Block]:
    """The same blocks; an output that differs from the one that was scored is an error.

    White space is passed over: tools strip lines.
    """
    start = 1
    for block in blocks:
        for one in scored:
            _check(block, one, start)
        yield block
        start += len(block)


def _check(block: Block, scored: ScoredTexts, start: int) -> None:
    for place, text in enumerate(block.outputs.get(scored.system, ())):
        segment = str(start + place) if scored.is_by_line else str(block.ids[place])
        wanted = scored.texts.get(segment)
        if wanted is not None and wanted != text and wanted.split() != text.split():
            raise DataError(
                f"{scored.file}: segment {segment} of {scored.system} has a score for "
                f"{shown(wanted)}, but the output is {shown(text)}; expected scores of this one"
            )


def _comet_texts(path: StrPath) -> Iterator[tuple[str, str, str]]:
    for file, number, segment, _ in comet_json.scored_segments(path):
        if isinstance(segment.get("mt"), str):
            yield stem_of(file), str(number), segment["mt"]


def _metricx_texts(path: StrPath, alone: str | None) -> Iterator[tuple[str, str, str]]:
    """The outputs; a segment without a name is counted by whoever collects them."""
    for _, row in read_objects(path):
        system = next((str(row[key]) for key in metricx_jsonl.SYSTEM if key in row), alone or "")
        segment = next((str(row[key]) for key in metricx_jsonl.SEGMENT if key in row), "")
        if isinstance(row.get("hypothesis"), str):
            yield system, segment, row["hypothesis"]
