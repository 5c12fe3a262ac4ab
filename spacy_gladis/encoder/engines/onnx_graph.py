"""A graph of operators in the format of ONNX (`onnx.proto`), which takes its arrays as inputs.

What an encoder needs of the format is little: not enough to ask everybody for the package `onnx`.
"""

from collections.abc import Sequence
from struct import pack

import numpy as np

from ...arrays import Floats, Ints

OPERATORS = 20
"""The version of the operators, the first with Gelu; onnxruntime has it since 1.17."""

FORMAT = 8
"""The version of the file format."""

FLOAT, INT64 = 1, 7
"""TensorProto.DataType"""


class Graph:
    """Operators one after another, and the arrays they take.

    arrays: floats by name, which the session is given at each run.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, Floats] = {}
        self._shapes: dict[str, Ints] = {}
        self._nodes: list[bytes] = []
        self._made = 0

    def array(self, name: str, values: Floats) -> str:
        """Take an array under a name."""
        self.arrays[name] = np.ascontiguousarray(values)
        return name

    def shape(self, *sizes: int) -> str:
        """A shape to give to Reshape; 0: as it was."""
        name = "shape " + " ".join(map(str, sizes))
        self._shapes[name] = np.array(sizes, np.int64)
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
        """The ModelProto. inputs: the shapes of all but the arrays; a name stands for any size."""
        arrays: dict[str, list[int | str]] = {n: [*one.shape] for n, one in self.arrays.items()}
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


def _shape(name: str, sizes: Ints) -> bytes:
    """TensorProto"""
    return _field(1, len(sizes)) + _field(2, INT64) + _field(8, name) + _field(9, sizes.tobytes())


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    """ValueInfoProto"""
    sizes = [_field(1, one) if isinstance(one, int) else _field(2, one) for one in shape]
    return _field(1, name) + _field(2, _field(1, _field(1, FLOAT) + _field(2, _fields(1, sizes))))
