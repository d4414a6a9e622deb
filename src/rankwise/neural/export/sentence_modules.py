"""What sentence-transformers puts behind an encoder: pooling, and layers of weights."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.neural.export.graph import Graph

_POOLS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
}
_ACTIVATIONS = {"Tanh": "Tanh", "Identity": "", "Sigmoid": "Sigmoid", "ReLU": "Relu"}


@dataclass(frozen=True)
class _Dense:
    """A layer of weights behind the pooling."""

    weight: NDArray[Any]
    bias: NDArray[Any]
    activation: str


@dataclass(frozen=True)
class SentenceModules:
    """How a text's vector is made of those of its tokens.

    ``encoder`` is the folder of the encoder; ``max_tokens`` is 0 where the folder does not say.
    """

    encoder: Path
    pool: str = "mean"
    max_tokens: int = 0
    lowercase: bool = False
    dense: tuple[_Dense, ...] = ()

    def write_vector(self, graph: Graph, state: str) -> None:
        """Adds the output ``vector`` to *graph*, made of the last layer's *state*."""
        vector = _POOLING[self.pool](graph, state)
        for layer in self.dense:
            vector = graph.linear(vector, layer.weight, layer.bias)
            vector = graph.node(layer.activation, vector) if layer.activation else vector
        graph.output("vector", vector, ["batch", "width"])


def sentence_modules(folder: Path) -> SentenceModules:
    """What the folder says; the mean of the tokens where it holds an encoder alone."""
    file = folder / "modules.json"
    if not file.is_file():
        return SentenceModules(folder)
    modules = [(m["type"].rpartition(".")[2], folder / m["path"]) for m in _json(file)]
    kinds = [kind for kind, _ in modules]
    if kinds[:2] != ["Transformer", "Pooling"] or not set(kinds[2:]) <= {"Dense", "Normalize"}:
        raise DataError(
            f"{file}: found {', '.join(kinds)}; expected Transformer, Pooling, and then Dense or "
            "Normalize"
        )
    first = modules[0][1]
    settings = _json(first / "sentence_bert_config.json")
    return SentenceModules(
        first,
        _pool(modules[1][1] / "config.json"),
        int(settings.get("max_seq_length") or 0),
        bool(settings.get("do_lower_case", False)),
        tuple(_dense(place) for kind, place in modules if kind == "Dense"),
    )


def _pool(file: Path) -> str:
    found = _json(file)
    chosen = [name for name, value in found.items() if name.startswith("pooling_mode") and value]
    if len(chosen) != 1 or chosen[0] not in _POOLS:
        raise DataError(
            f"{file}: found the pooling {' and '.join(chosen) or 'of none'}; expected one of "
            f"{', '.join(_POOLS)}"
        )
    return _POOLS[chosen[0]]


def _dense(folder: Path) -> _Dense:
    settings = _json(folder / "config.json")
    activation = str(settings.get("activation_function", "")).rpartition(".")[2]
    if activation not in _ACTIVATIONS:
        raise DataError(f"{folder}: the activation {activation} cannot be exported")
    weights = _weights(folder)
    weight = weights["linear.weight"]
    bias = weights.get("linear.bias", np.zeros(len(weight), np.float32))
    return _Dense(weight, bias, _ACTIVATIONS[activation])


def _weights(folder: Path) -> Mapping[str, NDArray[Any]]:
    if (folder / "model.safetensors").is_file():
        from safetensors.numpy import load_file

        return dict(load_file(folder / "model.safetensors"))
    import torch

    found = torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True)
    return {name: np.asarray(value.float().numpy()) for name, value in found.items()}


def _json(file: Path) -> Any:
    if not file.is_file():
        raise DataError(f"{file}: it is missing, and the model is not whole")
    return json.loads(file.read_text(encoding="utf-8"))


# -- pooling ---------------------------------------------------------------------------------------


def _mean(graph: Graph, state: str) -> str:
    return graph.node("Div", _sum(graph, state), _count(graph))


def _mean_of_root(graph: Graph, state: str) -> str:
    return graph.node("Div", _sum(graph, state), graph.node("Sqrt", _count(graph)))


def _first(graph: Graph, state: str) -> str:
    return graph.node("Gather", state, graph.weight(np.array(0)), axis=1)


def _largest(graph: Graph, state: str) -> str:
    real = graph.node("Unsqueeze", _mask(graph), graph.ints(2))
    low = graph.node("Mul", graph.node("Sub", real, graph.floats(1.0)), graph.floats(1e9))
    return graph.node("ReduceMax", graph.node("Add", state, low), axes=[1], keepdims=0)


def _sum(graph: Graph, state: str) -> str:
    real = graph.node("Unsqueeze", _mask(graph), graph.ints(2))
    return graph.node("ReduceSum", graph.node("Mul", state, real), graph.ints(1), keepdims=0)


def _count(graph: Graph) -> str:
    return graph.node("ReduceSum", _mask(graph), graph.ints(1), keepdims=1)


def _mask(graph: Graph) -> str:
    return graph.node("Cast", "attention_mask", to=1)


_POOLING = {"cls": _first, "max": _largest, "mean": _mean, "mean_sqrt_len": _mean_of_root}
