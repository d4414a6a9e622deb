"""Commands with many options: ``--help`` shows those that people need, ``--help-all`` all."""

from collections.abc import Iterable
from typing import Any

import click

#: In the ``meta`` of a context: that rare options are shown too.
SHOWS_ALL = "rankwise.shows_all"


class BriefCommand(click.Command):
    """A command whose *rare* options, named as they are typed, only ``--help-all`` shows."""

    def __init__(self, *arguments: Any, rare: Iterable[str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.rare = frozenset(rare)
        self.params.append(_help_all_option(len(self.rare)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options as a list, without the rare ones unless they were asked for."""
        shown = [
            option
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            and (ctx.meta.get(SHOWS_ALL) or not self.rare & {*option.opts})
        ]
        records = [record for option in shown if (record := option.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(records)


def _help_all_option(count: int) -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            ctx.meta[SHOWS_ALL] = True
            click.echo(ctx.get_help())
            ctx.exit()

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help=f"Show this message with {count} options more, and exit.",
    )
