"""The page on learned metrics: its examples run, and the programs it names take what it types."""

import doctest
import re
import runpy
import shlex
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "experiments").glob("*.md")])
COMMAND = re.compile(r"^    .*?python (experiments/\w+\.py.*?)(?:\s+# .*)?$", re.MULTILINE)
COMMANDS = [found for page in PAGES for found in COMMAND.findall(page.read_text(encoding="utf-8"))]


class ParsedError(Exception):
    """The command line is accepted; what it asks for takes minutes."""


@pytest.mark.parametrize("command", COMMANDS)
def test_an_experiment_takes_what_the_page_types(command, monkeypatch):
    parse = ArgumentParser.parse_args

    def parse_only(self, *arguments):
        parse(self, *arguments)
        raise ParsedError

    script, *arguments = shlex.split(command)
    monkeypatch.setattr(ArgumentParser, "parse_args", parse_only)
    monkeypatch.setattr(sys, "argv", [script, *(a for a in arguments if a != "...")])
    monkeypatch.setattr(sys, "path", [str(ROOT / "experiments"), *sys.path])
    with pytest.raises(ParsedError):
        runpy.run_path(str(ROOT / script), run_name="__main__")


def test_every_experiment_on_learning_is_named():
    names = {command.partition(" ")[0] for command in COMMANDS}
    wanted = {
        "beer_2014",
        "default_metric",
        "duh_2008",
        "encoder_features",
        "papers_again",
        "system_leads",
    }
    assert {f"experiments/{name}.py" for name in wanted} <= names


def test_the_examples_of_the_page_run():
    failed, run = doctest.testfile(str(ROOT / "experiments" / "learning.md"), module_relative=False)
    assert (failed, run) == (0, 4)
