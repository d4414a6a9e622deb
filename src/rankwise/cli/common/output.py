"""What the commands share: ``--format`` and ``-o``, tables on stdout and notes on stderr."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rankwise.io.files import StrPath
    from rankwise.present.tables import Table

F = TypeVar("F", bound=Callable[..., object])

FORMATS = ("text", "tsv", "csv", "json", "markdown", "latex", "html")
#: Those that are no text, and go to a file alone.
BINARY = ("parquet", "xlsx")
#: Those that programs read: every number in a column of its own.
FOR_PROGRAMS = ("tsv", "csv", "json", *BINARY)
PLOT_SUFFIXES = (".png", ".svg", ".pdf")
#: Formats of tables by the suffixes of files.
BY_SUFFIX = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}
#: Suffixes of files that hold whatever was asked for.
_ANY_SUFFIX = ("", ".txt", ".out", ".log")

#: Control characters, but for the ends of lines and tabs.
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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


def table_options(function: F) -> F:
    """Add ``--format`` and ``-o`` to a command that prints tables."""
    output = click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Where to write, instead of stdout; .tsv, .csv, .json, .md, .tex, .html, .parquet "
        "and .xlsx say how.",
    )
    return output(format_option(function))


def table_format(asked: str, output: str | None) -> str:
    """The format of a table: the one asked for, or the one that the file's suffix says."""
    form = format_of(asked, output, BY_SUFFIX)
    if form in BINARY and (output or "").endswith(".gz"):
        raise click.UsageError(f"-o {output}: {form} is packed already; leave .gz out")
    return form


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
        known = ", ".join([*by_suffix, *([] if default == "text" else [f".{default}"])])
        raise click.UsageError(f"-o {output}: the suffix must be one of {known}, or say --format")
    return by_suffix.get(suffix, asked)


def print_table(table: "Table", output_format: str, output: str | None = None) -> None:
    """The table alone on stdout, or in the file *output*."""
    print_tables([table], output_format, output)


def print_tables(tables: "Iterable[Table]", output_format: str, output: str | None = None) -> None:
    """The tables one after the other on stdout, or in the file *output*."""
    from rankwise.present.tables import render

    if output is None:
        for number, table in enumerate(tables):
            if number:
                echo()
            echo(render(table, output_format).rstrip("\n"))
        return
    from rankwise.io.files import write_bytes, write_text

    if output_format in BINARY:
        from rankwise.present.table_files import table_bytes

        content = table_bytes(list(tables), output_format)
        with write_bytes(output) as stream:
            stream.write(content)
        return
    text = "\n".join(render(table, output_format) for table in tables)
    with write_text(output) as lines:
        lines.write(text)


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
    click.echo(plain(text), err=True)


def plain(text: str) -> str:
    r"""*text* without what a terminal would take for a command; names come from files of others.

    >>> print(plain("no system '\x1b[2J'"))
    no system '\x1b[2J'
    """
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


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
