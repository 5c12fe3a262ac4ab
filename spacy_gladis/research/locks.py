"""File locks that keep two runs from writing to the same output folder at the same time."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import InputError


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Lock a run's output folder while the body of a ``with`` statement runs.

    A training or mining run locks its folder, so that a second run can't overwrite its files. The
    operating system also releases the lock if the process is killed.

    Args:
        folder: Folder to lock. It is created if it does not exist.

    Yields:
        None. The folder is locked until the ``with`` statement ends.

    Raises:
        InputError: If another run, in this process or another one, has already locked the folder.
            The message names that process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    holder = folder / ".holder"
    holder.touch()
    try:
        held = FileLock(folder / ".lock").acquire(blocking=False)
    except Timeout:
        name = holder.read_text("utf8").strip() or "of an unknown process"
        raise InputError(
            f"Another run ({name}) uses the folder {folder}. Wait until that run ends, stop it, "
            "or choose another folder with --output."
        ) from None
    with held:
        holder.write_text(f"process {os.getpid()} on {socket.gethostname()}\n", "utf8")
        yield
