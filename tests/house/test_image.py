"""The Dockerfile is one that builds: it says what the project has. No Docker is needed for this.

``scripts/check-slow image`` does what the file says on bare machines.
"""

import fnmatch
import json
import re
import runpy
import tomllib
from pathlib import Path

import click
import pytest

from rankwise.cli import cli
from rankwise.server.web.health_routes import router

ROOT = Path(__file__).parents[2]
TRY = runpy.run_path(str(ROOT / "scripts/try-image"))
TEXT = (ROOT / "Dockerfile").read_text("utf-8")
BUILD, IMAGE = TRY["stages"](TEXT)


def last(stage, word):
    return [rest for name, rest in stage if name == word][-1]


def sources(stage, *, inner):
    """What a stage copies, from another stage or from the checkout."""
    every = [TRY["copied"](rest) for word, rest in stage if word == "COPY"]
    return [source for is_inner, found, _ in every for source in found if is_inner == inner]


def apt_packages(stage):
    [line] = [rest for word, rest in stage if word == "RUN" and "apt-get install" in rest]
    found = re.search(r"apt-get install ([^&]+)", line)[1].split()
    return {word for word in found if not word.startswith("-")}


def test_lines_that_go_on_are_one_instruction():
    text = "# no\nFROM a AS b\nRUN one && \\\n    # no\n    two\n\nFROM c\nCOPY --from=b /x /y\n"
    assert TRY["stages"](text) == [
        [("FROM", "a AS b"), ("RUN", "one && two")],
        [("FROM", "c"), ("COPY", "--from=b /x /y")],
    ]


def test_both_stages_are_of_one_release_of_debian_by_its_name():
    build, image = BUILD[0][1], IMAGE[0][1]
    assert build == f"{image} AS build"
    assert re.fullmatch(r"debian:(bookworm|trixie)-slim", image)


def test_what_is_copied_is_what_a_build_needs():
    copied = sources(BUILD, inner=False)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = {
        path.strip("/").split("/")[0]
        for path in project["tool"]["scikit-build"]["sdist"]["include"]
    }
    assert {*copied} == needed | {"constraints.txt"}
    assert [path for path in copied if not (ROOT / path).exists()] == []
    assert sources(IMAGE, inner=False) == []
    [brought] = sources(IMAGE, inner=True)
    assert any(f"-m venv {brought} " in rest for word, rest in BUILD if word == "RUN")


def test_nothing_else_of_the_checkout_reaches_the_build():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == {*sources(BUILD, inner=False)}
    again = [rule.removeprefix("**/") for rule in rules[1:] if not rule.startswith("!")]
    assert any(fnmatch.fnmatch("_core.cpython-311-x86_64-linux-gnu.so", rule) for rule in again)


def test_the_machine_has_what_the_readme_asks_for():
    [asked] = re.findall(r"(?m)^apt-get install (.+)$", (ROOT / "README.md").read_text("utf-8"))
    assert apt_packages(BUILD) == {*asked.split()} - {"make"}
    assert apt_packages(IMAGE) == {"python3"}


def test_it_serves_as_somebody_who_is_not_root_and_keeps_campaigns_in_a_volume():
    user, volume = last(IMAGE, "USER"), last(IMAGE, "VOLUME")
    [setting_up] = [rest for word, rest in IMAGE if word == "RUN"]
    assert re.search(rf"useradd --uid [1-9]\d+ .*{user} && ", setting_up)
    assert setting_up.endswith(f"--owner {user} --group {user} --mode 700 {volume}")
    words = [word for word, _ in IMAGE]
    assert words.index("USER") > max(i for i, word in enumerate(words) if word in {"RUN", "COPY"})


def test_it_starts_a_server_that_takes_these_options():
    program, command, *arguments = json.loads(last(IMAGE, "ENTRYPOINT"))
    assert program == "rankwise"
    above = click.Context(cli, **cli.context_settings)
    serve = cli.get_command(above, command)
    given = [*arguments, *json.loads(last(IMAGE, "CMD"))]
    context = serve.make_context(command, given, parent=above)
    assert str(context.params["folder"]) == last(IMAGE, "VOLUME")
    assert str(context.params["port"]) == last(IMAGE, "EXPOSE")
    assert context.params["host"] == "0.0.0.0"


def test_its_health_is_a_route_of_the_server():
    command = json.loads(last(IMAGE, "HEALTHCHECK").partition("CMD ")[2])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "health", "exec")
    [port, path] = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", command[2]).groups()
    assert port == last(IMAGE, "EXPOSE")
    assert path in {route.path for route in router.routes}


def test_no_secret_is_in_a_layer():
    assert {word for word, _ in BUILD + IMAGE} & {"ARG", "ADD", "SECRET"} == set()
    assert not re.search(r"(?i)password|token|secret|index-url|https://", TEXT)


@pytest.mark.parametrize("part", ["RUN", "COPY", "WORKDIR", "ENV"])
def test_the_bare_machine_does_all_that_the_file_says(part):
    for stage in (BUILD, IMAGE):
        commands = TRY["script"](stage)
        for word, rest in stage:
            if word == part == "COPY":
                assert all(Path(source).name in commands for source in TRY["copied"](rest)[1])
            elif word == part:
                assert rest in commands
