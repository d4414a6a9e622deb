"""Write docs/reference/*.md from the code, so that they cannot fall behind it.

python scripts/make_reference.py          # writes both files
python scripts/make_reference.py --check  # exit 1 if they are not up to date
"""

import argparse
import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path

import click

from rankwise.cli import COMMANDS, cli
from rankwise.cli.common.rare_options import SHOWS_ALL
from rankwise.io import FORMATS, Format
from rankwise.io.any_format import options_of
from rankwise.metrics import METRICS

DOCS = Path(__file__).parents[1] / "docs" / "reference"

KINDS = {
    "judgments": "Rankings by people: `rw.read_judgments`, `rw.write_judgments`",
    "testset": "Sources, references, outputs: `rw.read_testset`, `rw.write_testset`",
    "scores": "Numbers per system and segment: `rw.read_scores`, `rw.write_scores`",
    "assessments": "Scalar judgments by people: `rw.read_assessments`, `rw.write_assessments`",
}

FORMATS_INTRO = """\
# Formats

Written by `scripts/make_reference.py` from the modules of `rankwise.io`: change it there.

Every reader takes a path; `-` is standard input, gzip is recognised, UTF-8 is expected, and an
error says file, line, what was found and what was expected. The format is sniffed from the
beginning of the file unless `format=` (on the command line `--from`) names it. A writer is
chosen by the suffix or by `format=` (`--to`); it writes to a temporary file first, so nothing
is ever half-written, and returns one sentence for everything its format cannot hold. `rankwise
convert IN OUT` does both and prints those sentences on stderr; `--option NAME=VALUE` passes an
option to reader or writer: `true` or `false`, numbers and texts as they are, lists with commas.

Three things hold everywhere. A rank of -1, or a skipped screen, is *not ranked*: it is kept as
such and is never a rank. An output that several systems share (`a+b` in CSV, `a,b` in XML) is
expanded to all of them under one screen, and the record remembers that it was one text. Names
of judges in files of annotation tools are replaced by `judge1`, `judge2`, ... unless
`keep_judges` is true.
"""

COMMANDS_INTRO = """\
# Commands

Written by `scripts/make_reference.py` from `rankwise --help`: change it there. Options that are rarely needed are shown here and by `--help-all`.

Results go to standard output alone, everything else to standard error. Exit codes: 0 done; 1
bad data, one line says where and what; 2 wrong usage. Completion: `eval "$(rankwise completion
bash)"` (or `zsh`, `fish`). `RANKWISE_THREADS` sets the number of threads; results do not depend
on it.
"""


METRICS_INTRO = """\
# Metrics

Written by `scripts/make_reference.py` from the modules of `rankwise.metrics`: change it there.

What `-m` and `rw.metric` take: a name and options, `chrf:word_order=2:lowercase=true`. The
signature that a result carries parses back to the same metric. Scores are on the scale of the tools
people cite: percentages, but METEOR and metrics with a model up to 1. Every metric states its
statistics, one row per segment, and a score computed from a row or a sum of rows; intervals, paired
tests and corpus scores follow from these.

Where a peer is wrong, ours is right by default, and an option gives the old number:

| what | the peer | ours by default | the old number |
|---|---|---|---|
| a perfect corpus | sacreBLEU may print BLEU 100.00000000000004 | 100 | `bleu:compat=sacrebleu` |
| tokenizer `zh` | sacreBLEU splits dashes, quotes and arrows as Chinese, but not CJK extension B | the ranges of Chinese | `bleu:tokenize=zh:compat=sacrebleu` |
| identical texts under `normalized` | sacreBLEU tokenises references twice: TER 40 for "It is Jim's." | 0 | `ter:normalized=true:compat=sacrebleu` |
| surplus segments | sacreBLEU drops them silently | an error | none |
| a segment without reference | a traceback | an error that names the segment | none |
| two systems that no resample tells apart | sacreBLEU: p = 1 / (1 + R) | p = 1 | `rankwise.compat.sacrebleu` |
| METEOR's search and word lists | two search bugs; English function words in every language | see below | `meteor:compat=1.5:resources=PATH` |
"""


