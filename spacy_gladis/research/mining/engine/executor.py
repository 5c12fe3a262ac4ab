"""Where tasks run: this machine's processes, or a Dask cluster."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread

from ....errors import GladisError, require


@contextmanager
def executor(workers: int, scheduler: str | None = None) -> Iterator[Executor]:
    """This machine's `workers` processes, or the workers of the Dask cluster at `scheduler`."""
    if scheduler is None:
        # Not forked: Arrow and the progress bar have threads, which a forked child would lack.
        context = get_context("spawn")
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent)
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)
        return
    distributed = require("distributed", "cluster")
    try:
        client = distributed.Client(scheduler, timeout="20s")
    except (OSError, ValueError) as error:
        raise GladisError(
            f"No Dask scheduler answers at {scheduler} ({error}). Start one with "
            "'dask scheduler' and its workers with 'dask worker ADDRESS'."
        ) from error
    with client, client.get_executor(pure=False) as pool:
        yield pool


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel
        Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()
