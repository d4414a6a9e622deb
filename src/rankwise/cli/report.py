"""``rankwise report``: one HTML page about a test set."""

import click

from rankwise.cli.inputs import load_metrics, load_testset, metric_option, text_options
from rankwise.cli.output import note
from rankwise.cli.progress import working


@click.command()
@text_options
@metric_option
@click.option("-j", "--judgments", help="Human rankings, in any format.")
@click.option("-o", "--output", required=True, help="The HTML file to write.")
def report(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    testset: str | None,
    language_pair: str | None,
    metrics: tuple[str, ...],
    judgments: str | None,
    output: str,
) -> None:
    """Write one self-contained HTML page about OUTPUTS: scores, ranking, agreement."""
    from rankwise import aggregate
    from rankwise.evaluate import agreement_with_people, score_systems
    from rankwise.evaluate.intervals import score_intervals
    from rankwise.evaluate.page import report_page
    from rankwise.io import read_judgments
    from rankwise.io.files import write_text

    with working("evaluating"):
        texts = load_testset(outputs, references, source, testset, language_pair)
        results = score_systems(texts, load_metrics(metrics))
        intervals = score_intervals(results)
        board, agreements = None, []
        if judgments is not None:
            people = read_judgments(judgments)
            board = aggregate.rank(people)
            agreements = [agreement_with_people(result, board, people) for result in results]
    with write_text(output) as stream:
        stream.write(report_page(texts, results, intervals, board, agreements))
    note(f"report: {output}")
