"""``rankwise neural``: export neural metrics, and look at what was exported."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankwise.cli.common.output import print_table, table_format, table_options

if TYPE_CHECKING:
    from rankwise.neural.model_folder import ModelSettings


@click.group()
def neural() -> None:
    """Export neural metrics, to run them without PyTorch.

    A model that was exported once with the official packages runs on ONNX Runtime from then on:
    rankwise score -m comet:model=FOLDER …
    """


@neural.command("export")
@click.argument("model")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--int8", is_flag=True, help="Keep weights in 8 bits: a quarter of the size, faster.")
@click.option(
    "--encoder",
    is_flag=True,
    help="MODEL is an encoder, not a COMET model; a folder with a config.json is one by itself.",
)
@click.option(
    "--layer",
    type=click.IntRange(0),
    help="Of an encoder, keep this layer's tokens alone, for bertscore: no layer above it.",
)
@click.option(
    "--metricx",
    type=click.Choice(["23", "23-qe", "24"]),
    help="MODEL is this version of MetricX; names such as metricx-24-hybrid-large-v2p6 say it.",
)
@click.option(
    "--tokenizer",
    metavar="MODEL",
    help="Where MetricX finds mT5's tokenizer: a folder, or google/mt5-xl and the like, fetched "
    "before.",
)
@click.option("--download", is_flag=True, help="Fetch MODEL where it is not on this machine yet.")
def export_command(
    model: str,
    folder: Path,
    int8: bool,
    encoder: bool,
    layer: int | None,
    metricx: str | None,
    tokenizer: str | None,
    download: bool,
) -> None:
    """Write MODEL, of COMET, MetricX, BLEURT or an encoder, into the new folder FOLDER.

    A COMET model is a checkpoint (model.ckpt), the folder that holds its checkpoints folder, or the
    name of a published model, such as Unbabel/wmt22-comet-da, that comet-score has fetched before;
    --download fetches it.
    MetricX is a folder of Hugging Face's or the name of one in its cache, such as
    google/metricx-24-hybrid-large-v2p6; BLEURT is one of bleurt-pytorch, such as
    lucadiliello/BLEURT-20. An encoder is a folder as Hugging Face or sentence-transformers save it,
    or the name of a published one (with --encoder). Needs pip install 'rankwise[comet]', this once.
    """
    from rankwise.errors import DataError
    from rankwise.metrics.outside.published_models import allow_fetching
    from rankwise.neural.model_folder import SETTINGS

    if (Path(model) / SETTINGS).is_file():
        raise DataError(f"{model}: it is exported already; rankwise neural show says what it is")
    allow_fetching(download)
    kind = _hugging_face_kind(model)
    is_metricx = metricx is not None or kind == "mt5" or "metricx-2" in Path(model).name.lower()
    is_encoder = encoder or layer is not None or kind is not None
    if is_metricx:
        settings = _export_metricx(model, folder, tokenizer, metricx, int8=int8)
        metrics = [f"-m metricx:model={folder}"]
    elif kind == "bleurt" or "bleurt" in Path(model).name.lower():
        settings = _export_bleurt(model, folder, int8=int8)
        metrics = [f"-m bleurt:model={folder}"]
    elif is_encoder:
        settings = _export_encoder(model, folder, layer, int8=int8)
        metrics = [f"-m cosine:model={folder}"] if settings.pool else []
        metrics.append(f"-m bertscore:model={folder}" + (":layer=N" if layer is None else ""))
    else:
        settings = _export_comet(model, folder, int8=int8)
        metrics = [f"-m comet:model={folder}"]
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    click.echo(
        f"{folder}: {settings.name}, {settings.kind}, {settings.precision}, {size:,.1f} MB; use it "
        f"with {' or '.join(metrics)}",
        err=True,
    )


def _export_metricx(
    model: str, folder: Path, tokenizer: str | None, version: str | None, *, int8: bool
) -> "ModelSettings":
    from rankwise.metrics.outside.scoring.metricx import metricx_folder, metricx_tokenizer
    from rankwise.neural.export import export_metricx

    found = metricx_folder(model)
    words = metricx_tokenizer(found, tokenizer)
    return export_metricx(found, folder, tokenizer=words, version=version, int8=int8)


def _export_bleurt(model: str, folder: Path, *, int8: bool) -> "ModelSettings":
    from rankwise.metrics.outside.scoring.bleurt import bleurt_folder
    from rankwise.neural.export import export_bleurt

    return export_bleurt(bleurt_folder(model), folder, int8=int8)


def _export_encoder(model: str, folder: Path, layer: int | None, *, int8: bool) -> "ModelSettings":
    from rankwise.metrics.outside.encoder_models import encoder_folder
    from rankwise.neural.export import export_encoder

    return export_encoder(encoder_folder("cosine", model), folder, layer=layer, int8=int8)


def _export_comet(model: str, folder: Path, *, int8: bool) -> "ModelSettings":
    from rankwise.metrics.outside.comet_models import checkpoint_of
    from rankwise.neural.export import export_comet

    return export_comet(checkpoint_of(model), folder, int8=int8)


def _hugging_face_kind(model: str) -> str | None:
    """What a folder of Hugging Face's says it holds; None where it is none."""
    import json

    try:
        found = json.loads((Path(model) / "config.json").read_text("utf-8"))
    except OSError:
        return None
    except ValueError:
        return ""
    return str(found.get("model_type", "")) if isinstance(found, dict) else ""


@neural.command("show")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True)
@table_options
def show_command(folders: tuple[str, ...], output: str | None, output_format: str) -> None:
    """Show what exported models are, and whether their files are as they were written."""
    from rankwise.neural.model_folder import ModelFolder
    from rankwise.present.tables import Column, Table

    columns = [
        Column(name)
        for name in ("folder", "model", "kind", "reads", "precision", "MB", "sha256", "files")
    ]
    rows = []
    for path in folders:
        found = ModelFolder.at(path)
        size = sum(file.stat().st_size for file in found.path.iterdir()) / 1e6
        rows.append(
            (
                path,
                found.settings.name,
                found.settings.kind,
                ", ".join(found.settings.inputs),
                found.settings.precision,
                f"{size:.1f}",
                found.settings.digest,
                "as written" if found.is_as_written else "changed",
            )
        )
    print_table(Table(columns, rows), table_format(output_format, output), output)
