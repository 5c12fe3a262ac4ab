"""A file of columns, mapped into memory: a safetensors file, of which nothing is read in advance.

Format: https://huggingface.co/docs/safetensors (eight bytes with the header's length, the header
as JSON, the arrays). The package `safetensors` writes it; its numpy reader copies every array, so
the arrays are mapped here, which lets processes share them.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError, InputError
from ..files import write_arrays

Arrays = dict[str, NDArray[Any]]
_METADATA = "columns"
_LENGTH = struct.Struct("<Q")
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error)
_TYPES = {"U8": "u1", "U32": "<u4", "U64": "<u8", "I64": "<i8", "F16": "<f2", "F32": "<f4"}


def write_columns(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write arrays and metadata: the whole file, or none."""
    # Of several keys safetensors writes now one, now the other first: equal columns, equal bytes.
    named = {_METADATA: json.dumps(metadata, sort_keys=True)}
    write_arrays(path, {n: np.ascontiguousarray(a) for n, a in arrays.items()}, named)


def map_columns(path: Path) -> tuple[Arrays, dict[str, str]]:
    """The arrays of a file, mapped read-only, and its metadata.

    Raises InputError where there is no such file, FormatError where it is foreign or truncated.
    """
    try:
        content = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from None
    arrays: Arrays = {}
    try:
        (length,) = _LENGTH.unpack(content[: _LENGTH.size].tobytes())
        start = _LENGTH.size + length
        header = json.loads(content[_LENGTH.size : start].tobytes())
        metadata = dict(json.loads(header.pop("__metadata__", {}).get(_METADATA, "{}")))
        for name, one in header.items():
            first, last = (start + place for place in one["data_offsets"])
            if last > len(content):
                raise ValueError("it ends too early")
            arrays[name] = content[first:last].view(_TYPES[one["dtype"]]).reshape(one["shape"])
    except _BROKEN as error:
        raise FormatError(f"{path} is foreign, truncated or damaged ({error}).") from None
    return arrays, metadata


class Texts(Sequence[str]):
    """A column of texts: their UTF-8 bytes one after another, and where each ends."""

    def __init__(self, content: NDArray[Any], ends: NDArray[Any]) -> None:
        self._content, self._ends = content, ends

    @staticmethod
    def arrays(name: str, texts: Iterable[str]) -> Arrays:
        """The two arrays of a column, under the names `NAME` and `NAME.ends`."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        ends = np.cumsum([len(one) for one in encoded], dtype=np.uint64)
        return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name}.ends": ends}

    @classmethod
    def of(cls, arrays: Arrays, name: str) -> "Texts":
        """The column `name` of a file; raises FormatError where it has none that fits."""
        try:
            content, ends = arrays[name], arrays[f"{name}.ends"]
        except KeyError as error:
            raise FormatError(f"The file is damaged: it has no column {error}.") from None
        if content.ndim != 1 or ends.ndim != 1 or (len(ends) and int(ends[-1]) != len(content)):
            raise FormatError(f"The file is damaged: its column '{name}' ends elsewhere.")
        return cls(content, ends)

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no text {index}, there are {len(self)}")
        at = index % len(self)
        start = int(self._ends[at - 1]) if at else 0
        return _decode(self._content[start : int(self._ends[at])].tobytes())

    def __iter__(self) -> Iterator[str]:
        content, start = self._content.tobytes(), 0
        for end in self._ends.tolist():
            yield _decode(content[start:end])
            start = end


def _decode(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"The file is damaged: {text!r} is not text ({error.reason}).") from None
