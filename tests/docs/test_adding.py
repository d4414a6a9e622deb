"""The pages on how to add something: a copy of the package is changed as they say, and works."""

import re
import shutil
from pathlib import Path

import pytest

from docs.copied_package import COMMAND, change, copied, doctests, python
from docs.page_sessions import blocks, commands, compare

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("add-a-*.md"))
BESIDE = ["pyproject.toml", "tests/common", "tests/io", "tests/conftest.py"]


@pytest.fixture
def package(tmp_path):
    """A copy of the package with the tests that pages speak of, and the example's files."""
    folder = copied(tmp_path / "checkout")
    for name in BESIDE:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    for helper in (ROOT / "tests").glob("*.py"):
        shutil.copy(helper, folder / "tests")
    shutil.copytree(folder / "src/rankwise/bundled/example", folder, dirs_exist_ok=True)
    return folder


def test_there_is_a_page_for_each_kind():
    kinds = [page.stem.removeprefix("add-a-") for page in PAGES]
    assert kinds == ["format", "measure", "metric", "model", "protocol"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_page_adds_works(page, package):
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.title:
            change(block, package)
            if is_module(block.title):
                doctests(block.title, package)
        elif block.language == "console":
            for command, printed in commands(block):
                compare(command, printed, run(command, package))


def is_module(name):
    """Whether a file is a module of the package; a package loads its parts by its own name."""
    return name.startswith("src/") and name.endswith(".py") and not name.endswith("__init__.py")


def run(command, folder):
    """What a command prints on the changed copy: of rankwise, of pytest, or of the shell."""
    program, _, rest = command.partition(" | ")
    tests = re.fullmatch(r"python -m pytest (.+)", program)
    if tests:
        code = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
        return python(code, folder, *tests[1].split(), "-p", "no:xdist", "-p", "no:cacheprovider")
    if program.startswith("rankwise "):
        words = [w for word in program.split()[1:] for w in expanded(word, folder)]
        return cut(python(COMMAND, folder, *words), rest)
    found = re.fullmatch(r"head -n (\d+) (\S+)", program)
    assert found, f"a page on adding has no command like {command!r}"
    return cut((folder / found[2]).read_text(encoding="utf-8"), f"head -n {found[1]}")


def expanded(word, folder):
    """What a shell makes of a word."""
    return sorted(str(p.relative_to(folder)) for p in folder.glob(word)) if "*" in word else [word]


def cut(text, head):
    """The first lines of a text, where ``head -n NUMBER`` asks for them."""
    count = re.fullmatch(r"head -n (\d+)", head)
    assert count or not head
    return "".join(text.splitlines(keepends=True)[: int(count[1]) if count else None])
