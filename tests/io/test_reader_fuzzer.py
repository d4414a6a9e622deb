"""The fuzzer of readers knows a finding when it sees one, and damages what it is given."""

import random
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/fuzz_readers.py"
FUZZER = runpy.run_path(str(SCRIPT))
#: A child of this process could inherit a lock that another thread of it holds, and wait for ever.
RUN = """
import pathlib, runpy, sys
ended = runpy.run_path(sys.argv[1])["run"](sys.argv[3:], pathlib.Path(sys.argv[2]))
print(ended.code, ended.finding)
"""


@pytest.mark.parametrize(
    ("ended", "finding"),
    [
        ((0, "", 0.1, 1), None),
        ((1, "a.tsv:3: expected a number", 0.1, 1), None),
        ((2, "Usage:", 9.9, 999_999_999), None),
        ((1, "Traceback (most recent call last):", 0.1, 1), "traceback"),
        ((-9, "", 0.1, 1), "exit code -9"),
        ((99, "", 0.1, 1), "exit code 99"),
        ((0, "", 10.1, 1), "too slow"),
        ((-14, "", 0.1, 1), "too slow"),  # it hangs: SIGALRM
        ((1, "", 0.1, 1_000_000_001), "too much memory"),
    ],
)
def test_what_is_a_finding(ended, finding):
    assert FUZZER["Ended"](*ended).finding == finding


def test_there_are_files_to_damage():
    assert len(FUZZER["sources"]()) > 20


def test_the_same_seed_damages_in_the_same_way():
    content = b"1\ta\n2\tb\n" * 5
    made = [
        [FUZZER["mutated"](content, [content], draw) for _ in range(50)]
        for draw in (random.Random(1), random.Random(1))
    ]
    assert made[0] == made[1]
    assert sum(one != content for one in made[0]) > 25


@pytest.mark.parametrize(
    ("arguments", "code"), [(["formats"], 0), (["convert", "none", "x.csv"], 1)]
)
def test_a_command_runs_in_a_child(tmp_path, arguments, code):
    command = [sys.executable, "-W", "ignore", "-c", RUN, str(SCRIPT), str(tmp_path), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert ended.stdout == f"{code} None\n"
