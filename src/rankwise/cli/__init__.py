"""The command line: one program, verbs; each reads, calls and writes.

Commands are loaded when they are called, so that ``rankwise --help`` answers at once.
"""

import errno
import os
import shlex
import sys
from contextlib import nullcontext
from importlib import import_module
from typing import Any

import click

from rankwise import __version__
from rankwise.cli.common.interrupts import prompt_interrupts
from rankwise.cli.common.lazy_group import LazyGroup
from rankwise.cli.common.output import note
from rankwise.errors import PartError, RankwiseError

#: Every command: the module that holds it, and its line in ``rankwise --help``.
COMMANDS = {
    "score": "Score translations against references.",
    "compare": "Compare two systems: how far apart, where, in which words.",
    "mbr": "Choose the best of several translations of each segment.",
    "rank": "Rank systems from human judgments.",
    "next": "Say what to ask the judges next.",
    "judge": "Have a language model judge the outputs.",
    "agree": "Compare predicted rankings with gold ones.",
    "meta": "Compare metrics with human judgments.",
    "learn": "Learn a metric from human judgments.",
    "neural": "Export neural metrics, to run them without PyTorch.",
    "report": "Write one HTML page about a test set.",
    "sample": "Draw a random test set, or disjoint parts, from a corpus.",
    "convert": "Convert judgments, test sets or scores between formats.",
    "formats": "List the formats that can be read and written.",
    "metrics": "List the metrics, those of other packages too.",
    "cache": "Show, limit or clear the kept scores of slow metrics.",
    "sacrebleu": "Run sacreBLEU's command line; change one word in a script.",
    "campaign": "Set up campaigns of human judgments; export what they found.",
    "serve": "Serve campaigns: pages for judges and organisers.",
    "demo": "Run everything on the bundled example.",
    "completion": "Print the completion script of a shell.",
}


def _command(name: str) -> Any:
    return getattr(import_module(f"rankwise.cli.{name}"), name)


@click.group(
    cls=LazyGroup,
    lines=COMMANDS,
    find=_command,
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
        with nullcontext() if "serve" in (arguments or sys.argv[1:]) else prompt_interrupts():
            return cli.main(args=arguments, prog_name="rankwise")
    except (RankwiseError, MemoryError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise  # of what click writes itself, as --help, only a full disk is expected
        said = sys.argv[1:] if arguments is None else arguments
        note(f"rankwise: {_sentence(error)}{_how_to_choose(error, said)}")
        _give_up_stdout()
        sys.exit(1)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or '<stdout>'}: cannot be written: {error.strerror}"
    if not isinstance(error, MemoryError):
        return str(error)
    said = f" ({error})" if str(error) else ""
    return f"there is not enough memory for this{said}; give it fewer systems or shorter lines"


def _how_to_choose(error: Exception, arguments: list[str]) -> str:
    """How to name the part of a file on the command line; nothing for other errors."""
    if not isinstance(error, PartError) or not error.example:
        return ""
    option = f"--{error.option.replace('_', '-')}"
    command = cli.get_command(click.Context(cli), arguments[0]) if arguments else None
    if command is not None and any(option in parameter.opts for parameter in command.params):
        return f", with {option}"
    if arguments[:1] == ["convert"]:
        return f", with --option {error.option}=..."
    chosen = f"--option {error.option}={shlex.quote(error.example)}"
    return f"; rankwise convert {shlex.quote(error.path)} OUT {chosen} writes one of them"


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
