"""Runs the tasks of a stage on any executor; skips what is finished."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import Any

from ...cli.progress import with_progress
from ...errors import GladisError, require
from ...files import DISK_FULL
from .workspace import Outcome, Workspace


@dataclass(frozen=True)
class Task:
    """One unit of work: a function over a shard, a piece or a bucket.

    `function(*arguments)` writes its outputs and returns its outcome; running it twice gives the
    same bytes. `key` says what the task is made from; `size` is its input in bytes.
    """

    stage: str
    name: str
    key: str
    size: int
    function: Callable[..., Outcome]
    arguments: tuple[Any, ...]


class TaskError(GladisError):
    """Some tasks of a stage failed; the others are finished and are not done again."""


def is_finished(workspace: Workspace, task: Task) -> bool:
    """Whether a task's work is done and all of it is still there."""
    outcome = workspace.outcome(task.stage, task.name, task.key)
    return outcome is not None and not workspace.lost(outcome)


def run_stage(workspace: Workspace, tasks: Sequence[Task], pool: Executor) -> list[Outcome]:
    """Run a stage's tasks, the largest first; return their outcomes in the tasks' order.

    Finished tasks are skipped, those with lost outputs done again. A task that fails does not stop
    the others; a full disk and a dead worker do. Raises TaskError with what to do.
    """
    outcomes: dict[str, Outcome] = {}
    waiting: list[Task] = []
    for task in tasks:
        outcome = workspace.outcome(task.stage, task.name, task.key)
        if outcome and (lost := workspace.lost(outcome)):
            again = f"{task.stage} {task.name} is done again, lost: {', '.join(lost)}"
            print(again, file=sys.stderr)
            outcome = None
        if outcome:
            outcomes[task.name] = outcome
        else:
            waiting.append(task)
    failures: list[tuple[Task, BaseException]] = []
    waiting.sort(key=lambda task: -task.size)
    running = {pool.submit(task.function, *task.arguments): task for task in waiting}
    what = f"parts to {waiting[0].stage}" if waiting else ""
    try:
        for future in with_progress(as_completed(running), lambda: len(running), what=what):
            task = running[future]
            error = future.exception()
            if error is None:
                outcome = future.result()
                workspace.finish(task.stage, task.name, outcome)
                outcomes[task.name] = outcome
                continue
            failures.append((task, error))
            if isinstance(error, BrokenExecutor) or _disk_full(error):
                break
    finally:
        begun = [future for future in running if not future.cancel()]
    if failures:
        wait(begun)  # they clear their temporary files away
        raise TaskError(_advice(workspace, failures)) from failures[-1][1]
    return [outcomes[task.name] for task in tasks]


def _disk_full(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno in DISK_FULL


def _advice(workspace: Workspace, failures: list[tuple[Task, BaseException]]) -> str:
    task, error = failures[-1]
    if isinstance(error, BrokenExecutor):
        reason = (
            "A worker process died, most likely because it ran out of memory. "
            "Give fewer --workers or a smaller --piece-size"
        )
    elif _disk_full(error):
        reason = f"The disk is full: {workspace.root} cannot be written ({error}). Free some space"
    else:
        reason = (
            f"{len(failures)} tasks failed; the last is {task.stage} {task.name}: "
            f"{type(error).__name__}: {str(error).rstrip('.')}. Fix the cause"
        )
    return f"{reason}, then give the same command again: finished work is kept."


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
        Thread(target=lambda: (connection.wait([sentinel]), os._exit(1)), daemon=True).start()
