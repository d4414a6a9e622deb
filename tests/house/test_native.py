"""The layout of ``native/``: folders by subject, none too full, and only bindings know Python."""

import re
from pathlib import Path

NATIVE = Path(__file__).parents[2] / "native"
SOURCES = [*NATIVE.rglob("*.hpp"), *NATIVE.rglob("*.cpp")]
MOST_FILES = 15


def _includes(path):
    return re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_header_lies_in_a_folder_that_can_be_seen_at_a_glance():
    assert [path.name for path in NATIVE.iterdir() if path.is_file()] == ["module.cpp"]
    folders = [folder for folder in NATIVE.rglob("*") if folder.is_dir()]
    files = {str(folder): sum(p.is_file() for p in folder.iterdir()) for folder in folders}
    assert {folder: count for folder, count in files.items() if not 1 <= count <= MOST_FILES} == {}


def test_only_bindings_know_python():
    knowing = {
        path.relative_to(NATIVE).parts[0]
        for path in SOURCES
        if any(name.startswith(("nanobind", "Python", "bindings/")) for name in _includes(path))
    }
    assert knowing == {"bindings", "module.cpp"}


def test_includes_of_our_own_name_their_folder():
    ours = {path.relative_to(NATIVE).as_posix() for path in SOURCES}
    quoted = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
    for path in SOURCES:
        assert set(quoted.findall(path.read_text(encoding="utf-8"))) <= ours, path
