"""Files that are whole or not there, tensors in files, full and read-only disks."""

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

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NOT_PERMITTED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


_STALE = 24 * 3600  # seconds: who writes a temporary file for so long is no more
_LONGEST_NAME = 200  # bytes of a temporary file's name, of 255 at most
_CLEARED: set[Path] = set()  # folders without stale files
_STREAMS = tuple(map(Path, ("/dev/fd", "/dev/stdout", "/dev/stderr", "/proc")))


@contextmanager
def writing(path: Path, before: bytes | None = None) -> Iterator[Path]:
    """A temporary path beside `path`; on success it takes `path`'s place, on failure it goes.

    before: what the file is still to hold; None: whatever it holds.
    The content reaches the disk before the name does, so that a crash leaves the old file or
    the new one, never a part. A link is followed, the mode and owner of a file that is there stay,
    and into a device or pipe the content is written. Raises PermissionError for a file that is
    read-only, InputError for one that is not as before.
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
    writer = f"{os.getpid()}-{threading.get_ident()}"  # two may write one file at once
    temporary = path.with_name(f".{name}.{writer}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        _remove_stale(path.parent, temporary.stat().st_mtime)
        if path.exists():
            _keep_mode_and_owner(path, temporary)
            if before is not None and path.read_bytes() != before:
                raise InputError(f"{path} was changed meanwhile and is left as it is.")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe or an open file's number, which nothing may replace."""
    opened = any(path.absolute().is_relative_to(one) for one in _STREAMS)
    return path.exists() and (opened or not (path.is_file() or path.is_dir()))


def refuse_stream(path: Path) -> None:
    """Raise InputError for a device or a pipe, which is read but once and cannot be put right."""
    if is_stream(path):
        raise InputError(f"{path} is a pipe or a device, not a file: put what it gives into one.")


def _keep_mode_and_owner(path: Path, temporary: Path) -> None:
    status = path.stat()
    temporary.chmod(stat.S_IMODE(status.st_mode))
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only a superuser may give files away
            os.chown(temporary, status.st_uid, status.st_gid)


def _remove_stale(folder: Path, now: float) -> None:
    """Remove what writers that were killed have left in a folder, once a process."""
    if folder not in _CLEARED:
        _CLEARED.add(folder)
        for left in folder.glob(".*.*-*.tmp"):
            with suppress(OSError):
                if now - left.stat().st_mtime > _STALE:
                    left.unlink()


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
