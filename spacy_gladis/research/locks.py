"""Folders that one run holds at a time."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import InputError


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold a folder for one run; a dead run's hold does not last.

    Raises InputError where another run holds it, this process's own included.
    """
    folder.mkdir(parents=True, exist_ok=True)
    holder = folder / ".holder"
    holder.touch()
    try:
        held = FileLock(folder / ".lock").acquire(blocking=False)
    except Timeout:
        name = holder.read_text("utf8").strip() or "of an unknown process"
        raise InputError(
            f"Another run works in {folder} ({name}). Wait for it to end, stop it, or give another "
            "--output."
        ) from None
    with held:
        holder.write_text(f"process {os.getpid()} on {socket.gethostname()}\n", "utf8")
        yield
