"""Folders that one run holds at a time."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold a folder for one run; a dead run's hold does not last.

    Raises InputError where another run holds it, this process's own included.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a+", encoding="utf-8") as file:
        if not _lock(file.fileno()):
            file.seek(0)
            raise InputError(
                f"Another run works in {folder} ({file.read().strip()}). Wait for it to "
                "end, stop it, or give another --output."
            )
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield


if sys.platform == "win32":

    def _lock(descriptor: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(descriptor: int) -> bool:
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
