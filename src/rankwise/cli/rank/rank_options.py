"""The options of ``rankwise rank``: how they are typed, and one record that holds them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from rankwise.cli.common.engine_options import engine_options, site_of
from rankwise.cli.common.option_list import all_options
from rankwise.cli.common.output import FOR_PROGRAMS, check_plot, note, table_options
from rankwise.cli.common.ranking_options import ranking_options, was_typed

if TYPE_CHECKING:
    from rankwise.aggregate.ranker import Ranker
    from rankwise.engine import Site


#: The options that only ``--help-all`` shows.
RARE = (
    "--unit",
    "--kind",
    "--weights",
    "--documents",
    "--compat",
    "--engine",
    "--address",
    "--workers",
)
PLOT_KINDS = ("ranges", "heatmap", "early-late", "clusters", "ratings")


@dataclass(frozen=True, slots=True, kw_only=True)
class RankArguments:
    """What was typed; the fields are the options."""

    judgments: tuple[str, ...]
    ranker: "Ranker"
    predict: str | None
    curve: bool
    judges: str | None
    language_pair: str | None
    by: str | None
    pairwise: bool
    agreement: bool
    per_judge: bool
    compat: Literal["wmt"] | None
    kind: str | None
    weights: str | None
    documents: str | None
    proxy: tuple[str, ...]
    errors: bool
    plots: tuple[str, ...]
    plot_kinds: tuple[str, ...]
    engine: Literal["local", "dask"] | None
    address: str | None
    workers: int | None
    output: str | None
    output_format: str

    @property
    def wants_agreement(self) -> bool:
        """Whether the agreement of judges is to be computed: asked for, or JSON, which has all."""
        return self.agreement or self.per_judge or self.output_format == "json"

    @property
    def site(self) -> "Site | None":
        """Where runs are computed; None for this process."""
        return site_of(self.engine, self.address, self.workers)

    @property
    def predicts(self) -> bool:
        """Whether judgments are foretold, instead of systems ranked."""
        return self.predict is not None or self.curve

    @property
    def curve_runs(self) -> int:
        """How many runs each point of a curve gets."""
        return self.ranker.runs if was_typed("runs") else 100

    def note_few_runs(self) -> None:
        """Say that ranges of few runs are narrow."""
        from rankwise.significance.few_items import few_draws

        sentence = few_draws(self.ranker.runs, self.ranker.level, "runs")
        if sentence is not None:
            note(sentence)

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Files to draw, and the kind of figure for each."""
        return list(zip(self.plots, self.plot_kinds or ("ranges",), strict=True))

    def check(self) -> None:
        """Raise a usage error for options that do not go together."""
        tables = [self.pairwise, self.agreement, self.per_judge, self.errors]
        if self.output_format in FOR_PROGRAMS and self.output_format != "json" and sum(tables) > 1:
            raise click.UsageError(
                f"{self.output_format.upper()} holds one table: give one of --pairwise, "
                "--agreement, --per-judge, --errors"
            )
        if self.compat is not None and not self.wants_agreement:
            raise click.UsageError("--compat needs --agreement, --per-judge or --format json")
        if self.predicts:
            self._check_prediction()
        if self.proxy:
            self._check_proxy()
        self._check_plots()
        _ = self.site

    def check_for_rankings(self) -> None:
        """Raise a usage error for options that are for values alone."""
        of_values = {
            "--errors": self.errors,
            "--kind": self.kind,
            "--weights": self.weights,
            "--documents": self.documents and not self.proxy,
        }
        given = next((name for name, value in of_values.items() if value), None)
        if given is not None:
            raise click.UsageError(f"{given} is for values; the files hold rankings")

    def _check_prediction(self) -> None:
        """What has no use where no ranking is printed."""
        unused = {
            "--recipe": self.ranker.recipe,
            "--unit": self.ranker.unit,
            "--by": self.by,
            "--pairwise": self.pairwise,
            "--agreement": self.agreement,
            "--per-judge": self.per_judge,
            "--plot-kind": self.plot_kinds,
            "--engine": self.engine,
        }
        given = [name for name, value in unused.items() if value]
        if given:
            raise click.UsageError(f"{given[0]} has no use with --predict and --curve")
        if self.plots and (not self.curve or len(self.plots) > 1):
            raise click.UsageError("--predict draws one --plot, and with --curve only")
        if was_typed("runs") and not self.curve:
            raise click.UsageError("--runs has no use with --predict unless --curve is given")

    def _check_proxy(self) -> None:
        """What has no use where a machine helps: means and shares of wins have one way."""
        unused = {
            "--model": self.ranker.model,
            "--recipe": self.ranker.recipe,
            "--unit": self.ranker.unit,
            "--predict": self.predict,
            "--curve": self.curve,
            "--by": self.by,
            "--agreement": self.agreement,
            "--per-judge": self.per_judge,
            "--errors": self.errors,
            "--plot": self.plots,
            "--engine": self.engine,
        }
        given = next((name for name, value in unused.items() if value), None)
        if given is not None:
            raise click.UsageError(f"{given} has no use with --proxy")

    def _check_plots(self) -> None:
        kinds = self.plot_kinds or ("ranges",)
        if self.plot_kinds and not self.plots:
            raise click.UsageError("--plot-kind needs --plot, the file to draw into")
        if self.plots and len(self.plots) != len(kinds):
            raise click.UsageError(
                f"{len(self.plots)} --plot but {len(self.plot_kinds)} --plot-kind; "
                "give one kind for each file, in the same order"
            )
        for name in self.plots:
            check_plot(name)


