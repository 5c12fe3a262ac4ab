"""Locks that allow only one run at a time in a folder."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import InputError


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Lock a folder for one run. The lock is released when the process dies.

    Args:
        folder: Folder to lock. It is created if missing.

    Yields:
        Nothing, while the lock is held.

    Raises:
        InputError: If another run, in this or another process, already holds the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    holder = folder / ".holder"
    holder.touch()
    try:
        held = FileLock(folder / ".lock").acquire(blocking=False)
    except Timeout:
        name = holder.read_text("utf8").strip() or "of an unknown process"
        raise InputError(
            f"Another run ({name}) uses {folder}. Wait until it ends, stop it, or choose another "
            "--output."
        ) from None
    with held:
        holder.write_text(f"process {os.getpid()} on {socket.gethostname()}\n", "utf8")
        yield
