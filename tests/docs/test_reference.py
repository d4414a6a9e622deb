"""Nothing is undocumented: the reference pages are made from the code, and hold all of it."""

import runpy
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

import rankwise
from rankwise.aggregate import MODELS, RECIPES
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.aggregate.scalar import value_models
from rankwise.aggregate.scalar.value_recipes import VALUE_RECIPES
from rankwise.agreement.lists import kendall
from rankwise.agreement.lists.measure_names import LIST_MEASURES
from rankwise.agreement.lists.normalisation import TIES
from rankwise.agreement.tables.score_cells import GROUPINGS
from rankwise.agreement.tables.table_measures import TABLE_MEASURES
from rankwise.cli import COMMANDS, cli
from rankwise.cli.common.rare_options import BriefCommand
from rankwise.compat.rankeval import NAMES as RANKEVAL
from rankwise.engine import ENGINES
from rankwise.evaluate.meta.meta_evaluation import RECIPES as META_RECIPES
from rankwise.io import FORMATS
from rankwise.io.any_format import options_of
from rankwise.learning.features import FEATURE_SETS
from rankwise.learning.features.intra_set import KINDS as RELATIVE
from rankwise.learning.learners import LEARNERS
from rankwise.metrics import METRICS
from rankwise.metrics.beer import VERSIONS
from rankwise.metrics.bleu import SMOOTHING
from rankwise.metrics.meteor_tasks import TASKS
from rankwise.server.campaign.standings.boards import RANKING_MODELS, VALUE_MODELS
from rankwise.text.tokenise import TOKENIZERS

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "make_reference.py"


def page(name):
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")


def section(text, heading):
    """What stands below a heading, up to the next of its depth or above."""
    depth = heading.index(" ")
    body = text.partition(f"\n{heading}\n")[2]
    for above in range(1, depth + 1):
        body = body.partition(f"\n{'#' * above} ")[0]
    return body


def commands() -> dict[str, click.Command]:
    """Every command by what is typed, those of groups too."""
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    for name, group in list(found.items()):
        if isinstance(group, click.Group):
            below = {one: group.get_command(context, one) for one in group.list_commands(context)}
            found |= {f"{name} {one}": command for one, command in below.items()}
    return found


EVERY_COMMAND = commands()

#: What is typed as name:option=value, and under which heading of which page it is explained.
NAMED = [
    ("metrics", "# Metrics", METRICS),
    ("measures", "## Of ranked lists", LIST_MEASURES),
    ("measures", "## Of tables of scores", TABLE_MEASURES),
    ("models", "## Models", MODELS),
    ("models", "## Models of values", value_models.VALUE_MODELS),
    ("models", "## Strategies", STRATEGIES),
    ("learning", "## Feature sets", FEATURE_SETS),
    ("learning", "## Learners", LEARNERS),
]
MEMBERS = [
    pytest.param(where, heading, name, members[name], id=f"{heading.lstrip('# ')}-{name}")
    for where, heading, members in NAMED
    for name in members
]

#: Other names that can be typed, and the page that has them.
NAMES = {
    "measures": [*RANKEVAL.values(), *META_RECIPES, *kendall.VARIANTS, *TIES, *GROUPINGS],
    "models": [*RECIPES, *VALUE_RECIPES, *RANKING_MODELS, *VALUE_MODELS],
    "learning": [*RELATIVE],
    "metrics": [*TOKENIZERS, *SMOOTHING, *TASKS, *VERSIONS],
}


def test_the_pages_are_what_the_code_says():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_page_that_is_not_up_to_date_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    script = runpy.run_path(str(SCRIPT))
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--check"])
    monkeypatch.setitem(script["main"].__globals__, "PAGES", {"metrics.md": lambda: "# Another\n"})
    assert script["main"]() == 1
    assert capsys.readouterr().out == (
        "not up to date: metrics.md; run scripts/make_reference.py\n"
    )


@pytest.mark.parametrize("name", EVERY_COMMAND)
def test_every_command_and_option_is_documented(name):
    command = EVERY_COMMAND[name]
    shown = section(page("commands"), f"{'##' if ' ' not in name else '###'} `rankwise {name}`")
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts} has no help"
            assert all(option in shown for option in parameter.opts + parameter.secondary_opts)
            if isinstance(parameter.type, click.Choice):
                assert all(choice in shown.replace("\n", "") for choice in parameter.type.choices)


@pytest.mark.parametrize("name", EVERY_COMMAND)
def test_the_page_shows_what_the_program_prints(name, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    help_option = "--help-all" if isinstance(EVERY_COMMAND[name], BriefCommand) else "--help"
    cli.main([*name.split(), help_option], prog_name="rankwise", standalone_mode=False)
    printed = capsys.readouterr().out
    assert "-h, --help" in printed
    assert printed in page("commands")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_page_names_every_command(name):
    assert f"`rankwise {name}`" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: f"{found.kind}-{found.name}")
def test_every_format_and_its_options_are_documented(found):
    module = found.load()
    assert module.__doc__
    assert f"### `{found.name}`" in page("formats")
    functions = [module.read, module.write] if found.writable else [module.read]
    for function in functions:
        for option in options_of(function):
            assert f"`{option}=" in page("formats")
            assert option in (function.__doc__ or "") + module.__doc__, f"{found.name}: {option}"


@pytest.mark.parametrize(("where", "heading", "name", "kind"), MEMBERS)
def test_everything_with_options_is_documented(where, heading, name, kind):
    shown = section(section(page(where), heading), f"{heading.partition(' ')[0]}# `{name}`")
    assert shown and kind.__doc__
    for option in fields(kind):
        assert f"\n| `{option.name}` | " in shown


@pytest.mark.parametrize("where", NAMES)
def test_every_other_name_is_documented(where):
    text = page(where)
    assert [name for name in NAMES[where] if f"`{name}`" not in text] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_is_documented(engine):
    assert f"--engine {engine}" in (ROOT / "docs" / "how-to" / "large-data.md").read_text("utf-8")


@pytest.mark.parametrize("name", [one for one in rankwise.__all__ if not one.startswith("_")])
def test_every_python_name_is_documented(name):
    shown = section(page("python"), f"### `{name}`")
    assert shown
    for method, value in vars(getattr(rankwise, name)).items():
        if not method.startswith("_") and callable(value) and value.__doc__:
            assert f"#### `{name}.{method}`" in shown
