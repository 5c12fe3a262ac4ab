"""Read and write files of named arrays (columns), which are mapped into memory.

The files are in the [safetensors](https://huggingface.co/docs/safetensors) format: eight bytes with
the length of the header, the header as JSON, and the arrays. The numpy reader of the package
`safetensors` copies every array. This module maps the arrays instead, so that processes share them
and opening a file takes no time.
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
"""A mapping from the names of columns to numpy arrays with their values."""
_METADATA_KEY = "columns"
_HEADER_LENGTH = struct.Struct("<Q")
_DAMAGE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error)
_TYPES = {"U8": "u1", "U32": "<u4", "U64": "<u8", "I64": "<i8", "F16": "<f2", "F32": "<f4"}


def write_columns(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write named arrays to a file that `map_columns` can map into memory.

    The file is written atomically, so a crash leaves either the old or the complete new file.

    Args:
        path: Path of the file to write.
        arrays: A mapping from the names of the columns to their values.
        metadata: A mapping from names to strings, which is stored in the file's header.

    Raises:
        PermissionError: If the file exists and is read-only.
    """
    # A single key makes the output reproducible: safetensors writes several keys in random order.
    header = {_METADATA_KEY: json.dumps(metadata, sort_keys=True)}
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    write_arrays(path, contiguous, header)


def map_columns(path: Path) -> tuple[Arrays, dict[str, str]]:
    """Map the arrays of a file into memory, without reading them.

    Parts of an array are read from the file when they are used, and processes share them.

    Args:
        path: Path of a file that `write_columns` wrote.

    Returns:
        A mapping from the names of the columns to read-only arrays, and the metadata from the
        file's header.

    Raises:
        InputError: If the file is missing or can't be read.
        FormatError: If the file is in another format, truncated or damaged.
    """
    try:
        content = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from None
    arrays: Arrays = {}
    try:
        (length,) = _HEADER_LENGTH.unpack(content[: _HEADER_LENGTH.size].tobytes())
        start = _HEADER_LENGTH.size + length
        header = json.loads(content[_HEADER_LENGTH.size : start].tobytes())
        metadata = dict(json.loads(header.pop("__metadata__", {}).get(_METADATA_KEY, "{}")))
        for name, entry in header.items():
            first, last = (start + offset for offset in entry["data_offsets"])
            if last > len(content):
                raise ValueError("the file ends too early")
            column = content[first:last].view(_TYPES[entry["dtype"]])
            arrays[name] = column.reshape(entry["shape"])
    except _DAMAGE_ERRORS as error:
        raise FormatError(
            f"{path} is in another format, truncated or damaged ({error}). Create the file again."
        ) from None
    return arrays, metadata


class Texts(Sequence[str]):
    """A read-only sequence of texts, which is stored as two arrays of a file.

    One array has the UTF-8 bytes of all texts, the other the offset at which each text ends. A text
    is decoded when it is used.
    """

    def __init__(self, content: NDArray[Any], ends: NDArray[Any]) -> None:
        """Create a sequence of texts from its two arrays.

        Args:
            content: UTF-8 bytes of all texts, one after the other, uint8 of shape (bytes,).
            ends: Offset in `content` at which each text ends (exclusive), shape (texts,).
        """
        self._content, self._ends = content, ends

    @staticmethod
    def to_arrays(name: str, texts: Iterable[str]) -> Arrays:
        """Encode texts as the two arrays that are stored in a file.

        Args:
            name: Name of the column.
            texts: The texts to encode. Characters that UTF-8 can't encode become question marks.

        Returns:
            A mapping with two arrays: the UTF-8 bytes of all texts under the name of the column,
            and the end of each text under the name ``<name>.ends``.
        """
        encoded = [text.encode("utf-8", "replace") for text in texts]
        ends = np.cumsum([len(content) for content in encoded], dtype=np.uint64)
        return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name}.ends": ends}

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> "Texts":
        """Create a sequence of texts from the arrays of a file.

        Args:
            arrays: A mapping from names to all arrays of the file.
            name: Name of the column with the texts.

        Returns:
            The texts in the column.

        Raises:
            FormatError: If the column is missing, or its two arrays don't fit together.
        """
        try:
            content, ends = arrays[name], arrays[f"{name}.ends"]
        except KeyError as error:
            raise FormatError(
                f"The file is damaged: column {error} is missing. Create the file again."
            ) from None
        if content.ndim != 1 or ends.ndim != 1 or (len(ends) and int(ends[-1]) != len(content)):
            raise FormatError(
                f"The file is damaged: column '{name}' has the wrong length. Create the file again."
            )
        return cls(content, ends)

    def __len__(self) -> int:
        """Return the number of texts in the column."""
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return the text with an index, or the list of texts for a slice."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"The text index {index} is out of range for {len(self)} texts.")
        number = index % len(self)
        start = int(self._ends[number - 1]) if number else 0
        return _decode(self._content[start : int(self._ends[number])].tobytes())

    def __iter__(self) -> Iterator[str]:
        """Iterate over the texts in their order."""
        content, start = self._content.tobytes(), 0
        for end in self._ends.tolist():
            yield _decode(content[start:end])
            start = end


def _decode(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            f"The file is damaged: {text!r} is not UTF-8 ({error.reason}). Create the file again."
        ) from None
