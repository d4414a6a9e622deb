"""``rankwise convert``: between formats, saying what was lost."""

import click

from rankwise.cli.common.output import note
from rankwise.cli.common.progress import working


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", help="The format of IN; sniffed if not given.")
@click.option("--to", "to_format", help="The format of OUT; told by its suffix if not given.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the reader or the writer, like collapsed=true; may be repeated.",
)
def convert(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    options: tuple[str, ...],
) -> None:
    """Convert IN to OUT: judgments, test sets, scores or assessments.

    `rankwise formats` lists the formats. What the target cannot hold is said on stderr, one line
    each. `-` is standard input or output.
    """
    from rankwise import io

    typed = _split(options)
    with working("converting"):
        report = io.convert(
            source, target, from_format=from_format, to_format=to_format, typed_options=typed
        )
    note(str(report))


def _split(options: tuple[str, ...]) -> dict[str, str]:
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"--option {option!r}: expected NAME=VALUE")
        texts[name] = value
    return texts
