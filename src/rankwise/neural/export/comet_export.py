"""COMET's checkpoints as folders: regression with and without a reference, UniTE, xCOMET."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.neural.export.checkpoint import official_model, published_name
from rankwise.neural.export.eight_bits import quantize
from rankwise.neural.export.encoder_graph import EncoderShape, hidden_states
from rankwise.neural.export.graph import Graph
from rankwise.neural.export.layer_mix import Mix
from rankwise.neural.export.new_folder import new_folder
from rankwise.neural.export.torch_weights import array_of, weights_of
from rankwise.neural.model_folder import TOKENIZER, Kind, ModelSettings, folder_digest

_KINDS: Mapping[str, Kind] = {
    "regression_metric": "regression",
    "referenceless_regression_metric": "referenceless",
    "unified_metric": "unified",
    "xcomet_metric": "xcomet",
}
_INPUTS = {"mt": "output", "src": "source", "ref": "reference"}
_FAMILIES = {
    "BERT": "bert",
    "MiniLM": "bert",
    "XLM-RoBERTa": "roberta",
    "XLM-RoBERTa-XL": "roberta-xl",
}


def export_comet(
    checkpoint: str | Path, folder: str | Path, *, int8: bool = False
) -> ModelSettings:
    """Writes the COMET model in the file *checkpoint* into the new folder *folder*.

    The network is that of the official package, which reads the checkpoint; ``int8`` keeps its
    weights in whole numbers of eight bits. Nothing is left behind where it fails.
    """
    return new_folder(folder, lambda place: _written(Path(checkpoint), place, int8))


def _written(checkpoint: Path, place: Path, int8: bool) -> ModelSettings:
    model = official_model(checkpoint)
    kind = _KINDS.get(model.hparams.class_identifier)
    if kind is None:
        raise DataError(
            f"a model of class {model.hparams.class_identifier!r} cannot be exported, expected one "
            f"of {', '.join(_KINDS)}"
        )
    if kind in {"regression", "referenceless"}:
        _write_sentence_networks(model, place, kind)
    else:
        _write_joint_network(model, place)
    if int8:
        for file in sorted(place.glob("*.onnx")):
            if file.name != "head.onnx":
                quantize(file)
    (place / TOKENIZER).write_text(model.encoder.tokenizer.backend_tokenizer.to_str(), "utf-8")
    return _settings(
        model, kind, published_name(checkpoint.absolute().parents[1]), int8, folder_digest(place)
    )


def _settings(model: Any, kind: Kind, name: str, int8: bool, digest: str) -> ModelSettings:
    from importlib.metadata import version

    encoder, inputs = model.encoder, ["mt", "src", "ref"]
    if kind == "referenceless":
        inputs = ["mt", "src"]
    elif kind in {"unified", "xcomet"}:
        inputs = list(model.hparams.input_segments)
    marks_words = bool(getattr(model, "word_level", False))
    labels = tuple(model.hparams.error_labels) if marks_words else ()
    weights = getattr(model, "input_weights_spans", None)
    return ModelSettings(
        name=name,
        kind=kind,
        inputs=tuple(_INPUTS[i] for i in inputs),
        max_tokens=encoder.max_positions - 2,
        max_joined=encoder.max_positions,
        separators=encoder.size_separator,
        pad=encoder.tokenizer.pad_token_id,
        labels=labels,
        span_weights=_numbers(weights) if labels and weights is not None else (),
        score_weights=_numbers(model.score_weights) if kind == "xcomet" else (),
        precision="int8" if int8 else "float32",
        made_with=f"unbabel-comet {version('unbabel-comet')}",
        digest=digest,
    )


def _numbers(values: Any) -> tuple[float, ...]:
    """The numbers as decimals that say what was meant: .1667, not .16670000553."""
    return tuple(float(f"{float(value):.7g}") for value in values)


# -- the networks ----------------------------------------------------------------------------------


def _write_sentence_networks(model: Any, place: Path, kind: str) -> None:
    graph = Graph("encoder")
    mix = _mix(model, model.hparams.layer, model.hparams.pool)
    states = hidden_states(graph, weights_of(model.encoder.model), _shape(model), mix.last)
    vector = mix.vector(graph, states)
    hidden = model.encoder.output_units
    graph.output("vector", vector, ["batch", hidden])
    graph.write(place / "encoder.onnx")

    head = Graph("head")
    names = ["output", "reference", "source"] if kind == "regression" else ["output", "source"]
    output, *others = (head.input(name, ["batch", hidden]) for name in names)
    compared = [
        value
        for other in others
        for value in (
            head.node("Mul", output, other),
            head.node("Abs", head.node("Sub", output, other)),
        )
    ]
    joined = head.node("Concat", output, others[0], *compared, axis=1)
    head.output("score", _fed(head, model.estimator, joined), ["batch", 1])
    head.write(place / "head.onnx")


def _write_joint_network(model: Any, place: Path) -> None:
    graph = Graph("network")
    mix = _mix(model, model.hparams.layer, "cls")
    word_layer = model.hparams.word_layer if model.word_level else 0
    last = max(mix.last, word_layer)
    states = hidden_states(graph, weights_of(model.encoder.model), _shape(model), last)
    vector = mix.vector(graph, states)
    graph.output("score", _fed(graph, model.estimator, vector), ["batch", 1])
    if model.word_level:
        tags = model.hidden2tag
        logits = graph.linear(states[word_layer], array_of(tags.weight), array_of(tags.bias))
        labels = 1 + len(model.hparams.error_labels)
        share = graph.node("Softmax", logits, axis=-1)
        graph.output("probabilities", share, ["batch", "length", labels])
    graph.write(place / "network.onnx")


def _mix(model: Any, layer: str | int, pool: str) -> Mix:
    attention, pad = model.layerwise_attention, model.encoder.tokenizer.pad_token_id
    if attention is None:
        weights = [0.0] * model.encoder.num_layers
        weights[int(layer)] = 1.0
        return Mix(tuple(weights), False, pool, pad)
    import torch

    with torch.no_grad():
        raw = torch.cat(list(attention.scalar_parameters))
        shares = attention.transform_fn(raw, dim=0) * attention.gamma
    return Mix(tuple(shares.tolist()), bool(attention.layer_norm), pool, pad)


def _fed(graph: Graph, estimator: Any, value: str) -> str:
    """The feed-forward head, layer by layer."""
    for layer in estimator.ff:
        kind = type(layer).__name__
        if kind == "Linear":
            value = graph.linear(value, array_of(layer.weight), array_of(layer.bias))
        elif kind in {"Tanh", "Sigmoid", "Relu", "ReLU"}:
            value = graph.node("Relu" if kind == "ReLU" else kind, value)
        elif kind not in {"Dropout", "Identity"}:
            raise DataError(f"the head has a layer of kind {kind}, which cannot be exported")
    return value


def _shape(model: Any) -> EncoderShape:
    config, name = model.encoder.model.config, model.hparams.encoder_model
    if name not in _FAMILIES:
        raise DataError(
            f"the encoder {name} cannot be exported, expected one of {', '.join(_FAMILIES)}"
        )
    return EncoderShape(
        family=_FAMILIES[name],
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        epsilon=config.layer_norm_eps,
        pad=config.pad_token_id,
        activation=config.hidden_act,
    )
