"""``rankwise sample``: a random test set, or disjoint parts, from line-aligned files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import note

if TYPE_CHECKING:
    from rankwise.types.sampling import Indices

PARTS = ("train", "validation", "test")


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--size", type=click.IntRange(min=1), help="How many segments to draw.")
@click.option("--train", type=int, help="Size of a training part; -1 for all that is left.")
@click.option("--validation", type=int, help="Size of a validation part; -1 for the rest.")
@click.option("--test", type=int, help="Size of a test part; -1 for the rest.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Same seed, same sample."
)
@click.option(
    "--documents",
    help="A line-aligned file whose last tab-separated column names the document of each segment; "
    "documents are then kept together.",
)
@click.option("-o", "--output", required=True, help="The folder to write to; it must not exist.")
def sample(
    files: tuple[str, ...],
    size: int | None,
    train: int | None,
    validation: int | None,
    test: int | None,
    seed: int,
    documents: str | None,
    output: str,
) -> None:
    """Draw a random test set from line-aligned FILES (source, references, outputs, ...).

    Every file keeps its name; the drawn lines keep their order; `lines.txt` holds the numbers of
    the drawn lines. With --size, the files lie in the output folder; with --train, --validation
    and --test, disjoint parts lie in folders of those names.
    """
    parts = dict(zip(PARTS, (train, validation, test), strict=True))
    wanted = {name: None if n == -1 else n for name, n in parts.items() if n is not None}
    if (size is None) == (not wanted):
        raise click.UsageError("give either --size, or --train, --validation and --test")
    from rankwise.io.parts.parallel_lines import parallel_lines

    lines = dict(zip(_named(files), parallel_lines(files), strict=True))
    count = len(next(iter(lines.values())))
    chosen = _choose(count, {"": size} if size else wanted, seed, documents)
    _write(Path(output), lines, chosen)
    for name, indices in chosen.items():
        note(f"{name or 'sample'}: {len(indices)} segments -> {Path(output) / name}")


def _named(files: Sequence[str]) -> list[str]:
    """How the files are called in the folder; two of one name are an error."""
    from rankwise.errors import DataError

    names = ["stdin.txt" if path == "-" else Path(path).name for path in files]
    if len(set(names)) != len(names):
        raise DataError(f"two of the files are called {max(names, key=names.count)!r}")
    return names


def _choose(
    count: int, sizes: Mapping[str, int | None], seed: int, documents: str | None
) -> "dict[str, Indices]":
    from rankwise.io.parts.place_lines import read_places
    from rankwise.types import Segment
    from rankwise.types.sampling import split

    if documents is None:
        return split(count, sizes, seed=seed)
    places = read_places(documents, count)
    segments = [Segment(str(i), "", document=each.document) for i, each in enumerate(places, 1)]
    return split(segments, sizes, seed=seed, by_document=True)


def _write(
    folder: Path, lines: Mapping[str, Sequence[str]], chosen: "Mapping[str, Indices]"
) -> None:
    """Write everything into a new folder beside the target and rename it when it is complete."""
    from rankwise.io.files import write_text
    from rankwise.io.folders import new_folder

    with new_folder(folder) as building:
        for part, indices in chosen.items():
            (building / part).mkdir(exist_ok=True)
            texts = {name: [rows[i] for i in indices] for name, rows in lines.items()}
            texts["lines.txt"] = [str(i + 1) for i in indices]
            for name, rows in texts.items():
                with write_text(building / part / name) as stream:
                    stream.writelines(row + "\n" for row in rows)
