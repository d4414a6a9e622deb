"""Docstrings, which are reStructuredText, as Markdown."""

import inspect
import re

# Lines from a prompt up to the next empty line.
_EXAMPLE = re.compile(r"^>>> (?:.+\n?)+\n?", re.MULTILINE)
_RULE = re.compile(r"=+(?: +=+)+")
_FORMULA = re.compile(r"^\.\. math:: *(.*(?:\n+ +.*)*)$", re.MULTILINE)


def markdown(docstring: str) -> str:
    """A docstring as Markdown: literals, formulas, roles, tables, examples."""
    text = inspect.cleandoc(docstring)
    text = _FORMULA.sub(_formula, text)
    text = re.sub(r":math:`([^`]+)`", r"$\1$", text)
    text = re.sub(r":\w+:`~(?:\w+\.)*(\w+)`", r"`\1`", text)
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text)
    text = re.sub(r"^::\n", "", text, flags=re.MULTILINE).replace("::\n", ":\n")
    text = _with_tables(text).replace("``", "`")
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n\n", text).rstrip()


def first_sentence(docstring: str) -> str:
    """The first paragraph of a docstring in one line."""
    return " ".join(markdown(docstring).partition("\n\n")[0].split())


def _formula(found: re.Match[str]) -> str:
    return (
        "$$\n" + "\n".join(line.strip() for line in found[1].split("\n") if line.strip()) + "\n$$"
    )


def _with_tables(text: str) -> str:
    """*text* with every simple table (between rules of equal signs) as one of Markdown."""
    done: list[str] = []
    lines = text.split("\n")
    while lines:
        line = lines.pop(0)
        if not _RULE.fullmatch(line):
            done.append(line)
            continue
        inside = [line]
        while not _is_end(inside, lines):
            inside.append(lines.pop(0))
        done += _table(inside)
    return "\n".join(done)


def _is_end(inside: list[str], rest: list[str]) -> bool:
    """Whether a table is over: its last rule is the one that no row follows."""
    is_rule = len(inside) > 1 and inside[-1] == inside[0]
    return not rest or (is_rule and not rest[0].strip())


def _table(lines: list[str]) -> list[str]:
    starts = [found.start() for found in re.finditer("=+", lines[0])]
    ends = [*starts[1:], None]
    rules = [number for number, line in enumerate(lines) if line == lines[0]]
    heads = lines[1 : rules[1]] if len(rules) > 2 else [""]
    rows = lines[rules[-2] + 1 : rules[-1]]
    cells = [[_cell(line[a:b]) for a, b in zip(starts, ends, strict=True)] for line in heads + rows]
    cells.insert(1, ["---"] * len(starts))
    return [f"| {' | '.join(row)} |" for row in cells]


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|")
