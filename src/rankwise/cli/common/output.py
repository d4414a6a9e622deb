"""What the commands share: the ``--format`` option, tables on stdout and notes on stderr."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rankwise.io.files import StrPath
    from rankwise.present.tables import Table

F = TypeVar("F", bound=Callable[..., object])

FORMATS = ("text", "tsv", "csv", "json", "markdown", "latex", "html")
#: Those that programs read: every number in a column of its own.
FOR_PROGRAMS = ("tsv", "csv", "json")
PLOT_SUFFIXES = (".png", ".svg", ".pdf")
#: Formats of tables by the suffixes of files.
BY_SUFFIX = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
#: Suffixes of files that hold whatever was asked for.
_ANY_SUFFIX = ("", ".txt", ".out", ".log")


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


def format_of(
    asked: str, output: str | None, by_suffix: Mapping[str, str], *, default: str = "text"
) -> str:
    """The format asked for; in place of the default, the one that the file's suffix says.

    A suffix that promises what is not written is a usage error.
    """
    from rankwise.io.files import is_device

    if asked != default or output is None or output == "-" or is_device(output):
        return asked
    suffix = Path(output.removesuffix(".gz")).suffix.lower()
    if suffix not in by_suffix and suffix not in (*_ANY_SUFFIX, f".{default}"):
        known = ", ".join(by_suffix)
        raise click.UsageError(f"-o {output}: the suffix must be one of {known}, or say --format")
    return by_suffix.get(suffix, asked)


def print_table(table: "Table", output_format: str, output: str | None = None) -> None:
    """The table alone on stdout, or in the file *output*."""
    from rankwise.present.tables import render

    text = render(table, output_format)
    if output is None:
        echo(text.rstrip("\n"))
        return
    from rankwise.io.files import write_text

    with write_text(output) as stream:
        stream.write(text)


def echo(text: str = "") -> None:
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


def check_plot(path: str) -> None:
    """Raise a usage error unless the suffix of *path* says how to draw, and unless one can."""
    if Path(path).suffix.lower() not in PLOT_SUFFIXES:
        choices = ", ".join(PLOT_SUFFIXES)
        raise click.UsageError(f"--plot {path}: the suffix must be one of {choices}")
    from rankwise.present.figures.figure_canvas import check_drawing

    check_drawing()


def write_figure(content: bytes, path: "StrPath") -> None:
    """The file of a figure, and a note that it is there."""
    from rankwise.io.files import write_bytes

    with write_bytes(path) as stream:
        stream.write(content)
    note(f"figure: {path}")
