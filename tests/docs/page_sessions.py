"""Pages as sessions: the blocks of code on a page, and running them in the order they stand in."""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code: its language, the file it is the content of (or nothing), its text."""

    language: str
    title: str
    code: str


def blocks(page):
    """The blocks of code of a page, in order."""
    return [Block(*found) for found in _BLOCK.findall(page)]


def commands(block):
    """Every ``$ command`` of a console block with the output printed under it."""
    parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
    assert parts[0] == "", f"a console block begins with a command, not with {parts[0]!r}"
    return [part.partition("\n")[::2] for part in parts[1:]]


def run_command(command, folder):
    """What a command prints, run as a reader types it into a shell."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "120"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


def run(page, folder):
    """Run the blocks of a page in *folder*: files are written, sessions must print what it says."""
    names: dict[str, object] = {}
    for number, block in enumerate(blocks(page), 1):
        if block.title:
            (folder / block.title).write_text(block.code, encoding="utf-8")
        elif block.language == "console":
            for command, printed in commands(block):
                compare(command, printed, run_command(command, folder))
        elif block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(block.code, names, f"block {number}", "", 0)
            lines: list[str] = []
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            runner.run(test, out=lines.append, clear_globs=False)
            names |= test.globs
            assert not runner.summarize(verbose=False).failed, "".join(lines)


def compare(command, wanted, found):
    """Whether a command printed what the page says, where ``...`` stands for anything."""
    ellipsis = re.escape(wanted.rstrip("\n")).replace(re.escape("..."), ".*?")
    message = f"$ {command}\nprints\n{found}\nand the page says\n{wanted}"
    assert re.fullmatch(ellipsis, found.rstrip("\n"), re.DOTALL), message
