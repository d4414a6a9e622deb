"""Running the command line in this process, as a person would see it."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from rankwise.cli import main


class Result(NamedTuple):
    """What a run printed and how it ended."""

    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """``run("rank", "judgments.csv")`` gives exit code, stdout and stderr."""

    def call(*arguments: object) -> Result:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        return Result(int(ended.value.code or 0), *capsys.readouterr())

    return call
