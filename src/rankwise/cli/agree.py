"""``rankwise agree``: how well predicted rankings agree with gold ones."""

from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import note, print_table, table_format, table_options
from rankwise.cli.common.progress import reporting, working

if TYPE_CHECKING:
    from rankwise.agreement import RankedLists
    from rankwise.types import Judgments

#: What is printed when no measure is named; bph@all stands for all ranks.
ALL_MEASURES = (
    "kendall",
    "kendall:average=macro",
    "kendall:variant=wmt13",
    "kendall:variant=wmt14",
    "kendall:variant=b",
    "kendall:variant=acc-eq",
    "mrr",
    "ndcg",
    "err",
    "avg-predicted",
    "bph@all",
)


@click.command()
@click.argument("predicted")
@click.argument("gold")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    help="A measure with its options, like kendall:variant=wmt12 or ndcg@5; may be repeated. "
    "With --compat, RankEval's names too. Without it, all.",
)
@click.option(
    "--ties",
    type=click.Choice(["minimize", "floor", "ceiling", "middle"]),
    help="How to rank ties, where that matters and a measure does not say it.",
)
@click.option(
    "--predicted-rank", help="The attribute of a jcml file that holds the predicted ranks."
)
@click.option("--lower-is-better", is_flag=True, help="PREDICTED holds scores of this kind.")
@click.option("--gold-rank", help="The attribute of a jcml file that holds the gold ranks.")
@click.option("--segments", is_flag=True, help="Print the values of every list.")
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Resamples of lists for the intervals; 0 for none.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option(
    "--seed", type=click.IntRange(0), default=12345, show_default=True, help="Same seed, same ends."
)
@click.option(
    "--permutations",
    type=click.IntRange(min=0),
    default=0,
    help="Random orders for a two-sided p-value of every measure.",
)
@click.option(
    "--compat",
    type=click.Choice(["rankeval"]),
    help="Print what RankEval (2013) prints, its mistakes included.",
)
@table_options
def agree(
    predicted: str,
    gold: str,
    measures: tuple[str, ...],
    ties: str | None,
    predicted_rank: str | None,
    lower_is_better: bool,
    gold_rank: str | None,
    segments: bool,
    samples: int,
    level: float,
    seed: int,
    permutations: int,
    compat: str | None,
    output: str | None,
    output_format: str,
) -> None:
    """Compare PREDICTED rankings with GOLD ones (any ranking format; - for stdin).

    Rankings meet by segment, and by judge and screen where a segment has several predicted ones;
    systems by name. PREDICTED may hold segment scores instead, of which more is better. Prints
    every measure with its interval. For metrics against people, see ``rankwise meta``.
    """
    from rankwise.evaluate.list_agreement import compare_lists, list_values, p_values
    from rankwise.present.list_tables import list_table, original_table, segment_table

    asked = measures or ALL_MEASURES
    output_format = table_format(output_format, output)
    with working("comparing"):
        rankings = _rankings(gold, gold_rank)
        lists = _lists(predicted, rankings, predicted_rank, lower_is_better)
        _must_meet(lists, predicted, gold)
        notes = lists.notes
        if compat is not None:
            table = original_table(lists, measures)
        elif segments:
            table = segment_table(list_values(lists, None, asked, ties=ties), lists)
        else:
            found = compare_lists(
                lists, None, asked, ties=ties, samples=samples, level=level, seed=seed
            )
            notes += (found.signature,)
    if compat is None and not segments:
        orders = permutations * len(found.results)
        with reporting("random orders", orders) as progress:
            shares = p_values(found, lists, samples=permutations, seed=seed, done=progress)
        table = list_table(found, shares)
    print_table(table, output_format, output)
    for sentence in filter(None, notes):
        note(sentence)


def _lists(path: str, gold: "Judgments", rank: str | None, lower_is_better: bool) -> "RankedLists":
    """The predicted rankings or scores of a file, beside the gold ones."""
    from rankwise.agreement import RankedLists
    from rankwise.agreement.lists.joined_lists import scored_lists
    from rankwise.io.study import read_people
    from rankwise.types import Assessments, Judgments

    found = read_people(path, rank=rank)
    if not isinstance(found, Judgments):
        scores = found.scores() if isinstance(found, Assessments) else found
        return scored_lists(scores, gold, higher_is_better=not lower_is_better)
    if lower_is_better:
        raise click.UsageError("--lower-is-better is for scores; PREDICTED holds rankings")
    return RankedLists.of(found, gold)


def _must_meet(lists: "RankedLists", predicted: str, gold: str) -> None:
    """Raise an error where the two files have no ranked output in common."""
    from rankwise.errors import DataError

    if not ((lists.predicted == lists.predicted) & (lists.gold == lists.gold)).any():
        raise DataError(
            f"{predicted} ranks no output that {gold} ranks too; expected the same names of "
            "segments and systems in both"
        )


def _rankings(path: str, rank: str | None) -> "Judgments":
    from rankwise.errors import DataError
    from rankwise.io.study import read_people
    from rankwise.types import Judgments

    found = read_people(path, rank=rank)
    if not isinstance(found, Judgments):
        raise DataError(f"{path}: found scores; expected rankings")
    return found
