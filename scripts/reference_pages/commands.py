"""The page about commands: the help of each, from the real objects."""

from collections.abc import Iterator

import click

from rankwise.cli import COMMANDS, cli
from rankwise.cli.common.rare_options import SHOWS_ALL

INTRO = """\
<!-- Written by scripts/make_reference.py from the help of the commands: change it there. -->

# Commands

Options that are rarely needed are shown here and by `--help-all`.

Results go to standard output alone, everything else to standard error. Exit codes: 0 done; 1
bad data, one line says where and what; 2 wrong usage. Completion: `eval "$(rankwise completion
bash)"` (or `zsh`, `fish`). `RANKWISE_THREADS` sets the number of threads; results do not depend
on it.
"""


def page() -> str:
    """The help of every command, and of every command of a command."""
    # As wide as on a terminal of 80 columns, whatever this one has.
    program = cli.make_context("rankwise", [], resilient_parsing=True, terminal_width=78)
    found = [
        part for name in COMMANDS for part in _parts(cli.get_command(program, name), name, program)
    ]
    return "\n".join([INTRO, *found])


def _parts(
    command: click.Command | None, name: str, parent: click.Context, depth: int = 2
) -> Iterator[str]:
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    context.meta[SHOWS_ALL] = True
    yield f"{'#' * depth} `{context.command_path}`\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from _parts(command.get_command(context, below), below, context, depth + 1)
