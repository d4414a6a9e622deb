"""The source package holds what a build needs; wheels are made of it by scripts/wheels."""

import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALONE = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml")


@pytest.fixture(scope="module")
def source_package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    [path] = folder.iterdir()
    return path


def files_below(*folders):
    """The files of folders of the checkout, without what running or building it left."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in {".pyc", ".so"}
    }


def test_the_source_package_holds_what_a_build_needs_and_nothing_else(source_package):
    with tarfile.open(source_package) as archive:
        names = [member.name for member in archive.getmembers() if not member.isdir()]
    stem = source_package.name.removesuffix(".tar.gz")
    needed = files_below("native", "src/rankwise") - files_below("native/fuzz")
    assert {name.removeprefix(f"{stem}/") for name in names} == {*ALONE, "PKG-INFO", *needed}
    assert len(names) == len(set(names))


def test_the_source_package_is_small(source_package):
    assert source_package.stat().st_size < 2_000_000


def test_the_classifiers_begin_with_the_oldest_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [
        name.rpartition(" ")[2] for name in project["classifiers"] if "Python :: 3." in name
    ]
    assert f">={versions[0]}" == project["requires-python"]
    minors = [int(version.removeprefix("3.")) for version in versions]
    assert minors == list(range(minors[0], minors[-1] + 1))


def collected(**environment):
    """What a run of pytest that only collects one file gives."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "tests/house/test_surface.py"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_tests_can_be_held_to_an_installed_package(tmp_path):
    elsewhere = collected(RANKWISE_INSTALLED=str(tmp_path))
    assert elsewhere.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"was not installed into {tmp_path}" in elsewhere.stderr
    assert collected(RANKWISE_INSTALLED="/").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "wheels: expected build or check, then interpreters\n"),
        (["mend"], "wheels: expected build or check, then interpreters\n"),
        (["build", "no-such-python"], "wheels: no-such-python is no Python that runs\n"),
        (["check", "no-such-python"], "wheels: no-such-python is no Python that runs\n"),
    ],
)
def test_the_script_says_what_is_wrong_with_a_call(arguments, message):
    done = subprocess.run(
        [ROOT / "scripts" / "wheels", *arguments],
        env={**os.environ, "RANKWISE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)
