"""``rankwise demo``: the main job on the bundled example."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import click

from rankwise.cli.common.output import echo, note

SYSTEMS = "systems/*.txt"
METRICS = "-m bleu -m chrf -m ter -m meteor"
#: What the demonstration runs, as a person would type it inside the folder.
STEPS = (
    ("Score eight systems against two references", f"score -r ref.a.txt -r ref.b.txt {METRICS}"),
    ("Rank them from the judgments of twelve people", "rank judgments.jsonl"),
    (
        "See how far metrics and people agree",
        f"meta -j judgments.jsonl -r ref.a.txt -r ref.b.txt {METRICS}",
    ),
    (
        "Put it all on one page",
        "report -j judgments.jsonl --human assessments.tsv --documents documents.tsv "
        f"-s source.txt -r ref.a.txt -r ref.b.txt {METRICS} -o report.html",
    ),
)

#: What the demonstration ends with: people come next.
SERVER = """
To collect judgments like these yourself, start the campaign server with this example:
  make serve                      in a checkout, or
  rankwise serve my-campaign      after pip install 'rankwise[serve]'
and open the two links it prints: one to judge, one to watch the leaderboard."""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("rankwise-demo"),
    show_default=True,
    help="The folder for the example's files and the report.",
)
def demo(output: Path) -> None:
    """Run everything on the bundled example.

    Copies the example into a folder and runs the commands that it prints; run them yourself there,
    or on your own files.
    """
    _copy_example(output)
    note(f"The example lies in {output}; inside that folder the same commands work for you.")
    for title, command in STEPS:
        takes_systems = not command.startswith("rank ")
        shown = f"rankwise {command}" + (f" {SYSTEMS}" if takes_systems else "")
        click.secho(f"\n# {title}", bold=True)
        echo(f"$ {shown}\n")
        _run(output, command.split(), takes_systems)
    echo(f"\nThe report: {(output / 'report.html').resolve().as_uri()}")
    echo(SERVER)


def _copy_example(target: Path) -> None:
    from rankwise.errors import StoreError

    try:
        with as_file(files("rankwise.bundled").joinpath("example")) as folder:
            shutil.copytree(folder, target, dirs_exist_ok=True)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror or error}") from error


def _run(folder: Path, arguments: list[str], takes_systems: bool) -> None:
    """Run a command as if inside *folder*: its file names become paths."""
    from rankwise.cli import cli

    known = {path.name for path in folder.iterdir()} | {"report.html"}
    paths = [str(folder / word) if word in known else word for word in arguments]
    if takes_systems:
        paths += sorted(str(path) for path in folder.glob(SYSTEMS))
    cli.main(paths, prog_name="rankwise", standalone_mode=False)
