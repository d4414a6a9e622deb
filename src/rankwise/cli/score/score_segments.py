"""``rankwise score --segments``: a row per segment and system, streamed unless leads are added."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.inputs import load_metrics, open_texts
from rankwise.cli.common.output import format_of, note
from rankwise.cli.common.progress import lines_about, with_progress
from rankwise.cli.score.score_options import ScoreOptions, with_scores

if TYPE_CHECKING:
    from rankwise.io.formats.scores.segment_rows import SegmentRows
    from rankwise.metrics import Metric
    from rankwise.types.text_block import Block

#: Formats of rows by what ``--format`` says, and by how a file is called.
BY_OPTION = {"text": "tsv", "tsv": "tsv", "json": "jsonl"}
BY_SUFFIX = {".parquet": "parquet", ".jsonl": "jsonl", ".json": "jsonl", ".tsv": "tsv"}


def stream_segments(options: ScoreOptions) -> None:
    """Read, score and write block by block; a file appears when everything was written."""
    from rankwise.evaluate.odd.text_troubles import TextTroubles
    from rankwise.io.formats.scores.segment_rows import write_segment_rows

    chosen = _format(options)
    total = lines_about(options.a_text_file)
    texts = open_texts(options.files, options.metrics)
    metrics = with_scores(load_metrics(options.metrics, texts.language), options)
    if options.scores and not any(metric.needs.scores for metric in metrics):
        raise click.UsageError("--segments and --scores do not go together")
    stream = _Stream(metrics, texts.references, has_leads=options.lead)
    troubles = TextTroubles(texts.language)
    blocks = with_progress(troubles.watched(texts.blocks), "segments", total=total)
    write_segment_rows(
        stream.rows(blocks),
        options.output or "-",
        format=chosen,
        metrics=[str(metric) for metric in metrics],
        facts=stream.facts,
        places=texts.places,
    )
    for sentence in troubles.sentences():
        note(sentence)
    if chosen == "tsv":
        lines = stream.signatures().values()
        for line in (*lines, *(line for metric in metrics for line in metric.notes)):
            note(line)


class _Stream:
    """Scores of blocks, and what was seen of them so far."""

    def __init__(
        self, metrics: "list[Metric]", references: tuple[str, ...] = (), *, has_leads: bool = False
    ) -> None:
        self._metrics = metrics
        self._references = references
        self._has_leads = has_leads
        self._counts: set[int] = set()
        self._segments = 0

    def rows(self, blocks: "Iterator[Block]") -> "Iterator[SegmentRows]":
        """The scores of every block; leads are known when all blocks are."""
        scored = self._scored(blocks)
        return iter([_with_leads(list(scored))]) if self._has_leads else scored

    def _scored(self, blocks: "Iterator[Block]") -> "Iterator[SegmentRows]":
        from rankwise.evaluate.system_scores import block_scores, blocks_for, reference_counts
        from rankwise.io.formats.scores.segment_rows import SegmentRows

        for block in blocks_for(self._metrics, blocks):
            places = {"document": block.documents, "domain": block.domains}
            values = block_scores(block, self._metrics)
            yield SegmentRows(block.ids, tuple(block.outputs), values, places)
            self._counts |= reference_counts(block)
            self._segments += len(block)

    def signatures(self) -> dict[str, str]:
        """The signature of every metric, with the number of references."""
        from rankwise.evaluate.system_leads import WEIGHT
        from rankwise.evaluate.system_scores import which_references, whole_signature

        references = which_references(self._counts, self._references)
        lead = f":lead={WEIGHT}" if self._has_leads else ""
        return {str(metric): whole_signature(metric, references) + lead for metric in self._metrics}

    def facts(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"signatures": self.signatures(), "segments": self._segments}


def _with_leads(blocks: "list[SegmentRows]") -> "SegmentRows":
    """All blocks as one, every metric with the leads of systems."""
    import numpy as np

    from rankwise.evaluate.system_leads import WEIGHT, system_leads
    from rankwise.io.formats.scores.segment_rows import SegmentRows

    values = np.concatenate([block.values for block in blocks])
    leads = [system_leads(column.T) for column in np.moveaxis(values, 2, 0)]
    ids = [segment for block in blocks for segment in block.ids]
    places = {
        name: [label for block in blocks for label in block.places[name]]
        for name in blocks[0].places
    }
    return SegmentRows(ids, blocks[0].systems, values + WEIGHT * np.transpose(leads), places)


def _format(options: ScoreOptions) -> str:
    chosen = format_of(options.output_format, options.output, BY_SUFFIX)
    known = BY_OPTION | {kind: kind for kind in BY_SUFFIX.values()}
    if chosen not in known:
        raise click.UsageError(f"--segments cannot be {chosen}; choose from tsv and json")
    return known[chosen]
