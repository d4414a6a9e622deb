"""What the commands share: the ``--format`` option and notes on stderr."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rankwise.report.tables import Table

F = TypeVar("F", bound=Callable[..., object])

FORMATS = ("text", "tsv", "json", "markdown", "latex")


def format_option(function: F) -> F:
    """Add ``--format`` to a command."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="How to print the result.",
    )(function)


def print_table(table: "Table", output_format: str) -> None:
    """The table alone on stdout."""
    from rankwise.report.tables import render

    click.echo(render(table, output_format).rstrip("\n"))


def note(text: str) -> None:
    """A line for the person, not for the pipe."""
    click.echo(text, err=True)