_OPTIONS = (
    click.argument("judgments", nargs=-1, required=True),
    ranking_options("model", "recipe", "runs", "seed", "unit", "level"),
    click.option(
        "--predict",
        metavar="HELD_OUT",
        help="Instead: how well the model foretells these judgments, in accuracy and perplexity.",
    ),
    click.option(
        "--curve",
        is_flag=True,
        help="Instead: how well it foretells after ever more judgments, with 100 --runs for each "
        "point unless given. Without --predict a fifth of them is held out.",
    ),
    click.option(
        "--judges", help="Only judges whose name matches this pattern, like 'researcher_*'."
    ),
    click.option(
        "--language-pair",
        metavar="PAIR",
        help="Only this one, like fr-en; otherwise every language pair gets its table.",
    ),
    click.option(
        "--by",
        metavar="COLUMN",
        help="One ranking for each judge, segment, document or value of another column.",
    ),
    click.option(
        "--pairwise",
        is_flag=True,
        help="Also who beat whom how often, with a sign test, and the judgments per pair.",
    ),
    click.option(
        "--agreement", is_flag=True, help="Also how far judges agree; of values, on errors too."
    ),
    click.option("--per-judge", is_flag=True, help="Also the agreement of every single judge."),
    click.option(
        "--compat",
        type=click.Choice(["wmt"]),
        help="With --agreement or --per-judge: as the WMT scripts count, without mirrored pairs.",
    ),
    click.option(
        "--errors",
        is_flag=True,
        help="Of values: also the errors marked, by severity and category.",
    ),
    click.option(
        "--kind", metavar="NAME", help="Of a table with several kinds of values: which, like ESA."
    ),
    click.option(
        "--weights",
        type=click.Choice(["published", "wmt23", "wmt24"]),
        help="Of MQM: what errors weigh.  [default: published]",
    ),
    click.option(
        "--proxy",
        multiple=True,
        metavar="SCORES",
        help="Scores of a metric for all segments, judged or not, in any format: they make the "
        "intervals narrower, and these hold however bad the metric is. Also prints the plan: how "
        "many judgments are saved.",
    ),
    click.option(
        "--documents",
        metavar="FILE",
        help="Of values, and with --proxy: the document of every segment in the last of its "
        "tab-separated columns, the domain in the one before; a line each.",
    ),
    click.option(
        "--plot",
        "plots",
        multiple=True,
        metavar="FILE",
        help="Draw a figure into this PNG, SVG or PDF file; may be repeated.",
    ),
    click.option(
        "--plot-kind",
        "plot_kinds",
        multiple=True,
        type=click.Choice(PLOT_KINDS),
        help="What to draw, for each --plot in turn: rank ranges with clusters, judgments per "
        "pair, the first and last of them, clusters against data, ratings.  [default: ranges]",
    ),
    engine_options(
        "Compute the runs in parts on processes of this machine or on a Dask cluster, instead of "
        "threads; the ranking is the same. For models whose runs take long."
    ),
    table_options,
)


#: All options of the command.
rank_options = all_options(*_OPTIONS)
