"""The checks of ``make lint`` but clang-tidy, which takes a minute, so that green means clean."""

import subprocess
import sys
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
