"""``rankwise metrics``: what can be named with ``-m``."""

from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import print_table, table_format, table_options

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.metrics.outside.plugins import Plugin


@click.command()
@table_options
def metrics(output: str | None, output_format: str) -> None:
    """List the metrics with their options, ours and those of other packages.

    One of another package that cannot be used is listed with the reason.
    """
    from rankwise.metrics import METRICS
    from rankwise.metrics.outside.plugins import plugins
    from rankwise.present.tables import Column, Table

    columns = [Column(name) for name in ("metric", "package", "what it is", "options")]
    rows = [(name, "rankwise", *_about(found)) for name, found in METRICS.items()]
    others = [one for name, some in plugins().items() for one in some if name not in METRICS]
    rows += [(one.name, one.package, *_loaded(one)) for one in others]
    hidden = [one for name, some in plugins().items() for one in some if name in METRICS]
    rows += [(one.name, one.package, "not used: one of ours is called so", "") for one in hidden]
    print_table(Table(columns, rows), table_format(output_format, output), output)


def _loaded(plugin: "Plugin") -> tuple[str, str]:
    from rankwise.errors import RankwiseError

    try:
        return _about(plugin.load())
    except RankwiseError as error:
        return f"cannot be used: {error}", ""


def _about(metric: "type[Metric]") -> tuple[str, str]:
    """The first sentence about a metric, and its options."""
    from dataclasses import fields

    options = " ".join(field.name for field in fields(metric))
    text = " ".join((metric.__doc__ or "").split("\n\n")[0].split())
    return text, options
