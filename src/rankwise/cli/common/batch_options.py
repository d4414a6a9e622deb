"""Options of metrics that score batches: how large these are, and whether scores are kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rankwise.cli.common.option_list import all_options

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.metrics.outside.batching import Batching

_SIZE, _NO_CACHE = "rankwise.batch_size", "rankwise.no_cache"


def _remember(name: str) -> Any:
    """A callback that puts the value where :func:`in_batches` finds it.

    Neither option can change a number, so no command has them among its arguments.
    """

    def put(context: click.Context, _: click.Parameter, value: object) -> None:
        context.meta[name] = value

    return put


#: ``--batch-size`` and ``--no-cache``.
batch_options = all_options(
    click.option(
        "--batch-size",
        type=click.IntRange(min=1),
        metavar="N",
        expose_value=False,
        callback=_remember(_SIZE),
        help="Of metrics with a model or a command: how many segments at once.  [default: the "
        "metric's own]",
    ),
    click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_remember(_NO_CACHE),
        help="Neither take nor keep scores of such metrics; see rankwise cache.",
    ),
)


def in_batches(names: Sequence[str]) -> "list[str | Metric]":
    """The names; in place of those whose metrics score batches, these metrics as options say."""
    from rankwise.metrics import metric, metrics_with

    found: list[str | Metric] = []
    for name in names:
        kind = metrics_with(name.split(":")[0]).get(name.split(":")[0])
        scores_batches = kind is not None and hasattr(kind, "computed_by")
        found.append(metric(name).computed_by(chosen_batching()) if scores_batches else name)  # type: ignore[attr-defined]
    return found


def chosen_batching() -> "Batching":
    """How metrics that score batches are computed, as the options of the command say."""
    import sys

    from rankwise.cli.common.progress import BatchBar
    from rankwise.io.kept.score_cache import ScoreCache
    from rankwise.metrics.outside.batching import Batching

    context = click.get_current_context()
    bar = BatchBar() if sys.stderr.isatty() else None
    if bar is not None:
        context.call_on_close(bar.close)
    return Batching(
        context.meta.get(_SIZE), None if context.meta.get(_NO_CACHE) else ScoreCache(), bar
    )
