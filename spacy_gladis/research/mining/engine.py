"""The output folder of a mining run, and its tasks on any executor; what is finished is skipped.

    manifest.json        what is mined, and with which settings
    pieces/              large shards, split
    definitions/         Parquet, a file a piece, rows in the order of their buckets
    samples/             likewise
    counts/              Parquet, a file a bucket: (acronym, merge key, long form, domain, count)
    done/STAGE/NAME.json a marker of finished work: its outputs with their sizes, its statistics

Every file is written under a temporary name and renamed, a marker after the outputs it names: a
run that is killed at any moment leaves nothing that the next one could take for finished.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, TypedDict

from ...errors import FormatError, GladisError, InputError, require
from ...files import DISK_FULL, write_json
from ...problem import ProblemLog
from ...progress import with_progress
from ..locks import holding


class Outcome(TypedDict):
    """What a finished task has done, as JSON types: its marker's content."""

    key: str  # what it was made from; work with another key is done again
    outputs: dict[str, int]  # path within the workspace -> bytes
    statistics: dict[str, Any]
    problems: dict[str, Any]


class Workspace:
    """An output folder; a run holds it by `held`, readers just open it."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self.manifest_path = self.root / "manifest.json"

    def manifest(self) -> dict[str, Any]:
        """The manifest; raises InputError where the folder is not a workspace."""
        if not self.manifest_path.is_file():
            raise InputError(
                f"{self.root} holds no mined corpus (no manifest.json). "
                "Make one with: spacy-gladis corpus extract SHARDS --output DIR"
            )
        try:
            manifest = dict(json.loads(self.manifest_path.read_text(encoding="utf-8")))
            manifest["settings"]
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(
                f"{self.manifest_path}: no manifest of this version ({error})"
            ) from None
        return manifest

    @contextmanager
    def held(self) -> Iterator["Workspace"]:
        """Hold the folder for one run; a second run is refused. A dead run's hold does not last."""
        with holding(self.root):
            self._clean()  # after a run that was killed
            yield self
            self._clean()  # after a worker that was killed

    def _clean(self) -> None:
        for left in self.root.rglob(".*.tmp"):
            left.unlink()
        for left in self.root.glob(".spill-*"):
            shutil.rmtree(left)

    def begin(self, settings: Mapping[str, Any], inputs: list[dict[str, Any]]) -> None:
        """Write the manifest; refuses other settings than those the folder was begun with.

        Inputs may be added to a folder; one that has changed is mined again.
        """
        if self.manifest_path.exists():
            before = self.manifest()["settings"]
            changed = [
                f"{key} {before.get(key)!r}, now {value!r}"
                for key, value in settings.items()
                if value != before.get(key)
            ]
            if changed:
                raise InputError(
                    f"{self.root} was begun with other settings: {', '.join(changed)}. "
                    "Give the same settings or another --output."
                )
        content = {"settings": dict(settings), "inputs": inputs}
        write_json(self.manifest_path, content)

    def marker(self, stage: str, name: str) -> str:
        return f"done/{stage}/{name}.json"

    def outcome(self, stage: str, name: str, key: str | None = None) -> Outcome | None:
        """What a task's marker says; None where there is none or it has another key than `key`."""
        try:
            text = (self.root / self.marker(stage, name)).read_text(encoding="utf-8")
            outcome: Outcome = json.loads(text)
        except (FileNotFoundError, ValueError):
            return None
        return outcome if key in (None, outcome["key"]) else None

    def lost(self, outcome: Outcome) -> list[str]:
        """The outputs of finished work that are gone or of another size."""
        return [name for name, size in outcome["outputs"].items() if self.size(name) != size]

    def done(
        self, key: str, outputs: Iterable[str], statistics: dict[str, Any], problems: ProblemLog
    ) -> Outcome:
        """The outcome of work that wrote these outputs."""
        sizes = {name: self.size(name) for name in outputs}
        return Outcome(key=key, outputs=sizes, statistics=statistics, problems=problems.to_json())

    def finish(self, stage: str, name: str, outcome: Outcome) -> None:
        write_json(self.root / self.marker(stage, name), outcome)

    def size(self, name: str) -> int:
        """The size of a file of the folder in bytes, -1 where there is none."""
        try:
            return (self.root / name).stat().st_size
        except FileNotFoundError:
            return -1


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
