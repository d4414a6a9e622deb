"""``rankwise rank --predict`` and ``--curve``: how well a model foretells held-out judgments."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rankwise.cli.common.output import note, print_table, write_figure
from rankwise.cli.common.progress import reporting, working
from rankwise.cli.rank.rank_options import RankArguments

if TYPE_CHECKING:
    from rankwise.evaluate.ranking.human_parts import Part
    from rankwise.evaluate.ranking.prediction_curves import PredictionCurve
    from rankwise.types import Judgments


def foretell(found: "list[Part]", options: RankArguments) -> None:
    """Print how well the judgments of every language pair foretell those held out."""
    from rankwise.evaluate.ranking.predictions import predict, prediction_curve
    from rankwise.present.prediction_tables import prediction_curve_table, prediction_table

    model, seed = options.ranker.parsed, options.ranker.seed
    cases = [(part, *two) for part, two in zip(found, _held_out(found, options), strict=True)]
    if options.curve:
        runs, curves = options.curve_runs, []
        with reporting("foretelling (percent)", 100 * len(cases)) as progress:
            for part, rest, test in cases:
                curve = prediction_curve(rest, test, model, runs=runs, seed=seed, progress=progress)
                curves.append((part, curve))
        _draw(curves, options)
        table = prediction_curve_table([(part.title, curve) for part, curve in curves])
    else:
        with working("foretelling"):
            table = prediction_table(
                [(part.title, predict(rest, test, model, seed=seed)) for part, rest, test in cases]
            )
    print_table(table, options.output_format, options.output)
    for part, rest, test in cases:
        title = f"{part.title}: " if part.title else ""
        note(f"{title}{len(rest)} rankings, {len(test)} held out; {model} seed={seed}")


def _held_out(
    found: "list[Part]", options: RankArguments
) -> "Iterator[tuple[Judgments, Judgments]]":
    """What may be learned from, and what is foretold: what the file holds of a language pair."""
    from rankwise.evaluate.ranking.prediction_curves import part as random_part
    from rankwise.io import read_judgments
    from rankwise.types.judging.language_pairs import of_language_pair

    tests = None if options.predict is None else read_judgments(options.predict)
    for part in found:
        pair = part.language_pair
        if tests is None:
            yield random_part(part.judgments, max(1, len(part) // 5), seed=options.ranker.seed)
        else:
            yield part.judgments, of_language_pair(tests, pair) if pair else tests


def _draw(curves: "list[tuple[Part, PredictionCurve]]", options: RankArguments) -> None:
    """The curve of every language pair into a file of its own."""
    if not options.plots:
        return
    from rankwise.present.figures.figure_canvas import rendered
    from rankwise.present.figures.learning_curve import learning_curve

    for part, curve in curves:
        path = plot_path(options.plots[0], part) if len(curves) > 1 else Path(options.plots[0])
        drawn = learning_curve(
            curve.sizes, curve.accuracy.tolist(), units="comparisons", title=part.name
        )
        write_figure(rendered(drawn, path.suffix[1:].lower()), path)


def plot_path(name: str, part: "Part") -> Path:
    """``out.png`` as ``out.fr-en.png``."""
    path = Path(name)
    label = ".".join(part.labels.values())
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in label)
    return path.with_name(f"{path.stem}.{safe}{path.suffix}")
