"""A graph of operators in the format of ONNX (`onnx.proto`), without the numbers of its arrays.

What an encoder needs of the format is little: not enough to ask everybody for the package `onnx`.
"""

from collections.abc import Sequence
from struct import pack

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Ints

OPERATORS = 20
"""The version of the operators, the first with Gelu; onnxruntime has it since 1.17."""

FORMAT = 8
"""The version of the file format."""

FLOAT, INT64 = 1, 7
"""TensorProto.DataType"""


class Graph:
    """Operators one after another, and the arrays they take.

    arrays: floats by name, which the session is given beside the graph.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, Floats] = {}
        self._constants: dict[str, Ints] = {}
        self._nodes: list[bytes] = []
        self._made = 0

    def array(self, name: str, values: Floats) -> str:
        """Take an array under a name."""
        self.arrays[name] = np.ascontiguousarray(values)
        return name

    def shape(self, *sizes: int) -> str:
        """A shape to give to Reshape; 0: as it was."""
        name = "shape " + " ".join(map(str, sizes))
        self._constants[name] = np.array(sizes, np.int64)
        return name

    def __call__(self, operator: str, *inputs: str, **attributes: int | float | list[int]) -> str:
        """Add an operator; returns the name of its result."""
        return self.several(operator, 1, *inputs, **attributes)[0]

    def several(
        self, operator: str, results: int, *inputs: str, **attributes: int | float | list[int]
    ) -> list[str]:
        """Add an operator that has several results; returns their names."""
        names = [f"result {self._made + number}" for number in range(results)]
        self._made += results
        self._nodes.append(
            _fields(1, inputs)
            + _fields(2, names)
            + _field(4, operator)
            + _fields(5, [_attribute(name, value) for name, value in attributes.items()])
        )
        return names

    def model(self, inputs: dict[str, list[int | str]], output: str) -> bytes:
        """The ModelProto. inputs: their shapes, in which a name stands for any size."""
        graph = (
            _fields(1, self._nodes)
            + _field(2, "encoder")
            + _fields(5, [_beside(name, array) for name, array in self.arrays.items()])
            + _fields(5, [_constant(name, array) for name, array in self._constants.items()])
            + _fields(11, [_value(name, shape) for name, shape in inputs.items()])
            + _field(12, _value(output, ["rows", "tokens", "width"]))
        )
        return (
            _field(1, FORMAT) + _field(7, graph) + _field(8, _field(1, "") + _field(2, OPERATORS))
        )


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # negative ones in two's complement
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


def _field(number: int, value: int | float | str | bytes) -> bytes:
    """A field of a message in the format of protocol buffers."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | 5) + pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _fields(number: int, values: Sequence[int | float | str | bytes]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def _attribute(name: str, value: int | float | list[int]) -> bytes:
    """AttributeProto"""
    if isinstance(value, list):
        return _field(1, name) + _fields(8, value) + _field(20, 7)
    number, kind = (2, 1) if isinstance(value, float) else (3, 2)
    return _field(1, name) + _field(number, value) + _field(20, kind)


def _tensor(name: str, array: NDArray[np.generic], kind: int) -> bytes:
    return _fields(1, array.shape) + _field(2, kind) + _field(8, name)


def _constant(name: str, array: Ints) -> bytes:
    """TensorProto with its numbers."""
    return _tensor(name, array, INT64) + _field(9, array.tobytes())


def _beside(name: str, array: Floats) -> bytes:
    """TensorProto whose numbers the session is given."""
    return (
        _tensor(name, array, FLOAT)
        + _field(13, _field(1, "location") + _field(2, "-"))
        + _field(14, 1)
    )


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    """ValueInfoProto"""
    sizes = [_field(1, one) if isinstance(one, int) else _field(2, one) for one in shape]
    return _field(1, name) + _field(2, _field(1, _field(1, FLOAT) + _field(2, _fields(1, sizes))))
