"""An ONNX graph written node by node."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import MissingExtra

#: Weights beyond this many bytes go into a file beside the graph: protobuf ends at 2 GiB.
INLINE_BYTES = 1 << 30


class Graph:
    """Nodes and weights in the order in which they were added; values are named by strings."""

    def __init__(self, name: str) -> None:
        try:
            import onnx
        except ImportError:
            raise MissingExtra(
                "exporting a model needs the package onnx: pip install 'rankwise[comet]'"
            ) from None
        self._onnx, self._name = onnx, name
        self._nodes: list[Any] = []
        self._weights: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._bytes = 0

    def input(self, name: str, shape: Sequence[str | int], *, ints: bool = False) -> str:
        """An input of the network; names in *shape* are sizes that may differ from run to run."""
        self._inputs.append(self._value(name, shape, ints))
        return name

    def output(self, name: str, value: str, shape: Sequence[str | int]) -> None:
        """Makes *value* an output of the network."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [value], [name]))
        self._outputs.append(self._value(name, shape, ints=False))

    def weight(self, array: NDArray[Any]) -> str:
        """A constant."""
        name = f"w{len(self._weights)}"
        array = np.asarray(array, order="C")
        self._weights.append(self._onnx.numpy_helper.from_array(array, name))
        self._bytes += array.nbytes
        return name

    def floats(self, *values: float) -> str:
        """A constant of one dimension."""
        return self.weight(np.array(values, dtype=np.float32))

    def scalar(self, value: float) -> str:
        """A constant without dimensions."""
        return self.weight(np.array(value, dtype=np.float32))

    def scalar_int(self, value: int) -> str:
        """A whole number without dimensions."""
        return self.weight(np.array(value, dtype=np.int64))

    def ints(self, *values: int) -> str:
        """A constant of whole numbers."""
        return self.weight(np.array(values, dtype=np.int64))

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """The value that *operation* gives for *inputs*."""
        name = f"v{len(self._nodes)}"
        self._nodes.append(
            self._onnx.helper.make_node(operation, inputs, [name], domain=domain, **attributes)
        )
        return name

    def linear(self, value: str, weight: NDArray[Any], bias: NDArray[Any]) -> str:
        """``value · weightᵀ + bias``, *weight* as PyTorch keeps it."""
        product = self.node("MatMul", value, self.weight(weight.T))
        return self.node("Add", product, self.weight(bias))

    def write(self, file: Path) -> None:
        """The graph as a file; large weights go to ``FILE.data`` beside it."""
        helper = self._onnx.helper
        graph = helper.make_graph(
            self._nodes, self._name, self._inputs, self._outputs, initializer=self._weights
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="rankwise")
        model.ir_version = 8
        self._onnx.save_model(
            model,
            str(file),
            save_as_external_data=self._bytes > INLINE_BYTES,
            location=file.name + ".data",
        )

    def _value(self, name: str, shape: Sequence[str | int], ints: bool) -> Any:
        kind = self._onnx.TensorProto.INT64 if ints else self._onnx.TensorProto.FLOAT
        return self._onnx.helper.make_tensor_value_info(name, kind, list(shape))
