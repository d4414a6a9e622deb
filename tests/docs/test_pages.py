"""The sessions on pages are real: commands and Python run, and print what the page says."""

import re
import shutil
from pathlib import Path

import click
import pytest

from docs.page_sessions import blocks, run, run_command
from rankwise.cli import cli

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [
    README,
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
    *sorted((ROOT / "docs" / "explanation").glob("*.md")),
]
# Pages that change the package are followed by test_adding.py, in a copy of it.
RUN = [page for page in PAGES if not page.name.startswith("add-a-")]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """A folder with the example's files, as ``rankwise demo`` leaves it."""
    folder = tmp_path_factory.mktemp("pages")
    run_command("rankwise demo --output example", folder)
    return folder / "example"


@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(ROOT)))
def test_sessions_print_what_the_page_says(page, example, tmp_path, monkeypatch):
    folder = tmp_path / "example"
    shutil.copytree(example, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RANKWISE_CACHE", str(tmp_path / "cache"))
    run(page.read_text(encoding="utf-8"), folder)


def test_there_are_sessions():
    languages = [block.language for page in RUN for block in blocks(page.read_text("utf-8"))]
    assert languages.count("console") >= 10 and languages.count("pycon") >= 4


def typed():
    """Every line that begins with ``rankwise`` in a block that is shown and not run."""
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "sh":
                for line in re.findall(r"^rankwise (.+)$", block.code, re.MULTILINE):
                    yield pytest.param(line, id=f"{page.name}: {line[:60]}")


@pytest.mark.parametrize("line", list(typed()))
def test_what_is_shown_can_be_typed(line):
    words = line.partition("  #")[0].split()
    command: click.Command | None = cli
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), words.pop(0))
    assert command is not None
    known = {name for one in command.params for name in one.opts + one.secondary_opts}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert given - known - {"--help"} == set()


@pytest.mark.parametrize(
    "page", [README, *sorted((ROOT / "experiments").glob("*.md"))], ids=lambda page: page.name
)
def test_links_of_pages_beside_the_site_lead_somewhere(page):
    targets = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert targets or page != README
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_first_screen_has_the_two_commands():
    first = "\n".join(README.read_text(encoding="utf-8").splitlines()[:40])
    assert "make demo" in first and "make test" in first
