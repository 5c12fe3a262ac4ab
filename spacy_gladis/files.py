"""Functions that write files atomically, read files of tensors, and explain errors of the disk."""

import errno
import json
import os
import shutil
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .errors import FormatError, InputError

DATA = Path(__file__).parent / "data"
"""Folder of the dictionary and the model weights that the package contains."""

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NOT_PERMITTED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


_STALE_SECONDS = 24 * 3600  # the process that wrote an older temporary file was killed
_LONGEST_NAME = 200  # in bytes; file systems allow 255, and the temporary file has a suffix
_CLEANED_FOLDERS: set[Path] = set()
_STREAMS = tuple(map(Path, ("/dev/fd", "/dev/stdout", "/dev/stderr", "/proc")))


@contextmanager
def writing(path: Path, before: bytes | None = None) -> Iterator[Path]:
    """Write a file atomically, so that a crash leaves either the old file or the complete new file.

    Write the new content to the temporary path that the context manager yields. The temporary file
    replaces the target file when the ``with`` statement ends. It is deleted if the statement raises
    an error. Missing parent folders are created.

    A symbolic link is followed. An existing file keeps its mode and owner. If the target is a
    device or a pipe, the content is appended to it.

    Args:
        path: Path of the file to write.
        before: Content that the file must still have when it is replaced, so that changes by
            another program aren't lost. None replaces the file whatever it contains.

    Yields:
        The path of a temporary file, in the same folder as the target unless that is a device or a
        pipe.

    Raises:
        PermissionError: If the file is read-only.
        InputError: If the file no longer has the content `before`.
    """
    if is_stream(path):
        with TemporaryDirectory() as folder:
            yield (temporary := Path(folder, "stream"))
            with temporary.open("rb") as content, path.open("ab") as stream:
                shutil.copyfileobj(content, stream)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    name = os.fsdecode(os.fsencode(path.name)[:_LONGEST_NAME])
    # Several processes or threads may write the same file at once.
    writer = f"{os.getpid()}-{threading.get_ident()}"
    temporary = path.with_name(f".{name}.{writer}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        _remove_stale(path.parent, temporary.stat().st_mtime)
        if path.exists():
            _keep_mode_and_owner(path, temporary)
            if before is not None and path.read_bytes() != before:
                raise InputError(
                    f"{path} was changed by another program and has not been overwritten. "
                    "Run the command again."
                )
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a file descriptor, such as ``/dev/stdout``.

    Content can be written to such a path, but a new file can't replace it.

    Args:
        path: Path to check. It doesn't need to exist.
    """
    is_descriptor = any(path.absolute().is_relative_to(folder) for folder in _STREAMS)
    return path.exists() and (is_descriptor or not (path.is_file() or path.is_dir()))


def refuse_stream(path: Path) -> None:
    """Raise an error if a path is a device, a pipe or a file descriptor.

    Call this before reading a file more than once, or before changing a file in place.

    Args:
        path: Path to check. Ordinary files and folders are accepted.

    Raises:
        InputError: If the path is a device, a pipe or a file descriptor.
    """
    if is_stream(path):
        raise InputError(
            f"{path} is a pipe or a device, but a file is required. Save the content to a file and "
            "pass its path."
        )


def _keep_mode_and_owner(path: Path, temporary: Path) -> None:
    status = path.stat()
    temporary.chmod(stat.S_IMODE(status.st_mode))
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only a superuser may give files away
            os.chown(temporary, status.st_uid, status.st_gid)


def _remove_stale(folder: Path, now: float) -> None:
    """Delete old temporary files in a folder, which processes left that were killed.

    Each process does this only once for a folder.
    """
    if folder not in _CLEANED_FOLDERS:
        _CLEANED_FOLDERS.add(folder)
        for path in folder.glob(".*.*-*.tmp"):
            with suppress(OSError):
                if now - path.stat().st_mtime > _STALE_SECONDS:
                    path.unlink()


def write_text(path: Path, text: str) -> None:
    r"""Write a text file in UTF-8, atomically (see `writing`).

    Args:
        path: Path of the file. An existing file is replaced.
        text: Content of the file. Line ends are written unchanged. Lone surrogates, which UTF-8
            can't encode, are written as escape sequences such as ``\udc80``.

    Raises:
        PermissionError: If the file is read-only.
    """
    # File names in the text may contain surrogates that stand for undecodable bytes.
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")


def write_json(path: Path, content: Any) -> None:
    """Write a value to an indented JSON file in UTF-8, atomically (see `writing`).

    Args:
        path: Path of the file. An existing file is replaced.
        content: A value that `json.dumps` accepts.

    Raises:
        PermissionError: If the file is read-only.
    """
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def write_arrays(
    path: Path, arrays: Mapping[str, Any], metadata: dict[str, str] | None = None
) -> None:
    """Write numpy arrays to a safetensors file, atomically (see `writing`).

    Args:
        path: Path of the file. An existing file is replaced.
        arrays: A mapping from the name of each array to the array.
        metadata: Strings to store in the file's header, by key. None stores none.

    Raises:
        PermissionError: If the file is read-only.
    """
    from safetensors.numpy import save_file

    with writing(path) as temporary:
        save_file(dict(arrays), temporary, metadata)


@contextmanager
def reading_tensors(
    path: Path, problem: str, advice: str = "", framework: str = "numpy"
) -> Iterator[Any]:
    """Open a safetensors file in a ``with`` statement, and convert errors to `FormatError`.

    The message of an error consists of the path, `problem`, the original error and `advice`.

    Args:
        path: Path of the file.
        problem: What is wrong if the file can't be read, such as ``"missing or damaged weights"``.
        advice: What the user can do about the problem, appended to the error message as it is.
            Empty if there is no advice.
        framework: Type of the tensors, as safetensors names it: ``"numpy"`` or ``"pt"``.

    Yields:
        The open file, whose method ``get_tensor`` reads a tensor by name.

    Raises:
        FormatError: If the file is missing or damaged, or lacks a tensor that the ``with``
            statement asks for.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework) as file:
            yield file
    except (SafetensorError, KeyError, ValueError, TypeError, OSError) as error:
        raise FormatError(f"{path}: {problem} ({error}){advice}") from None


def explain_os_error(error: OSError) -> str | None:
    """Return an error message with advice for a full disk or a missing permission.

    Args:
        error: Error of the operating system, such as an `OSError` with the code ``ENOSPC``.

    Returns:
        The message for the user. None for an error of any other kind.
    """
    if error.errno in DISK_FULL:
        return f"The disk is full ({error}). Free some space and run the command again."
    if error.errno in NOT_PERMITTED:
        return (
            f"Permission denied ({error}). Change the permissions of the file or use another path."
        )
    return None
