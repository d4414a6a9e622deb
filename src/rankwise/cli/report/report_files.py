"""What ``rankwise report`` says about its making: the metrics, the files, the command."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.inputs import load_metrics
from rankwise.cli.report.report_options import ReportArguments
from rankwise.types.defaults import USUAL_METRICS

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.present.report.report_making import InputFile
    from rankwise.types import Study


def chosen_metrics(arguments: ReportArguments, study: "Study") -> "tuple[Study, list[Metric]]":
    """Those asked for; unless any are, the usual ones where there are references.

    The study comes back with a note about what its language decided.
    """
    from rankwise.metrics import language_notes
    from rankwise.text.languages import target_language_of

    if study.texts is None:
        if arguments.metrics:
            raise click.UsageError("-m needs texts: output files with --reference, or --testset")
        return study, []
    has_references = all(segment.references for segment in study.texts.segments)
    names = arguments.metrics or (USUAL_METRICS if has_references else ())
    language = target_language_of(study.texts)
    notes = (*study.notes, *language_notes(names, language))
    return replace(study, notes=notes), load_metrics(names, language)


def input_files(arguments: ReportArguments) -> "list[InputFile]":
    """Every file that was named, with the digest of its bytes; folders and pipes have none."""
    from rankwise.present.report.report_making import InputFile

    return [InputFile(kind, name, _digest(Path(name))) for kind, name in _named(arguments)]


def _named(arguments: ReportArguments) -> Iterator[tuple[str, str]]:
    for kind, names in (
        ("test set", (arguments.testset,)),
        ("source", (arguments.source,)),
        ("reference", arguments.references),
        ("documents", (arguments.documents,)),
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
