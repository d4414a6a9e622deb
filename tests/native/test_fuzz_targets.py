"""The fuzz targets of ``native/fuzz``: every entry has one, and all hold on the kept corpus.

Any C++ compiler will do; ``scripts/check-slow fuzz`` makes new inputs, with sanitizers, and with
clang's libFuzzer where it is installed.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from native.every_entry import CORPUS, ENTRIES

SOURCES = Path(__file__).parents[2] / "native"
TARGETS = sorted(
    path.stem for path in (SOURCES / "fuzz").glob("*.cpp") if "kChecks" in path.read_text("utf-8")
)
#: Entries that call no kernel.
WITHOUT_KERNEL = {"are_all_str", "flat_lists", "thread_count"}
COMPILER = shutil.which(os.environ.get("CXX", "c++")) or shutil.which("g++")


def named_entries(target):
    """What the table of a target says."""
    text = (SOURCES / "fuzz" / f"{target}.cpp").read_text("utf-8")
    _, table = text.split("kChecks[] = {")
    return {name for names in re.findall(r'\{"([^"]*)"', table) for name in names.split()}


def test_every_entry_has_a_target():
    driven = set().union(*map(named_entries, TARGETS))
    assert driven == set(ENTRIES) - WITHOUT_KERNEL


def test_every_target_is_known():
    """So that none is left out because its table has another name."""
    others = {path.stem for path in (SOURCES / "fuzz").glob("*.cpp")} - set(TARGETS)
    assert others == {"main", "threads"}


def test_inputs_are_kept_for_targets_alone():
    assert {path.parent.name for path in CORPUS.glob("*/*.bin")} <= set(TARGETS)


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler is installed")
@pytest.mark.parametrize("target", TARGETS)
def test_the_kept_corpus_has_no_finding(target, tmp_path):
    program = tmp_path / target
    sources = [SOURCES / "fuzz" / "main.cpp", SOURCES / "fuzz" / f"{target}.cpp"]
    flags = ["-std=c++20", f"-I{SOURCES}", "-O0", "-D_GLIBCXX_ASSERTIONS", "-DRANKWISE_FUZZ_ALONE"]
    built = run([COMPILER, *flags, *sources, "-pthread", "-o", program])
    assert built.returncode == 0, built.stderr
    assert set(run([program, "--entries"]).stdout.split()) == named_entries(target)
    kept = sorted([*CORPUS.glob("*.bin"), *CORPUS.glob(f"{target}/*.bin")])
    found = run([program, "0", "1", *kept])
    assert found.returncode == 0, found.stderr
    assert f" with {len(kept)} kept inputs" in found.stdout


def run(command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
