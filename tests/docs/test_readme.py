"""The README's sessions are real: its commands and its Python run, with the output it prints."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example's files, as ``rankwise demo`` leaves it."""
    folder = tmp_path_factory.mktemp("readme") / "example"
    command = [str(BIN / "rankwise"), "demo", "--output", str(folder)]
    subprocess.run(command, capture_output=True, check=True)
    return folder


def console_sessions() -> list[tuple[str, str]]:
    """Every ``$ command`` of the README with the output printed under it."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    sessions = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            sessions.append((command, output.rstrip("\n")))
    return sessions


def expand(word: str, folder: Path) -> list[str]:
    """What a shell makes of a word."""
    if "*" not in word:
        return [word]
    return sorted(str(path.relative_to(folder)) for path in folder.glob(word))


RUN = [
    (command, output) for command, output in console_sessions() if command.startswith("rankwise")
]


def test_the_readme_shows_sessions():
    assert len(RUN) >= 2


@pytest.mark.parametrize(("command", "output"), RUN, ids=[command for command, _ in RUN])
def test_commands_print_what_the_readme_says(example, command, output):
    words = [expanded for word in shlex.split(command) for expanded in expand(word, example)]
    done = subprocess.run(
        [str(BIN / words[0]), *words[1:]], cwd=example, capture_output=True, text=True, check=True
    )
    assert done.stdout.rstrip("\n") == output


def test_python_prints_what_the_readme_says(example, monkeypatch):
    monkeypatch.chdir(example)
    sessions = re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)
    assert sessions
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    parser, names = doctest.DocTestParser(), {}
    for number, session in enumerate(sessions, 1):
        runner.run(parser.get_doctest(session, names, f"README {number}", "README.md", 0))
    assert runner.summarize(verbose=False).failed == 0


def test_links_lead_somewhere():
    targets = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_first_screen_has_the_two_commands():
    first = "\n".join(README.splitlines()[:40])
    assert "make demo" in first and "make test" in first
