"""``rankwise score --engine``: shards of files, scored on processes or on a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.inputs import load_metrics
from rankwise.cli.common.output import note, print_table
from rankwise.cli.common.progress import counting
from rankwise.cli.score.score_options import ScoreOptions

if TYPE_CHECKING:
    from rankwise.bulk import BulkScores
    from rankwise.present.tables import Table


def print_bulk_scores(options: ScoreOptions) -> None:
    """Score all shards and print corpus scores; a shard that failed is an error at the end."""
    from rankwise.bulk import score_table, shards_language, shards_of
    from rankwise.engine import Site
    from rankwise.errors import DataError
    from rankwise.evaluate.system_scores import whole_signature
    from rankwise.types.language_codes import target_of_pair

    if not options.outputs:
        raise click.UsageError("--engine needs OUTPUTS: files, or folders of them")
    shards = shards_of(options.outputs, options.references)
    site = options.site or Site()
    of_pair = target_of_pair(options.language_pair) if options.language_pair else ""
    language = shards_language(shards, options.language or of_pair, site=site)
    metrics = load_metrics(options.metrics, language)
    with counting("segments", len(shards)) as advance, _can_go_on(options.output):
        found = score_table(
            shards,
            metrics,
            folder=options.output,
            site=site,
            on_done=lambda shards, segments: advance(segments, shards),
        )
    if found.failed:
        for name, reason in found.failed.items():
            note(f"shard {name}: {reason}")
        kept = " The others are done and kept." if options.output else ""
        raise DataError(f"{len(found.failed)} of {len(shards)} shards cannot be scored.{kept}")
    print_table(_table(found), options.output_format)
    if options.output_format != "json":
        note(f"{found.segments} segments in {len(shards)} shards")
        for metric in found.metrics:
            for line in (whole_signature(metric, f"nrefs={found.nrefs}"), *metric.notes):
                note(line)


@contextmanager
def _can_go_on(folder: str | None) -> Iterator[None]:
    """Tell whoever interrupts the work how to continue it."""
    try:
        yield
    except KeyboardInterrupt:
        if folder is not None:
            note(f"What is done is kept in {folder}: the same command continues.")
        raise


def _table(found: "BulkScores") -> "Table":
    from rankwise.evaluate.system_scores import whole_signature
    from rankwise.present.tables import Column, Table

    values = found.values
    sign = -1 if found.metrics[0].higher_is_better else 1
    order = sorted(range(len(values)), key=lambda s: (sign * values[s, 0], found.systems[s]))
    rows = [(found.systems[s], *values[s].tolist()) for s in order]
    columns = [Column(str(metric), "right", _digits(metric.best)) for metric in found.metrics]
    signatures = {
        str(metric): whole_signature(metric, f"nrefs={found.nrefs}") for metric in found.metrics
    }
    facts = {"segments": found.segments, "shards": len(found.shards), "signatures": signatures}
    return Table([Column("system"), *columns], rows, facts=facts)


def _digits(best: float | None) -> str:
    """As many as ``rankwise score`` prints: metrics of the scale 0-1 get more."""
    return ".4f" if best == 1 else ".2f"
