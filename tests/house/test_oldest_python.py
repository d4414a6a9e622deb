"""Nothing is used that is newer than the oldest Python that pyproject.toml names.

vermin knows modules, functions and arguments by their full names; ruff knows the syntax. What
neither sees, arguments and methods of values whose type only running code tells, is looked for
by name.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
FOLDERS = ("src", "tests", "benchmarks", "experiments", "scripts")

#: Methods with arguments that came later: argument -> the methods that take it.
LATER_ARGUMENTS = {
    "filter": {"extract", "extractall", "unpack_archive"},  # 3.11.4 and 3.12
    "onexc": {"rmtree"},  # 3.12
    "walk_up": {"relative_to"},  # 3.12
    "case_sensitive": {"glob", "rglob", "match"},  # 3.12
    "delete_on_close": {"NamedTemporaryFile"},  # 3.12
    "recurse_symlinks": {"glob", "rglob"},  # 3.13
    "newline": {"read_text"},  # 3.13
    "deprecated": {"add_argument", "add_parser"},  # 3.13
    "buffersize": {"map"},  # 3.14
    "eager_start": {"create_task"},  # 3.14
}

#: Methods that came later, by names that nothing else has.
LATER_METHODS = {
    "is_junction",  # 3.12
    "with_segments",
    "binomialvariate",
    "full_match",  # 3.13
    "from_uri",
    "copy_into",  # 3.14
    "move_into",
}

LATER_WORDS = re.compile(r"\b(" + "|".join([*LATER_ARGUMENTS, *LATER_METHODS]) + r")\b")


def oldest():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return re.fullmatch(r">=(\d+\.\d+)", project["requires-python"])[1]


def violations(*paths):
    """What vermin says of the files and folders: nothing, or a line for each newer thing."""
    command = [str(BIN / "vermin"), f"--target={oldest()}-", "--violations", "--quiet"]
    options = ["--eval-annotations", "--no-config-file", "--no-parse-comments"]
    done = subprocess.run(
        [*command, *options, *map(str, paths)], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def later_names(source):
    """The methods and arguments of the tables that a source calls."""
    found = []
    if not LATER_WORDS.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in LATER_METHODS:
            found.append(node.attr)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            found += [
                f"{name}({keyword.arg}=)"
                for keyword in node.keywords
                if name in LATER_ARGUMENTS.get(keyword.arg, ())
            ]
    return found


def test_vermin_finds_nothing_newer():
    assert violations(*(ROOT / folder for folder in FOLDERS)) == ""


def test_no_argument_or_method_is_newer():
    found = {
        str(path.relative_to(ROOT)): names
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (names := later_names(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import itertools\nitertools.batched([1], 2)\n", "itertools.batched"),
        ("import os\nos.process_cpu_count()\n", "os.process_cpu_count"),
        ("from typing import override\n", "typing.override"),
        ("import shutil\nshutil.rmtree('a', onexc=print)\n", "onexc"),
    ],
)
def test_vermin_would_find_it(tmp_path, source, told):
    (tmp_path / "newer.py").write_text(source, encoding="utf-8")
    assert told in violations(tmp_path)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("archive.extractall(place, filter='data')", ["extractall(filter=)"]),
        ("archive.extractall(place)", []),
        ("path.full_match('*.py')", ["full_match"]),
        ("path.read_text(newline='')", ["read_text(newline=)"]),
        ("path.open(newline='')", []),
    ],
)
def test_the_tables_would_find_it(source, told):
    assert later_names(source) == told
