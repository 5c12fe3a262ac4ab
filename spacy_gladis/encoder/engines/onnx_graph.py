"""Build models in the ONNX format (`onnx.proto`) without the package `onnx`.

An encoder needs only a small part of the format, which this module writes itself.
"""

from collections.abc import Sequence
from struct import pack

import numpy as np

from ...arrays import Floats, Ints

OPERATORS = 20
"""Version of the set of ONNX operators. It is the first version with the operator Gelu. ONNX
Runtime supports it since version 1.17."""

FORMAT = 8
"""Version of the ONNX file format."""

FLOAT, INT64 = 1, 7
"""Codes of the data types float32 and int64 in TensorProto.DataType."""


class Graph:
    """An ONNX graph of operators, which is built operator by operator.

    Call the graph to add an operator with one result: ``graph("Add", left, right)`` returns the
    name of the sum. Arrays such as weights are inputs of the graph, not constants.

    Attributes:
        arrays: A mapping from the names of inputs to arrays. Pass them to the ONNX session in each
            run.
    """

    def __init__(self) -> None:
        """Create a graph without operators and inputs."""
        self.arrays: dict[str, Floats] = {}
        self._shapes: dict[str, Ints] = {}
        self._nodes: list[bytes] = []
        self._results = 0

    def array(self, name: str, values: Floats) -> str:
        """Add an array, such as a weight matrix, as an input of the graph.

        Args:
            name: Name of the input.
            values: Values of the array.

        Returns:
            The name of the input, which can be passed to operators.
        """
        self.arrays[name] = np.ascontiguousarray(values)
        return name

    def shape(self, *sizes: int) -> str:
        """Add a shape to the graph, as an input of the operator Reshape.

        Args:
            *sizes: Size of each dimension. 0 keeps the size that the reshaped array has in this
                dimension.

        Returns:
            The name of the shape, which can be passed to the operator.
        """
        name = "shape " + " ".join(map(str, sizes))
        self._shapes[name] = np.array(sizes, np.int64)
        return name

    def __call__(self, operator: str, *inputs: str, **attributes: int | float | list[int]) -> str:
        """Add an operator with one result to the graph.

        Args:
            operator: Name of the ONNX operator, such as ``"MatMul"``.
            *inputs: Names of the operator's inputs, such as results of other operators.
            **attributes: Attributes of the operator, such as ``axis=-1``.

        Returns:
            The name of the result, which can be passed to other operators.
        """
        return self.add(operator, 1, *inputs, **attributes)[0]

    def add(
        self, operator: str, results: int, *inputs: str, **attributes: int | float | list[int]
    ) -> list[str]:
        """Add an operator with any number of results to the graph.

        Args:
            operator: Name of the ONNX operator, such as ``"Split"``.
            results: Number of results.
            *inputs: Names of the operator's inputs, such as results of other operators.
            **attributes: Attributes of the operator, such as ``axis=-1``.

        Returns:
            The names of the results in their order, which can be passed to other operators.
        """
        names = [f"result {self._results + number}" for number in range(results)]
        self._results += results
        self._nodes.append(
            _fields(1, inputs)
            + _fields(2, names)
            + _field(4, operator)
            + _fields(5, [_attribute(name, value) for name, value in attributes.items()])
        )
        return names

    def model(self, inputs: dict[str, list[int | str]], output: str) -> bytes:
        """Serialize the graph as an ONNX model (a ModelProto).

        Args:
            inputs: A mapping from the names of the inputs that are not in `arrays` to their shapes.
                A string in a shape, such as ``"tokens"``, stands for a dimension of any size.
            output: Name of the result that the model returns.

        Returns:
            The serialized model, which can be passed to an ONNX session.
        """
        arrays: dict[str, list[int | str]] = {
            name: [*array.shape] for name, array in self.arrays.items()
        }
        graph = (
            _fields(1, self._nodes)
            + _field(2, "encoder")
            + _fields(5, [_shape(name, sizes) for name, sizes in self._shapes.items()])
            + _fields(11, [_value(name, shape) for name, shape in (inputs | arrays).items()])
            + _field(12, _value(output, ["rows", "tokens", "width"]))
        )
        return (
            _field(1, FORMAT) + _field(7, graph) + _field(8, _field(1, "") + _field(2, OPERATORS))
        )


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # negative numbers in two's complement
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes([*encoded, number])


def _field(number: int, value: int | float | str | bytes) -> bytes:
    """Encode a field of a protocol buffer message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | 5) + pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _fields(number: int, values: Sequence[int | float | str | bytes]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def _attribute(name: str, value: int | float | list[int]) -> bytes:
    """Encode an AttributeProto."""
    if isinstance(value, list):
        return _field(1, name) + _fields(8, value) + _field(20, 7)
    number, attribute_type = (2, 1) if isinstance(value, float) else (3, 2)
    return _field(1, name) + _field(number, value) + _field(20, attribute_type)


def _shape(name: str, sizes: Ints) -> bytes:
    """Encode a TensorProto."""
    return _field(1, len(sizes)) + _field(2, INT64) + _field(8, name) + _field(9, sizes.tobytes())


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    """Encode a ValueInfoProto."""
    sizes = [_field(1, size) if isinstance(size, int) else _field(2, size) for size in shape]
    return _field(1, name) + _field(2, _field(1, _field(1, FLOAT) + _field(2, _fields(1, sizes))))
