"""What the commands share: the ``--format`` option, tables on stdout and notes on stderr."""

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


def print_table(table: "Table", output_format: str, output: str | None = None) -> None:
    """The table alone on stdout, or in the file *output*."""
    from rankwise.report.tables import render

    text = render(table, output_format)
    if output is None:
        _echo(text.rstrip("\n"))
        return
    from rankwise.io.files import write_text

    with write_text(output) as stream:
        stream.write(text)


def _echo(text: str) -> None:
    """Text on stdout; a disk that is full there is an error as in any other place."""
    from rankwise.errors import StoreError

    try:
        click.echo(text)
    except BrokenPipeError:
        raise  # whoever read it has enough, as head has: nothing is wrong
    except OSError as error:
        raise StoreError(f"<stdout>: cannot be written: {error.strerror or error}") from error


def note(text: str) -> None:
    """A line for the person, not for the pipe."""
    click.echo(text, err=True)
