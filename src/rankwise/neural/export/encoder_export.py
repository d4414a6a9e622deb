"""Encoders as folders: those of Hugging Face, and sentence encoders with what follows them."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, MissingExtra
from rankwise.neural.export.checkpoint import published_name
from rankwise.neural.export.eight_bits import quantize
from rankwise.neural.export.encoder_graph import EncoderShape, hidden_states
from rankwise.neural.export.graph import Graph
from rankwise.neural.export.new_folder import new_folder
from rankwise.neural.export.sentence_modules import SentenceModules, sentence_modules
from rankwise.neural.export.torch_weights import weights_of
from rankwise.neural.model_folder import TOKENIZER, ModelSettings, folder_digest

#: The families of encoders, by what Hugging Face calls them.
_FAMILIES = {
    "bert": "bert",
    "distilbert": "bert",
    "roberta": "roberta",
    "xlm-roberta": "roberta",
    "camembert": "roberta",
    "xlm-roberta-xl": "roberta-xl",
}


def export_encoder(
    model: str | Path, folder: str | Path, *, layer: int | None = None, int8: bool = False
) -> ModelSettings:
    """Writes the encoder in the folder *model* into the new folder *folder*.

    *model* is as Hugging Face or sentence-transformers save it. The network gives the vectors of
    tokens in every layer and the vector of a text, pooled as the folder says, by the mean where it
    says nothing. With *layer* it ends there and gives the tokens of that layer alone, for
    BERTScore: the layers above are neither kept nor computed.
    """
    return new_folder(folder, lambda place: _written(Path(model), place, layer, int8))


def _written(model: Path, place: Path, layer: int | None, int8: bool) -> ModelSettings:
    modules = sentence_modules(model)
    network, tokenizer = _opened(modules.encoder)
    shape = _shape(network.config)
    if layer is not None and not 0 <= layer <= shape.layers:
        raise DataError(f"{model} has layers 0 to {shape.layers}; there is no layer {layer}")
    graph = Graph("encoder")
    last = shape.layers if layer is None else layer
    states = hidden_states(graph, _named_alike(network), shape, last)
    layers = tuple(range(last + 1)) if layer is None else (layer,)
    for number in layers:
        size = ["batch", "length", network.config.hidden_size]
        graph.output(f"layer_{number}", states[number], size)
    if layer is None:
        modules.write_vector(graph, states[-1])
    graph.write(place / "encoder.onnx")
    if int8:
        quantize(place / "encoder.onnx")
    (place / TOKENIZER).write_text(tokenizer.backend_tokenizer.to_str(), "utf-8")
    return _settings(model, network, tokenizer, modules, layers, layer is None, int8, place)


def _settings(
    model: Path,
    network: Any,
    tokenizer: Any,
    modules: SentenceModules,
    layers: tuple[int, ...],
    is_whole: bool,
    int8: bool,
    place: Path,
) -> ModelSettings:
    from importlib.metadata import version

    room = _room(network)
    matched = min(room, int(tokenizer.model_max_length))
    return ModelSettings(
        name=published_name(model),
        kind="encoder",
        inputs=("text",),
        max_tokens=min(room, modules.max_tokens or matched),
        max_joined=room,
        separators=0,
        pad=tokenizer.pad_token_id,
        layers=layers,
        pool=modules.pool if is_whole else "",
        max_matched=matched,
        lowercase=modules.lowercase,
        prefix_space=network.config.model_type == "roberta",
        precision="int8" if int8 else "float32",
        made_with=f"transformers {version('transformers')}",
        digest=folder_digest(place),
    )


def _room(network: Any) -> int:
    """How many tokens the table of positions has room for."""
    positions = int(network.config.max_position_embeddings)
    is_counted_on = _FAMILIES[network.config.model_type] != "bert"
    return positions - network.config.pad_token_id - 1 if is_counted_on else positions


def _opened(folder: Path) -> tuple[Any, Any]:
    """The network and the tokenizer in *folder*; nothing is downloaded."""
    try:
        import_module("torch")  # without it transformers can be imported and fails later
        from transformers import AutoConfig, AutoModel, AutoTokenizer
    except ImportError:
        raise MissingExtra(
            "reading an encoder needs the packages transformers and torch: "
            "pip install 'rankwise[comet]'"
        ) from None
    if not (folder / "config.json").is_file():
        raise DataError(f"{folder}: no encoder is there (config.json is missing)")
    try:
        kind = AutoConfig.from_pretrained(folder, local_files_only=True).model_type
        if kind not in _FAMILIES:
            raise DataError(
                f"{folder}: an encoder of type {kind!r} cannot be exported, expected one of "
                f"{', '.join(_FAMILIES)}"
            )
        network = AutoModel.from_pretrained(folder, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{folder}: cannot be read: {str(error).splitlines()[0]}") from None
    return network.eval(), tokenizer


def _shape(config: Any) -> EncoderShape:
    is_distilled = config.model_type == "distilbert"
    return EncoderShape(
        family=_FAMILIES[config.model_type],
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        epsilon=1e-12 if is_distilled else config.layer_norm_eps,
        pad=config.pad_token_id,
        activation=config.activation if is_distilled else config.hidden_act,
    )


#: What DistilBERT calls the parts of a layer, and what BERT calls them.
_DISTILLED = {
    "transformer.layer.": "encoder.layer.",
    "attention.q_lin": "attention.self.query",
    "attention.k_lin": "attention.self.key",
    "attention.v_lin": "attention.self.value",
    "attention.out_lin": "attention.output.dense",
    "sa_layer_norm": "attention.output.LayerNorm",
    "ffn.lin1": "intermediate.dense",
    "ffn.lin2": "output.dense",
    "output_layer_norm": "output.LayerNorm",
}


def _named_alike(network: Any) -> Mapping[str, NDArray[Any]]:
    """The weights by the names that BERT has for them."""
    weights = weights_of(network)
    if network.config.model_type != "distilbert":
        return weights
    found = {}
    for name, value in weights.items():
        called = name
        for theirs, bert in _DISTILLED.items():
            called = called.replace(theirs, bert)
        found[called] = value
    width = found["embeddings.word_embeddings.weight"].shape[1]
    found["embeddings.token_type_embeddings.weight"] = np.zeros((2, width), np.float32)
    return found
