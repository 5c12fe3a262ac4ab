"""The output folder of a mining run, and the execution of its tasks on any executor.

    manifest.json        inputs and settings
    pieces/              parts of large shards
    definitions/         Parquet, one file per piece, rows sorted by bucket
    samples/             likewise
    counts/              Parquet, one file per bucket, see `stages.Count`
    done/STAGE/NAME.json marker of a finished task: its outputs with their sizes, its statistics

Finished tasks are skipped. Every file is written under a temporary name and renamed, and a marker
is written after its outputs. A run that is killed at any moment therefore leaves nothing that looks
finished.
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
    """The result of a finished task, which is stored as JSON in the task's marker file.

    Attributes:
        key: Key that identifies the task's input. If the key changes, the task is run again.
        outputs: A mapping from the path of each output within the workspace to its size in bytes.
        statistics: Figures of the task.
        problems: Counts and examples of invalid records.
    """

    key: str
    outputs: dict[str, int]
    statistics: dict[str, Any]
    problems: dict[str, Any]


class Workspace:
    """The output folder of a mining run.

    A run locks the folder with `held`. Readers need no lock.

    Attributes:
        root: Path of the folder.
        manifest_path: Path of the folder's `manifest.json`.
    """

    def __init__(self, root: str | Path) -> None:
        """Open an existing or new workspace.

        Args:
            root: Path of the folder.
        """
        self.root = Path(root)
        self.manifest_path = self.root / "manifest.json"

    def manifest(self) -> dict[str, Any]:
        """Read the manifest.

        Returns:
            The manifest: `settings` and `inputs`.

        Raises:
            InputError: If the folder is not a workspace.
            FormatError: If the manifest is damaged or of another version.
        """
        if not self.manifest_path.is_file():
            raise InputError(
                f"{self.root} contains no mined corpus (no manifest.json). Create one with: "
                "spacy-gladis corpus extract SHARDS --output DIR"
            )
        try:
            manifest = dict(json.loads(self.manifest_path.read_text(encoding="utf-8")))
            manifest["settings"]
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(
                f"{self.manifest_path}: not a manifest of this version ({error})"
            ) from None
        return manifest

    @contextmanager
    def held(self) -> Iterator["Workspace"]:
        """Lock the workspace for one run, and delete temporary files left by killed processes.

        Yields:
            The workspace.

        Raises:
            InputError: If another run has locked the workspace.
        """
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
        """Write the manifest of a run, or check it against an existing manifest.

        Inputs can be added to an existing workspace. An input that has changed is mined again.

        Args:
            settings: All settings that influence the results, as JSON types.
            inputs: The inputs, as JSON types.

        Raises:
            InputError: If the workspace was created with other settings.
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
                    f"{self.root} was started with other settings: {', '.join(changed)}. Use the "
                    "same settings or another --output."
                )
        content = {"settings": dict(settings), "inputs": inputs}
        write_json(self.manifest_path, content)

    def marker(self, stage: str, name: str) -> str:
        """Return the path of a task's marker within the workspace.

        Args:
            stage: The stage's name.
            name: The task's name.
        """
        return f"done/{stage}/{name}.json"

    def outcome(self, stage: str, name: str, key: str | None = None) -> Outcome | None:
        """Read the outcome of a task from its marker file.

        Args:
            stage: The stage's name.
            name: The task's name.
            key: The expected key. None accepts any key.

        Returns:
            The outcome, or None if the task is not finished or has another key.
        """
        try:
            text = (self.root / self.marker(stage, name)).read_text(encoding="utf-8")
            outcome: Outcome = json.loads(text)
        except (FileNotFoundError, ValueError):
            return None
        return outcome if key in (None, outcome["key"]) else None

    def lost(self, outcome: Outcome) -> list[str]:
        """Return the outputs of a finished task that are missing or have another size.

        Args:
            outcome: The task's outcome.
        """
        return [name for name, size in outcome["outputs"].items() if self.size(name) != size]

    def done(
        self, key: str, outputs: Iterable[str], statistics: dict[str, Any], problems: ProblemLog
    ) -> Outcome:
        """Create the outcome of a task after its outputs have been written.

        Args:
            key: The task's key.
            outputs: Paths of the outputs within the workspace.
            statistics: Figures of the task, as JSON types.
            problems: Invalid records that the task skipped.
        """
        sizes = {name: self.size(name) for name in outputs}
        return Outcome(key=key, outputs=sizes, statistics=statistics, problems=problems.to_json())

    def finish(self, stage: str, name: str, outcome: Outcome) -> None:
        """Mark a task as finished by writing its outcome to the marker file.

        Args:
            stage: The stage's name.
            name: The task's name.
            outcome: The task's outcome.
        """
        write_json(self.root / self.marker(stage, name), outcome)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes, or -1 if it does not exist.

        Args:
            name: The file's path within the workspace.
        """
        try:
            return (self.root / name).stat().st_size
        except FileNotFoundError:
            return -1


@dataclass(frozen=True)
class Task:
    """One unit of work: a function applied to a shard, a piece or a bucket.

    Attributes:
        stage: The stage's name.
        name: The task's name, unique in its stage.
        key: Key that identifies the task's input.
        size: Size of the input, in bytes.
        function: Function that writes the outputs and returns the outcome. Repeated calls write the
            same bytes.
        arguments: The function's arguments.
    """

    stage: str
    name: str
    key: str
    size: int
    function: Callable[..., Outcome]
    arguments: tuple[Any, ...]


class TaskError(GladisError):
    """Raised when tasks of a stage failed. The results of finished tasks are kept."""


def is_finished(workspace: Workspace, task: Task) -> bool:
    """Return whether a task is finished and all its outputs still exist.

    Args:
        workspace: The run's workspace.
        task: The task.
    """
    outcome = workspace.outcome(task.stage, task.name, task.key)
    return outcome is not None and not workspace.lost(outcome)


def run_stage(workspace: Workspace, tasks: Sequence[Task], pool: Executor) -> list[Outcome]:
    """Run the tasks of a stage, the largest first.

    Finished tasks are skipped unless their outputs are missing. If a task fails, the other tasks
    still run, unless the disk is full or a worker process has died.

    Args:
        workspace: The run's workspace.
        tasks: The tasks.
        pool: The executor.

    Returns:
        The outcomes, in the order of the tasks.

    Raises:
        TaskError: If a task failed. The message says what to do.
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
        wait(begun)  # they delete their temporary files
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
    """Open an executor: local processes or a Dask cluster.

    Args:
        workers: Number of local processes.
        scheduler: Address of a Dask scheduler, such as `tcp://HOST:PORT`. None uses local
            processes.

    Yields:
        The executor.

    Raises:
        GladisError: If no scheduler answers at the address.
    """
    if scheduler is None:
        # Spawn, not fork: a forked child would lack the threads of Arrow and the progress bar.
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
            f"No Dask scheduler responds at {scheduler} ({error}). Start one with "
            "'dask scheduler' and its workers with 'dask worker ADDRESS'."
        ) from error
    with client, client.get_executor(pure=False) as pool:
        yield pool


def _end_with_parent() -> None:
    """Exit when the parent process dies, because a worker would otherwise wait for ever."""
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel
        Thread(target=lambda: (connection.wait([sentinel]), os._exit(1)), daemon=True).start()
