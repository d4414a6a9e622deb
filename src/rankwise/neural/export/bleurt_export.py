"""BLEURT checkpoints as folders: RemBERT or BERT with a linear head over the first token."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.neural.export.checkpoint import published_name
from rankwise.neural.export.eight_bits import quantize
from rankwise.neural.export.encoder_graph import EncoderShape, hidden_states
from rankwise.neural.export.graph import Graph
from rankwise.neural.export.new_folder import new_folder
from rankwise.neural.export.torch_weights import array_of
from rankwise.neural.model_folder import TOKENIZER, ModelSettings, folder_digest

_PREFIX = "bleurt."


def export_bleurt(model: str | Path, folder: str | Path, *, int8: bool = False) -> ModelSettings:
    """Writes the BLEURT model in the folder *model* into the new folder *folder*.

    *model* is as the package bleurt-pytorch keeps it: ``config.json``, the weights, and
    ``spm.model`` (BLEURT-20) or ``vocab.txt`` (those before it). The package is not needed.
    """
    return new_folder(folder, lambda place: _written(Path(model), place, int8))


def _written(model: Path, place: Path, int8: bool) -> ModelSettings:
    from importlib.metadata import version

    config = _config(model)
    weights = _weights(model)
    encoder = {
        name.removeprefix(_PREFIX): value
        for name, value in weights.items()
        if name.startswith(_PREFIX)
    }
    graph = Graph("network")
    layers = config["num_hidden_layers"]
    last = hidden_states(graph, encoder, _shape(config), layers)[-1]
    first = graph.node("Gather", last, graph.scalar_int(0), axis=1)
    dense = "pooler.dense"
    pooled = graph.linear(first, encoder[f"{dense}.weight"], encoder[f"{dense}.bias"])
    pooled = graph.node("Tanh", pooled)
    score = graph.linear(pooled, weights["classifier.weight"], weights["classifier.bias"])
    graph.output("score", score, ["batch", 1])
    graph.write(place / "network.onnx")
    if int8:
        quantize(place / "network.onnx")
    (place / TOKENIZER).write_text(_tokenizer(model), "utf-8")
    room = config["max_position_embeddings"]
    return ModelSettings(
        name=published_name(model),
        kind="bleurt",
        inputs=("reference", "output"),
        max_tokens=room,
        max_joined=room,
        separators=1,
        pad=config["pad_token_id"],
        precision="int8" if int8 else "float32",
        made_with=f"transformers {version('transformers')}",
        digest=folder_digest(place),
    )


def _config(model: Path) -> dict[str, Any]:
    try:
        found = json.loads((model / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{model / 'config.json'}: cannot be read: {error}") from None
    if not isinstance(found, dict) or found.get("model_type") != "bleurt":
        kind = found.get("model_type") if isinstance(found, dict) else None
        raise DataError(f"{model}: found a model of type {kind!r}, expected bleurt")
    usual = {
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512,
        "pad_token_id": 0,
    }
    return {**usual, **found}


def _weights(model: Path) -> Mapping[str, NDArray[Any]]:
    """The weights by their names."""
    try:
        import torch
        from safetensors.torch import load_file
    except ImportError:
        raise MissingExtra(
            "reading a BLEURT model needs the packages transformers and torch: "
            "pip install 'rankwise[comet]'"
        ) from None
    safe, plain = model / "model.safetensors", model / "pytorch_model.bin"
    if safe.is_file():
        found = load_file(safe)
    elif plain.is_file():
        found = torch.load(plain, map_location="cpu", weights_only=True)
    else:
        raise DataError(f"{model}: there is neither {safe.name} nor {plain.name}")
    weights = {name: array_of(value) for name, value in found.items() if value.is_floating_point()}
    if "classifier.weight" not in weights or len(weights["classifier.weight"]) != 1:
        raise DataError(f"{model}: it has no head that gives one score (classifier.weight)")
    return weights


def _shape(config: Mapping[str, Any]) -> EncoderShape:
    return EncoderShape(
        family="bert",
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
        pad=config["pad_token_id"],
        activation=config["hidden_act"],
    )


def _tokenizer(model: Path) -> str:
    """The tokenizer as JSON; texts that spell a mark are cut like any other, as BLEURT does."""
    from transformers import BertTokenizerFast, DebertaV2TokenizerFast

    if (model / "spm.model").is_file():
        found = DebertaV2TokenizerFast(vocab_file=str(model / "spm.model"), do_lower_case=False)
    elif (model / "vocab.txt").is_file():
        found = BertTokenizerFast.from_pretrained(model, local_files_only=True)
    else:
        raise DataError(f"{model}: it has no tokenizer, neither spm.model nor vocab.txt")
    document = json.loads(found.backend_tokenizer.to_str())
    if (model / "spm.model").is_file():
        _hide_marks(document, found.all_special_tokens)
    return json.dumps(document, ensure_ascii=False)


def _hide_marks(document: dict[str, Any], marks: Sequence[str]) -> None:
    """Gives marks names that no text spells: SentencePiece never finds them in a text."""
    document["added_tokens"] = []
    document["model"]["vocab"] = [
        [f"\ue000{piece}" if piece in marks else piece, score]
        for piece, score in document["model"]["vocab"]
    ]
