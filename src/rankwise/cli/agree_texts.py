"""``rankwise agree`` of texts: how well metrics agree with human judgments."""

import click

from rankwise.cli.inputs import load_metrics, load_testset, metric_option, text_options
from rankwise.cli.output import format_option, note, print_table
from rankwise.cli.progress import working


@click.command("agree")
@text_options
@metric_option
@click.option("-j", "--judgments", required=True, help="Human rankings, in any format.")
@click.option("--model", default="expected-wins", show_default=True, help="How to rank systems.")
@format_option
def agree_texts(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    testset: str | None,
    language_pair: str | None,
    metrics: tuple[str, ...],
    judgments: str,
    model: str,
    output_format: str,
) -> None:
    """Compare metrics of OUTPUTS with human judgments of the same systems.

    Systems are matched by name (the file name without its suffix), segments by number.
    """
    from rankwise import aggregate
    from rankwise.evaluate import agreement_with_people, score_systems
    from rankwise.evaluate.tables import agreement_table
    from rankwise.io import read_judgments

    with working("comparing"):
        texts = load_testset(outputs, references, source, testset, language_pair)
        people = read_judgments(judgments)
        board = aggregate.rank(people, model=model)
        results = score_systems(texts, load_metrics(metrics))
        found = [agreement_with_people(result, board, people) for result in results]
    print_table(agreement_table(found), output_format)
    note(board.signature)
