"""What ``rankwise report`` says about its making: the files, the command."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.report.report_options import ReportArguments

if TYPE_CHECKING:
    from rankwise.present.report.report_making import InputFile


def input_files(arguments: ReportArguments) -> "list[InputFile]":
    """Every file that was named, with the digest of its bytes; folders and pipes have none."""
    from rankwise.io.parts.parallel_lines import name_and_file
    from rankwise.present.report.report_making import InputFile

    def file_of(name: str) -> Path:
        return Path(name_and_file(name)[1])

    return [InputFile(kind, name, _digest(file_of(name))) for kind, name in _named(arguments)]


def _named(arguments: ReportArguments) -> Iterator[tuple[str, str]]:
    for kind, names in (
        ("test set", (arguments.testset,)),
        ("source", (arguments.source,)),
        ("reference", arguments.references),
        ("documents", (arguments.documents,)),
        ("names", (arguments.names,)),
        ("output", arguments.outputs),
        ("scores", arguments.scores),
        ("human scores", (arguments.human,)),
        ("judgments", arguments.judgments),
    ):
        yield from ((kind, name) for name in names if name is not None)


def _digest(path: Path) -> str:
    import hashlib

    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def command_line(arguments: ReportArguments) -> str:
    """The command that makes the same page, with every option that was not left as it is."""
    context = click.get_current_context()
    words = ["rankwise", "report"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument) or value in (None, (), False, parameter.default):
            continue
        option = max(parameter.opts, key=len)
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, tuple) else (value,):
            words += [option, str(one)]
    return shlex.join([*words, *arguments.outputs])
