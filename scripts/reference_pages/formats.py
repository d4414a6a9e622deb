"""The page about formats, from the modules of rankwise.io."""

import inspect

from rankwise.io import FORMATS, Format
from rankwise.io.any_format import options_of
from reference_pages.docstrings import markdown

KINDS = {
    "judgments": "Rankings by people: `rw.read_judgments`, `rw.write_judgments`",
    "testset": "Sources, references, outputs: `rw.read_testset`, `rw.write_testset`",
    "scores": "Numbers per system and segment: `rw.read_scores`, `rw.write_scores`",
    "assessments": "Scalar judgments by people: `rw.read_assessments`, `rw.write_assessments`",
}

INTRO = """\
<!-- Written by scripts/make_reference.py from the modules of rankwise.io: change it there. -->

# Formats

Every reader takes a path; `-` is standard input, gzip, xz, bzip2 and zstd are recognised, UTF-8 is expected, and an
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


def page() -> str:
    """One section per kind, one part per format."""
    parts = [INTRO]
    for kind, title in KINDS.items():
        parts.append(f"## {title}\n")
        parts += [_part(found) for found in FORMATS if found.kind == kind]
    return "\n".join(parts)


def _part(found: Format) -> str:
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
        markdown(_without_name(module.__doc__ or "", found.name)),
    ]
    for verb in ("read", "write"):
        function = getattr(module, verb, None)
        if function is not None and options_of(function):
            lines += ["", f"`{verb}` options: {_options(function)}."]
            notes = (inspect.getdoc(function) or "").partition("\n\n")[2]
            lines += ["", markdown(notes)] if notes else []
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
