"""The layers of an encoder mixed and pooled into one vector a text, as COMET does it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankwise.errors import DataError
from rankwise.neural.export.graph import Graph


@dataclass(frozen=True)
class Mix:
    """Which layers are mixed with which weights (gamma within), and whether each is normalised.

    Normalised means: minus the mean over all numbers of the text's tokens, over their deviation.
    ``pool`` is ``avg``, ``max`` or ``cls``.
    """

    weights: tuple[float, ...]
    layer_norm: bool
    pool: str
    pad: int

    @property
    def last(self) -> int:
        """The last layer that counts: those above it need not be computed."""
        return max((i for i, w in enumerate(self.weights) if w), default=0)

    def vector(self, graph: Graph, states: Sequence[str]) -> str:
        """The vector of every text: (batch, hidden)."""
        parts = [
            self._scaled(graph, state, weight)
            for state, weight in zip(states, self.weights, strict=False)
            if weight
        ]
        total = parts[0]
        for part in parts[1:]:
            total = graph.node("Add", total, part)
        return self._pooled_max(graph, total) if self.pool == "max" else total

    def _scaled(self, graph: Graph, state: str, weight: float) -> str:
        """One layer's share: pooled before it is added, since averages and first tokens add up."""
        pooled = self._pooled(graph, state)
        if self.layer_norm:
            mean, deviation = self._moments(graph, state)
            if self.pool == "avg":
                mean = graph.node("Mul", mean, self._share(graph))
            pooled = graph.node("Div", graph.node("Sub", pooled, mean), deviation)
        return graph.node("Mul", pooled, graph.floats(weight))

    def _pooled(self, graph: Graph, state: str) -> str:
        if self.pool == "max":
            return state
        if self.pool == "cls":
            return graph.node("Gather", state, graph.weight(np.array(0)), axis=1)
        if self.pool != "avg":
            raise DataError(f"the model pools by {self.pool!r}, expected avg, max or cls")
        real = graph.node("Unsqueeze", self._real(graph), graph.ints(2))
        total = graph.node("ReduceSum", graph.node("Mul", state, real), graph.ints(1), keepdims=0)
        return graph.node("Div", total, self._length(graph))

    def _moments(self, graph: Graph, state: str) -> tuple[str, str]:
        """Mean and deviation of all numbers of a text's tokens, shaped like what is pooled."""
        mask = graph.node("Cast", "attention_mask", to=1)
        masked = graph.node("Mul", state, graph.node("Unsqueeze", mask, graph.ints(2)))
        flat = graph.node("Reshape", masked, graph.ints(0, -1))
        hidden = graph.node(
            "Cast", graph.node("Gather", graph.node("Shape", state), graph.ints(2)), to=1
        )
        count = graph.node("Mul", self._length(graph), hidden)
        mean = graph.node("Div", graph.node("ReduceSum", flat, graph.ints(1), keepdims=1), count)
        square = graph.node("ReduceSumSquare", flat, axes=[1], keepdims=1)
        variance = graph.node(
            "Sub", graph.node("Div", square, count), graph.node("Mul", mean, mean)
        )
        deviation = graph.node("Sqrt", graph.node("Add", variance, graph.floats(1e-12)))
        if self.pool == "max":
            mean, deviation = (graph.node("Unsqueeze", v, graph.ints(2)) for v in (mean, deviation))
        return mean, deviation

    def _real(self, graph: Graph) -> str:
        """1 where a token is not padding."""
        is_pad = graph.node("Equal", "input_ids", graph.ints(self.pad))
        return graph.node("Cast", graph.node("Not", is_pad), to=1)

    def _length(self, graph: Graph) -> str:
        """Tokens of every text: (batch, 1)."""
        mask = graph.node("Cast", "attention_mask", to=1)
        return graph.node("ReduceSum", mask, graph.ints(1), keepdims=1)

    def _share(self, graph: Graph) -> str:
        """The share of a text's tokens that are pooled: 1, but for texts that hold the mark."""
        real = graph.node("ReduceSum", self._real(graph), graph.ints(1), keepdims=1)
        return graph.node("Div", real, self._length(graph))

    def _pooled_max(self, graph: Graph, state: str) -> str:
        real = graph.node("Unsqueeze", self._real(graph), graph.ints(2))
        low = graph.node("Mul", graph.node("Sub", real, graph.floats(1.0)), graph.floats(3.4e38))
        return graph.node("ReduceMax", graph.node("Add", state, low), axes=[1], keepdims=0)
