"""``rankwise score``: metrics of systems, with intervals."""

import click

from rankwise.cli.inputs import load_metrics, load_testset, metric_option, text_options
from rankwise.cli.output import format_option, note, print_table


@click.command()
@text_options
@metric_option
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Bootstrap resamples for the 95 % intervals; 0 for none.",
)
@click.option("--seed", type=int, default=12345, show_default=True, help="Of the resamples.")
@format_option
def score(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    testset: str | None,
    language_pair: str | None,
    metrics: tuple[str, ...],
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score OUTPUTS (one file per system, line by line) against references.

    Systems are sorted by the first metric; a star marks the best of each column.
    """
    from rankwise.evaluate import score_systems
    from rankwise.evaluate.intervals import score_intervals
    from rankwise.evaluate.tables import score_table

    texts = load_testset(outputs, references, source, testset, language_pair)
    results = score_systems(texts, load_metrics(metrics))
    intervals = score_intervals(results, samples=resamples, seed=seed) if resamples else None
    print_table(score_table(results, intervals), output_format)
    for result in results:
        note(result.metric.signature)
    if intervals:
        note(f"intervals: {resamples} bootstrap resamples of segments, seed {seed}")
