"""``rankwise score --segments``: a row per segment and system, streamed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from rankwise.cli.inputs import load_blocks, load_metrics
from rankwise.cli.output import note
from rankwise.cli.progress import lines_about, with_progress
from rankwise.cli.score_options import ScoreOptions

if TYPE_CHECKING:
    from rankwise.evaluate.blocks import Block
    from rankwise.io.segment_rows import SegmentRows
    from rankwise.metrics import Metric

#: Formats of rows by what ``--format`` says, and by how a file is called.
BY_OPTION = {"text": "tsv", "tsv": "tsv", "json": "jsonl"}
BY_SUFFIX = {".parquet": "parquet", ".jsonl": "jsonl", ".json": "jsonl", ".tsv": "tsv"}


def stream_segments(options: ScoreOptions) -> None:
    """Read, score and write block by block; a file appears when everything was written."""
    from rankwise.io.segment_rows import write_segment_rows

    metrics = load_metrics(options.metrics)
    stream = _Stream(metrics)
    chosen = _format(options)
    total = lines_about(options.a_text_file)
    blocks = with_progress(load_blocks(*options.texts), "segments", total=total)
    write_segment_rows(
        stream.rows(blocks),
        options.output or "-",
        format=chosen,
        metrics=[str(metric) for metric in metrics],
        facts=stream.facts,
    )
    if chosen == "tsv":
        for line in stream.signatures().values():
            note(line)


class _Stream:
    """Scores of blocks, and what was seen of them so far."""

    def __init__(self, metrics: "list[Metric]") -> None:
        self._metrics = metrics
        self._counts: set[int] = set()
        self._segments = 0

    def rows(self, blocks: "Iterator[Block]") -> "Iterator[SegmentRows]":
        """The scores of every block."""
        from rankwise.evaluate.scores import block_scores, reference_counts
        from rankwise.io.segment_rows import SegmentRows

        for block in blocks:
            yield SegmentRows(block.ids, tuple(block.outputs), block_scores(block, self._metrics))
            self._counts |= reference_counts(block)
            self._segments += len(block)

    def signatures(self) -> dict[str, str]:
        """The signature of every metric, with the number of references."""
        nrefs = str(next(iter(self._counts))) if len(self._counts) == 1 else "var"
        return {str(metric): f"{metric.signature}:nrefs={nrefs}" for metric in self._metrics}

    def facts(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"signatures": self.signatures(), "segments": self._segments}


def _format(options: ScoreOptions) -> str:
    name = (options.output or "").removesuffix(".gz")
    by_suffix = [kind for suffix, kind in BY_SUFFIX.items() if name.endswith(suffix)]
    if options.output_format == "text" and by_suffix:
        return by_suffix[0]
    if options.output_format not in BY_OPTION:
        raise click.UsageError(
            f"--segments cannot be {options.output_format}; choose from tsv and json"
        )
    return BY_OPTION[options.output_format]
