"""The encoders of models as ONNX: BERT, RemBERT, XLM-RoBERTa, XLM-RoBERTa-XL and their like.

Attention and the normalisation after a sum are written as the fused operations of ONNX Runtime.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.neural.export.graph import Graph

Weights = Mapping[str, NDArray[Any]]
_FUSED = "com.microsoft"
#: The error function's GELU, and the one by the hyperbolic tangent.
_ACTIVATIONS = {"gelu": "BiasGelu", "gelu_new": "FastGelu"}


@dataclass(frozen=True)
class EncoderShape:
    """What the weights of an encoder do not say.

    ``family`` is ``bert``, ``roberta`` (positions are counted from the padding mark) or
    ``roberta-xl`` (normalised before each part instead of after it).
    """

    family: str
    layers: int
    heads: int
    epsilon: float
    pad: int
    activation: str

    def __post_init__(self) -> None:
        if self.activation not in _ACTIVATIONS:
            raise DataError(
                f"the encoder's activation is {self.activation}, and only "
                f"{' and '.join(_ACTIVATIONS)} can be exported"
            )


def hidden_states(graph: Graph, weights: Weights, shape: EncoderShape, last: int) -> list[str]:
    """The hidden states of layers 0 (the embedding) to *last*, as values of *graph*.

    The graph gets the inputs ``input_ids`` and ``attention_mask`` (and ``token_type_ids`` where
    the encoder distinguishes them).
    """
    ids = graph.input("input_ids", ["batch", "length"], ints=True)
    mask = graph.input("attention_mask", ["batch", "length"], ints=True)
    mask32 = graph.node("Cast", mask, to=6)  # int32
    states = [_embedding(graph, weights, shape, ids)]
    layer = _layer_normed_first if shape.family == "roberta-xl" else _layer_normed_after
    for number in range(last):
        prefix = f"encoder.layer.{number}."
        states.append(layer(graph, weights, shape, prefix, states[-1], mask32))
    if shape.family == "roberta-xl" and last == shape.layers:
        states[-1] = _normed(graph, weights, "encoder.LayerNorm", states[-1], shape.epsilon)
    return states


def _embedding(graph: Graph, weights: Weights, shape: EncoderShape, ids: str) -> str:
    words = graph.node("Gather", graph.weight(weights["embeddings.word_embeddings.weight"]), ids)
    places = graph.node(
        "Gather",
        graph.weight(weights["embeddings.position_embeddings.weight"]),
        _positions(graph, shape, ids),
    )
    types = weights["embeddings.token_type_embeddings.weight"]
    if shape.family == "bert":
        kind = graph.input("token_type_ids", ["batch", "length"], ints=True)
        typed = graph.node("Gather", graph.weight(types), kind)
    else:
        typed = graph.weight(types[0])
    total = graph.node("Add", graph.node("Add", words, typed), places)
    if shape.family != "roberta-xl":
        total = _normed(graph, weights, "embeddings.LayerNorm", total, shape.epsilon)
    widened = "encoder.embedding_projection"  # RemBERT has narrow embeddings
    if f"{widened}.weight" in weights:
        total = graph.linear(total, weights[f"{widened}.weight"], weights[f"{widened}.bias"])
    return total


def _positions(graph: Graph, shape: EncoderShape, ids: str) -> str:
    """Row of the position table per token: 0, 1, ...; RoBERTa counts on from its padding mark."""
    if shape.family == "bert":
        ones = graph.node("ConstantOfShape", graph.node("Shape", ids), value=_tensor(1))
        counted = graph.node("CumSum", ones, graph.weight(np.array(1)))
        return graph.node("Sub", counted, graph.ints(1))
    real = graph.node(
        "Cast", graph.node("Not", graph.node("Equal", ids, graph.ints(shape.pad))), to=7
    )
    counted = graph.node("Mul", graph.node("CumSum", real, graph.weight(np.array(1))), real)
    return graph.node("Add", counted, graph.ints(shape.pad))


def _tensor(value: int) -> Any:
    import onnx

    return onnx.numpy_helper.from_array(np.array([value], dtype=np.int64))


def _layer_normed_after(
    graph: Graph, weights: Weights, shape: EncoderShape, prefix: str, state: str, mask: str
) -> str:
    attended = _attention(graph, weights, shape, prefix, state, mask)
    state = _sum_normed(
        graph, weights, prefix + "attention.output.LayerNorm", attended, state, shape.epsilon
    )
    fed = _fed_forward(graph, weights, shape, prefix, state)
    return _sum_normed(graph, weights, prefix + "output.LayerNorm", fed, state, shape.epsilon)


def _layer_normed_first(
    graph: Graph, weights: Weights, shape: EncoderShape, prefix: str, state: str, mask: str
) -> str:
    before = _normed(
        graph, weights, prefix + "attention.self_attn_layer_norm", state, shape.epsilon
    )
    state = graph.node("Add", _attention(graph, weights, shape, prefix, before, mask), state)
    before = _normed(graph, weights, prefix + "LayerNorm", state, shape.epsilon)
    return graph.node("Add", _fed_forward(graph, weights, shape, prefix, before), state)


def _attention(
    graph: Graph, weights: Weights, shape: EncoderShape, prefix: str, state: str, mask: str
) -> str:
    own = [prefix + f"attention.self.{part}" for part in ("query", "key", "value")]
    matrix = np.concatenate([weights[f"{name}.weight"].T for name in own], axis=1)
    bias = np.concatenate([weights[f"{name}.bias"] for name in own])
    attended = graph.node(
        "Attention",
        state,
        graph.weight(matrix),
        graph.weight(bias),
        mask,
        domain=_FUSED,
        num_heads=shape.heads,
    )
    dense = prefix + "attention.output.dense"
    return graph.linear(attended, weights[f"{dense}.weight"], weights[f"{dense}.bias"])


def _fed_forward(
    graph: Graph, weights: Weights, shape: EncoderShape, prefix: str, state: str
) -> str:
    inner, outer = prefix + "intermediate.dense", prefix + "output.dense"
    wide = graph.node("MatMul", state, graph.weight(weights[f"{inner}.weight"].T))
    bias = graph.weight(weights[f"{inner}.bias"])
    wide = graph.node(_ACTIVATIONS[shape.activation], wide, bias, domain=_FUSED)
    return graph.linear(wide, weights[f"{outer}.weight"], weights[f"{outer}.bias"])


def _normed(graph: Graph, weights: Weights, name: str, state: str, epsilon: float) -> str:
    scale, shift = graph.weight(weights[f"{name}.weight"]), graph.weight(weights[f"{name}.bias"])
    return graph.node("LayerNormalization", state, scale, shift, axis=-1, epsilon=epsilon)


def _sum_normed(
    graph: Graph, weights: Weights, name: str, value: str, state: str, epsilon: float
) -> str:
    scale, shift = graph.weight(weights[f"{name}.weight"]), graph.weight(weights[f"{name}.bias"])
    return graph.node(
        "SkipLayerNormalization", value, state, scale, shift, domain=_FUSED, epsilon=epsilon
    )
