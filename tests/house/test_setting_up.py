"""Setting up on a machine that lacks something: one sentence before anything is built."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from browser.fonts import FONTS

ROOT = Path(__file__).parents[2]
TOOLS = ["bash", "cat", "cut", "id", "mktemp", "readlink", "rm", "tail"]


def asked_by_readme():
    (line,) = re.findall(
        r"^apt-get install (.+)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    return line.split()


@pytest.fixture
def machine(tmp_path):
    """A PATH with almost nothing on it: no apt-get, so that nothing is installed, no compiler."""
    for tool in TOOLS:
        (place,) = [p for f in ("/usr/bin", "/bin") if (p := Path(f, tool)).exists()][:1]
        (tmp_path / tool).symlink_to(place)

    def add(name, script):
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n", "utf-8")
        (tmp_path / name).chmod(0o755)

    def look(what="build", python="python3"):
        return subprocess.run(
            [str(ROOT / "scripts/system-packages"), what, python],
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    look.add = add
    look.python = f'exec {sys.executable} "$@"'
    return look


def test_a_machine_that_has_all_is_let_through(machine):
    machine.add("python3", machine.python)
    machine.add("c++", "exit 0")
    done = machine()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bare_machine_is_told_all_that_it_lacks_and_the_command(machine):
    done = machine()
    assert done.returncode == 1
    assert done.stderr == (
        "Rankwise is built with Python 3.11 or newer, Python's venv module, Python's headers, "
        "a compiler for C++20 (g++ 10 or newer), which this machine lacks; "
        "install it with: apt-get install python3 python3-venv python3-dev g++\n"
    )


def test_the_readme_asks_for_that_and_for_make(machine):
    assert ["make", *machine().stderr.split("apt-get install ")[1].split()] == asked_by_readme()


@pytest.mark.parametrize(
    ("tries", "lacks", "package"),
    [("*ensurepip*", "Python's venv module", "-venv"), ("*Python.h*", "Python's headers", "-dev")],
)
def test_a_python_without_its_parts(machine, tries, lacks, package):
    machine.add("python3", f'case "$2" in {tries}) exit 1 ;; esac\n{machine.python}')
    machine.add("c++", "exit 0")
    done = machine()
    assert done.returncode == 1
    sentence = (
        rf"Rankwise is built with {lacks}, which .*: apt-get install python3[.0-9]*{package}\n"
    )
    assert re.fullmatch(sentence, done.stderr)


def test_a_compiler_that_is_too_old(machine):
    machine.add("python3", machine.python)
    machine.add("c++", "exit 1")
    assert machine().stderr == (
        "Rankwise is built with a compiler for C++20 (g++ 10 or newer), which this machine lacks; "
        "install it with: apt-get install g++\n"
    )


def test_a_python_that_is_too_old(machine):
    machine.add("python3", '[ "$1" = -V ] && echo Python 3.9.2\nexit 1')
    done = machine()
    assert done.returncode == 1
    assert done.stderr == (
        "Rankwise needs Python 3.11 or newer, and python3 is 3.9.2: call make PYTHON=python3.x\n"
    )


def test_tests_that_cannot_run_are_named(machine):
    done = machine("test")
    assert done.returncode == 0
    assert re.fullmatch(
        r"The tests that need .*Chromium.* are skipped; .*chromium.*\n", done.stderr
    )


@pytest.mark.parametrize("font", FONTS.values(), ids=FONTS)
def test_the_fonts_of_the_tests_are_looked_for(font):
    script = (ROOT / "scripts/system-packages").read_text("utf-8")
    assert f'has_font {font.file} || lacks "the font {font.family}" {font.package}\n' in script


def test_requirements_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    every = {line for lines in [project["dependencies"], *extras.values()] for line in lines}
    command = [sys.executable, str(ROOT / "scripts/requirements"), *extras]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    assert len(listed) == len(set(listed))
    assert set(listed[:-1]) == {line for line in every if not line.startswith("rankwise[")}
