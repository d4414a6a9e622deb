"""MT5 as ONNX: its encoder, and the first step of its decoder.

The first step has one token, whose attention to itself gives its own value; what it depends on is
what the encoder made of the text.
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
#: What is added to the attention of a token to padding.
_NEVER = float(np.finfo(np.float32).min)


@dataclass(frozen=True)
class T5Shape:
    """What the weights of an MT5 do not say."""

    layers: int
    decoder_layers: int
    heads: int
    head_size: int
    epsilon: float
    buckets: int
    farthest: int
    start: int
    is_tied: bool
    feed_forward: str

    def __post_init__(self) -> None:
        if self.feed_forward != "gated-gelu":
            raise DataError(
                f"the feed-forward layers are {self.feed_forward}, and only gated-gelu can be "
                "exported"
            )


def first_logit(graph: Graph, weights: Weights, shape: T5Shape, token: int) -> str:
    """The logit of *token* at the first step of the decoder, as a value of *graph*, (batch, 1).

    The graph gets the inputs ``input_ids`` and ``attention_mask``.
    """
    ids = graph.input("input_ids", ["batch", "length"], ints=True)
    mask = graph.input("attention_mask", ["batch", "length"], ints=True)
    unseen = _unseen(graph, mask)
    encoded = _encoded(graph, weights, shape, ids, unseen)
    start = weights["shared.weight"][shape.start]
    batch = graph.node("Slice", graph.node("Shape", ids), graph.ints(0), graph.ints(1))
    size = graph.node("Concat", batch, graph.ints(1, len(start)), axis=0)
    state = graph.node("Expand", graph.weight(start[None, None]), size)
    for number in range(shape.decoder_layers):
        state = _decoder_layer(graph, weights, shape, number, state, encoded, unseen)
    state = _normed(graph, weights["decoder.final_layer_norm.weight"], state, shape)
    row = weights["lm_head.weight"][token]
    if shape.is_tied:
        row = row * np.float32(len(row) ** -0.5)
    logit = graph.node("MatMul", state, graph.weight(row[:, None]))
    return graph.node("Reshape", logit, graph.ints(-1, 1))


def buckets_of(distances: NDArray[np.int64], buckets: int, farthest: int) -> NDArray[np.int64]:
    r"""The bucket of every distance (key minus query): half of them for each direction.

    Near distances have a bucket each; beyond a quarter of the buckets they grow with the logarithm,
    and from *farthest* on there is one.

    >>> buckets_of(np.array([-200, -9, -1, 0, 1, 9, 200]), 32, 128)
    array([15,  8,  1,  0, 17, 24, 31])
    """
    half = buckets // 2
    near = half // 2
    away = np.abs(distances)
    grown = np.log(np.maximum(away, near).astype(np.float32) / np.float32(near))
    grown = grown / np.float32(np.log(farthest / near)) * np.float32(half - near)
    far = np.minimum(near + grown.astype(np.int64), half - 1)
    return np.where(distances > 0, half, 0) + np.where(away < near, away, far)


def _unseen(graph: Graph, mask: str) -> str:
    """What is added to the attention to every token: 0, or for padding the least number."""
    padding = graph.node("Sub", graph.floats(1), graph.node("Cast", mask, to=1))
    return graph.node(
        "Mul", graph.node("Unsqueeze", padding, graph.ints(1, 2)), graph.floats(_NEVER)
    )


def _encoded(graph: Graph, weights: Weights, shape: T5Shape, ids: str, unseen: str) -> str:
    state = graph.node("Gather", graph.weight(weights["shared.weight"]), ids)
    bias = graph.node("Add", _position_bias(graph, weights, shape, ids), unseen)
    for number in range(shape.layers):
        block = f"encoder.block.{number}.layer."
        before = _normed(graph, weights[block + "0.layer_norm.weight"], state, shape)
        own = block + "0.SelfAttention."
        attended = _attention(graph, weights, shape, own, before, before, bias)
        state = graph.node("Add", state, attended)
        state = _fed_forward(graph, weights, shape, block + "1.", state)
    return _normed(graph, weights["encoder.final_layer_norm.weight"], state, shape)


def _position_bias(graph: Graph, weights: Weights, shape: T5Shape, ids: str) -> str:
    """What every head adds for the distance of two tokens, (1, heads, length, length)."""
    name = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    distances = np.arange(-shape.farthest, shape.farthest + 1)
    table = weights[name][buckets_of(distances, shape.buckets, shape.farthest)]
    length = graph.node("Gather", graph.node("Shape", ids), graph.scalar_int(1))
    places = graph.node("Range", graph.scalar_int(0), length, graph.scalar_int(1))
    away = graph.node(
        "Sub",
        graph.node("Unsqueeze", places, graph.ints(0)),
        graph.node("Unsqueeze", places, graph.ints(1)),
    )
    least, most = (graph.scalar_int(end) for end in (-shape.farthest, shape.farthest))
    row = graph.node("Add", graph.node("Clip", away, least, most), graph.ints(shape.farthest))
    bias = graph.node("Gather", graph.weight(table), row)  # (length, length, heads)
    return graph.node("Unsqueeze", graph.node("Transpose", bias, perm=[2, 0, 1]), graph.ints(0))


def _decoder_layer(
    graph: Graph,
    weights: Weights,
    shape: T5Shape,
    number: int,
    state: str,
    encoded: str,
    unseen: str,
) -> str:
    block = f"decoder.block.{number}.layer."
    before = _normed(graph, weights[block + "0.layer_norm.weight"], state, shape)
    own = block + "0.SelfAttention."
    value = _times(graph, before, weights[own + "v.weight"])
    state = graph.node("Add", state, _times(graph, value, weights[own + "o.weight"]))
    before = _normed(graph, weights[block + "1.layer_norm.weight"], state, shape)
    across = block + "1.EncDecAttention."
    attended = _attention(graph, weights, shape, across, before, encoded, unseen)
    state = graph.node("Add", state, attended)
    return _fed_forward(graph, weights, shape, block + "2.", state)


def _attention(
    graph: Graph, weights: Weights, shape: T5Shape, name: str, asking: str, asked: str, bias: str
) -> str:
    """What *asking* finds in *asked*; T5 does not scale the products."""
    query = _heads(graph, shape, _times(graph, asking, weights[name + "q.weight"]), [0, 2, 1, 3])
    key = _heads(graph, shape, _times(graph, asked, weights[name + "k.weight"]), [0, 2, 3, 1])
    value = _heads(graph, shape, _times(graph, asked, weights[name + "v.weight"]), [0, 2, 1, 3])
    product = graph.node("Add", graph.node("MatMul", query, key), bias)
    found = graph.node("MatMul", graph.node("Softmax", product, axis=-1), value)
    whole = graph.node("Transpose", found, perm=[0, 2, 1, 3])
    joined = graph.node("Reshape", whole, graph.ints(0, 0, shape.heads * shape.head_size))
    return _times(graph, joined, weights[name + "o.weight"])


def _heads(graph: Graph, shape: T5Shape, value: str, order: list[int]) -> str:
    split = graph.node("Reshape", value, graph.ints(0, 0, shape.heads, shape.head_size))
    return graph.node("Transpose", split, perm=order)


def _fed_forward(graph: Graph, weights: Weights, shape: T5Shape, name: str, state: str) -> str:
    before = _normed(graph, weights[name + "layer_norm.weight"], state, shape)
    dense = name + "DenseReluDense."
    gate = _times(graph, before, weights[dense + "wi_0.weight"])
    gate = graph.node("FastGelu", gate, domain=_FUSED)
    wide = graph.node("Mul", gate, _times(graph, before, weights[dense + "wi_1.weight"]))
    return graph.node("Add", state, _times(graph, wide, weights[dense + "wo.weight"]))


def _normed(graph: Graph, scale: NDArray[Any], state: str, shape: T5Shape) -> str:
    """The state over the root of the mean of its squares, scaled."""
    squares = graph.node("Pow", state, graph.scalar(2))
    mean = graph.node("ReduceMean", squares, axes=[-1], keepdims=1)
    root = graph.node("Sqrt", graph.node("Add", mean, graph.scalar(shape.epsilon)))
    return graph.node("Mul", graph.node("Div", state, root), graph.weight(scale))


def _times(graph: Graph, value: str, weight: NDArray[Any]) -> str:
    return graph.node("MatMul", value, graph.weight(weight.T))
