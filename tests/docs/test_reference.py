"""Nothing is undocumented: the reference pages are made from the code, and hold all of it."""

import runpy
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

from rankwise.cli import COMMANDS, cli
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.io import FORMATS
from rankwise.io.any_format import options_of
from rankwise.metrics import METRICS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS_PAGE = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
METRICS_PAGE = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    return {name: cli.get_command(context, name) for name in cli.list_commands(context)}


def test_the_pages_are_what_the_code_says():
    script = ROOT / "scripts" / "make_reference.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    command = commands()[name]
    assert command.help
    assert f"## `rankwise {name}`" in COMMANDS_PAGE
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts} has no help"
            assert parameter.opts[-1] in COMMANDS_PAGE


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_shows_what_the_program_prints(name, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    help_option = "--help-all" if isinstance(commands()[name], BriefCommand) else "--help"
    cli.main([name, help_option], prog_name="rankwise", standalone_mode=False)
    printed = capsys.readouterr().out
    assert "-h, --help" in printed
    assert printed in COMMANDS_PAGE


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_names_every_command(name):
    assert f"`rankwise {name}`" in README or f"rankwise {name} " in README


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: f"{found.kind}-{found.name}")
def test_every_format_and_its_options_are_documented(found):
    module = found.load()
    assert module.__doc__
    assert f"### `{found.name}`" in FORMATS_PAGE
    functions = [module.read, module.write] if found.writable else [module.read]
    for function in functions:
        for option in options_of(function):
            assert f"`{option}=" in FORMATS_PAGE
            assert option in (function.__doc__ or "") + module.__doc__, f"{found.name}: {option}"


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_and_its_options_are_documented(name):
    page = METRICS_PAGE.partition(f"## `{name}`\n")[2].partition("\n## ")[0]
    assert page
    for option in fields(METRICS[name]):
        assert f"`{option.name}=" in page


def test_the_script_can_be_imported_without_running():
    assert "formats_page" in runpy.run_path(str(ROOT / "scripts" / "make_reference.py"))
