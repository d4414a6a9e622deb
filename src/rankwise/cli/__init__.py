"""The command line: one program, verbs; each reads, calls and writes.

Commands are loaded when they are called, so that ``rankwise --help`` answers at once.
"""

import os
import sys
from importlib import import_module
from typing import Any

import click

from rankwise import __version__
from rankwise.errors import RankwiseError

#: Every command: the module that holds it, and its line in ``rankwise --help``.
COMMANDS = {
    "score": "Score translations against references.",
    "mbr": "Choose the best of several translations of each segment.",
    "rank": "Rank systems from human judgments.",
    "next": "Say what to ask the judges next.",
    "agree": "Compare predicted rankings with gold ones.",
    "meta": "Compare metrics with human judgments.",
    "learn": "Learn a metric from human judgments.",
    "report": "Write one HTML page about a test set.",
    "sample": "Draw a random test set, or disjoint parts, from a corpus.",
    "convert": "Convert judgments, test sets or scores between formats.",
    "formats": "List the formats that can be read and written.",
    "campaign": "Set up campaigns of human judgments; export what they found.",
    "serve": "Serve campaigns: pages for judges and organisers.",
    "demo": "Run everything on the bundled example.",
    "completion": "Print the completion script of a shell.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command called *cmd_name*, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"rankwise.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Results go to standard output, everything else to standard error. "
    "Exit codes: 0 done, 1 bad data (one line says where and what), 2 wrong usage.",
)
@click.version_option(__version__, prog_name="rankwise")
def cli() -> None:
    """Evaluate machine translation as ranking."""


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; an expected error becomes one line on stderr and exit 1."""
    try:
        return cli.main(args=arguments, prog_name="rankwise")
    except RankwiseError as error:
        click.echo(f"rankwise: {error}", err=True)
        _give_up_stdout()
        sys.exit(1)


def _give_up_stdout() -> None:
    """Where stdout cannot be written, what waits for it goes nowhere.

    Python would try once more as it ends, and some versions then exit with 120.
    """
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
