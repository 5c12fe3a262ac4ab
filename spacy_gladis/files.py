"""Files that are whole or not there, tensors in files, full and read-only disks."""

import errno
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import FormatError

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NOT_PERMITTED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`; on success it takes `path`'s place, on failure it goes.

    The content reaches the disk before the name does, so that a crash leaves the old file or
    the new one, never a part.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = f"{os.getpid()}-{threading.get_ident()}"  # two may write one file at once
    temporary = path.with_name(f".{path.name}.{writer}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8; see `writing`."""
    with writing(path) as temporary:  # a command may name a file by bytes that are no text
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file, indented, in UTF-8; see `writing`."""
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def write_arrays(
    path: Path, arrays: Mapping[str, Any], metadata: dict[str, str] | None = None
) -> None:
    """Write numpy arrays as a safetensors file; see `writing`."""
    from safetensors.numpy import save_file

    with writing(path) as temporary:
        save_file(dict(arrays), temporary, metadata)


@contextmanager
def reading_tensors(
    path: Path, problem: str, advice: str = "", framework: str = "numpy"
) -> Iterator[Any]:
    """A safetensors file, open; what is amiss with it is a FormatError of problem and advice."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework) as file:
            yield file
    except (SafetensorError, KeyError, ValueError, TypeError, OSError) as error:
        raise FormatError(f"{path}: {problem} ({error}){advice}") from None


def advice_on(error: OSError) -> str | None:
    """What to tell of a disk that is full or may not be written; None for any other error."""
    if error.errno in DISK_FULL:
        return f"The disk is full ({error}). Free some space, then run the command again."
    if error.errno in NOT_PERMITTED:
        return (
            f"A file may not be read or written ({error}). Change its permissions, or give another "
            "path."
        )
    return None
