"""``rankwise sacrebleu``: sacreBLEU's own command line, so that scripts change one word."""

import os
from collections.abc import Sequence
from typing import Any

import click

from rankwise.cli.common.rare_options import SHOWS_ALL, BriefCommand
from rankwise.compat.sacrebleu.command.options import OPTIONS, Option


class ForeignCommand(BriefCommand):
    """A command whose arguments another parser reads; the options here are for help alone."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Everything that was typed, unless it asks for help."""
        asked = [arg for arg in args if arg in ("-h", "--help", "--help-all")]
        if asked and not ctx.resilient_parsing:
            ctx.meta[SHOWS_ALL] = asked[0] == "--help-all"
            click.echo(ctx.get_help())
            ctx.exit()
        ctx.params = {"arguments": tuple(args)}
        return []

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by what they are about, as sacreBLEU groups them."""
        groups = dict.fromkeys(option.group for option in OPTIONS)
        by_name = {name: param for param in self.get_params(ctx) for name in param.opts}
        for group in groups:
            shown = [
                by_name[option.names[0]]
                for option in OPTIONS
                if option.group == group and (ctx.meta.get(SHOWS_ALL) or not option.rare)
            ]
            records = [record for param in shown if (record := param.get_help_record(ctx))]
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)
        own = [by_name[name] for name in ("--help-all", "-h") if name in by_name]
        with formatter.section("Help"):
            formatter.write_dl([record for p in own if (record := p.get_help_record(ctx))])


def _shown(option: Option) -> click.Option:
    """The option as the help shows it."""
    default = " ".join(option.default) if isinstance(option.default, tuple) else option.default
    return click.Option(
        [*reversed(option.names)],
        is_flag=option.is_flag,
        type=None if option.is_flag else _type(option),
        metavar=option.metavar or None,
        default=None if default is None else str(default),
        show_default=not option.is_flag and default is not None,
        help=option.help,
        expose_value=False,
    )


def _type(option: Option) -> Any:
    return click.Choice(option.choices) if option.choices else click.STRING


def _rare() -> list[str]:
    return [option.names[0] for option in OPTIONS if option.rare]


def run_sacrebleu(arguments: Sequence[str]) -> None:
    """Run it, and exit as it does."""
    # Nothing here needs linear algebra, whose threads take longer to start than BLEU to compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rankwise.compat.sacrebleu.command.running import run

    click.get_current_context().exit(run(arguments))


sacrebleu = ForeignCommand(
    "sacrebleu",
    rare=_rare(),
    params=[click.Argument(["refs"], nargs=-1), *map(_shown, OPTIONS)],
    callback=run_sacrebleu,
    help="""Run sacreBLEU's command line: its options, its output, its exit codes.

    REFS are the references, each a file with a line per segment; or -t names a test set, which
    --download fetches once. Outputs come from standard input or --input. Scores and signatures are
    those of sacreBLEU 2.6; the version in them names Rankwise too.
    """,
)