def formats_page() -> str:
    """The page about formats: one section per kind, one part per format."""
    parts = [FORMATS_INTRO]
    for kind, title in KINDS.items():
        parts.append(f"## {title}\n")
        parts += [_format_part(found) for found in FORMATS if found.kind == kind]
    return "\n".join(parts)


def _format_part(found: Format) -> str:
    module = found.load()
    suffixes = ", ".join(f"`{suffix}`" for suffix in found.suffixes)
    facts = [
        "read and write" if found.writable else "read only",
        f"chosen for {suffixes}" if suffixes and found.writable else "",
    ]
    lines = [
        f"### `{found.name}`: {found.description}",
        "",
        f"*{'; '.join(fact for fact in facts if fact)}.*",
        "",
        _markdown(_without_name(module.__doc__ or "", found.name)),
    ]
    for verb in ("read", "write"):
        function = getattr(module, verb, None)
        if function is not None and options_of(function):
            lines += ["", f"`{verb}` options: {_options(function)}."]
            notes = _after_first_paragraph(inspect.getdoc(function) or "")
            lines += ["", _markdown(notes)] if notes else []
    for sentence in getattr(module, "NOT_READ", ()):
        lines += ["", sentence]
    return "\n".join(lines) + "\n"


def _options(function: object) -> str:
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    names = options_of(function)  # type: ignore[arg-type]
    return ", ".join(f"`{name}={parameters[name].default!r}`" for name in names)


def _without_name(docstring: str, name: str) -> str:
    """A docstring that does not begin with the name of the format, which the heading says."""
    text = docstring.removeprefix(f"``{name}``: ")
    return text[:1].upper() + text[1:]


def _after_first_paragraph(text: str) -> str:
    return text.partition("\n\n")[2]


def _markdown(docstring: str) -> str:
    """A docstring's reStructuredText as Markdown: literals, formulas, blocks, roles, tables."""
    text = inspect.cleandoc(docstring)
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"^\.\. math:: (.*(?:\n +.*)*)$", r"$$\1$$", text, flags=re.MULTILINE)
    text = re.sub(r"^::\n", "", text, flags=re.MULTILINE).replace("::\n", ":\n")
    text = _RST_TABLE.sub(_table, text)
    return text.replace("``", "`")


# A simple table: a rule of equal signs, the heading, the same rule, rows, the rule again.
_RST_TABLE = re.compile(r"^((?:=+ +)+=+)\n(.*)\n\1\n((?:.*\n)*?)\1$", re.MULTILINE)


def _table(found: re.Match[str]) -> str:
    rows = [re.split(r" {2,}", row.strip()) for row in (found[2], *found[3].splitlines())]
    rule = ["---"] * len(rows[0])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], rule, *rows[1:]))


def commands_page() -> str:
    """The page about commands: the help of each."""
    parts = [COMMANDS_INTRO]
    # As wide as on a terminal of 80 columns, whatever this one has.
    program = cli.make_context("rankwise", [], resilient_parsing=True, terminal_width=78)
    for name in COMMANDS:
        command = cli.get_command(program, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=program)
        context.meta[SHOWS_ALL] = True
        parts.append(f"## `rankwise {name}`\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


# Lines from a prompt up to the next empty line.
_EXAMPLE = re.compile(r"^>>> (?:.+\n?)+\n?", re.MULTILINE)


def metrics_page() -> str:
    """The page about metrics: what each is, its options, its rules, its examples."""
    parts = [METRICS_INTRO]
    for name, metric in sorted(METRICS.items()):
        options = ", ".join(f"`{field.name}={field.default}`" for field in fields(metric))
        direction = "higher is better" if metric.higher_is_better else "lower is better"
        text = _markdown(metric.__doc__ or "")
        text = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n\n", text)
        parts.append(f"## `{name}`\n\n*{direction}.* Options: {options}.\n\n{text.rstrip()}\n")
    return "\n".join(parts)


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    pages = {
        "commands.md": commands_page(),
        "formats.md": formats_page(),
        "metrics.md": metrics_page(),
    }
    for name, text in pages.items():
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"not up to date: {', '.join(stale)}; run scripts/make_reference.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
