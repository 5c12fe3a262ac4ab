"""The output folder of a mining run ("workspace"), and the execution of the run's tasks.

The workspace contains these files:

    manifest.json        inputs and settings of the run
    pieces/              pieces of large input files
    definitions/         mined definitions, one Parquet file per piece, sorted by bucket
    samples/             mined samples, in the same form
    counts/              counted definitions, one Parquet file per bucket (see `stages.Count`)
    done/STAGE/NAME.json marker of a finished task, with the sizes of its outputs and statistics

A run skips the tasks that are already finished, so an interrupted run can be resumed. Every file is
written under a temporary name and then renamed. The marker of a task is written after its outputs.
A run that is killed at any moment therefore leaves no incomplete file that looks finished.
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
    """Result of a finished task of a mining run, which is stored in the task's marker file.

    Attributes:
        key: Key that identifies the state of the task's input, such as its size and time of change.
            If it changes, the task is run again.
        outputs: A mapping from the path of each output file, relative to the workspace, to its size
            in bytes.
        statistics: Figures of the task, such as the number of documents, as JSON types.
        problems: Counts and examples of records that could not be used.
    """

    key: str
    outputs: dict[str, int]
    statistics: dict[str, Any]
    problems: dict[str, Any]


class Workspace:
    """The output folder of a mining run, with the results of its finished tasks.

    A run locks the workspace with `held`. Code that only reads results does not need the lock.

    Attributes:
        root: Path of the folder.
        manifest_path: Path of the file `manifest.json` in the folder, which has the inputs and
            settings of the run.
    """

    def __init__(self, root: str | Path) -> None:
        """Create an object for a workspace. Nothing is read or written yet.

        Args:
            root: Path of the folder. It need not exist.
        """
        self.root = Path(root)
        self.manifest_path = self.root / "manifest.json"

    def manifest(self) -> dict[str, Any]:
        """Read the manifest, which describes the run that the workspace belongs to.

        Returns:
            A mapping with the `settings` of the run and the list of its `inputs`.

        Raises:
            InputError: If the folder has no manifest, so that it is not a workspace.
            FormatError: If the manifest is damaged, or another version of the package wrote it.
        """
        if not self.manifest_path.is_file():
            raise InputError(
                f"The folder {self.root} contains no mined corpus (no manifest.json). Create one "
                "with: spacy-gladis corpus extract SHARDS --output DIR"
            )
        try:
            manifest = dict(json.loads(self.manifest_path.read_text(encoding="utf-8")))
            manifest["settings"]
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(
                f"{self.manifest_path} is damaged or from another version ({error}). Mine the "
                "corpus again into another folder."
            ) from None
        return manifest

    @contextmanager
    def held(self) -> Iterator["Workspace"]:
        """Lock the workspace for one run while the body of a ``with`` statement runs.

        Temporary files that killed processes left behind are deleted before and after.

        Yields:
            This workspace, locked.

        Raises:
            InputError: If another run has locked the workspace. The message names its process.
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
        """Write the manifest of a run, after checking that an earlier run had the same settings.

        The inputs may differ from those of an earlier run. New and changed inputs are then mined.

        Args:
            settings: All settings that influence the results, as JSON types.
            inputs: Name, path and size of each input, as JSON types.

        Raises:
            InputError: If an earlier run into the workspace had other settings. The message lists
                the differences.
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
                    f"The folder {self.root} was mined with other settings: {', '.join(changed)}. "
                    "Use the same settings or another --output."
                )
        content = {"settings": dict(settings), "inputs": inputs}
        write_json(self.manifest_path, content)

    def marker(self, stage: str, name: str) -> str:
        """Return the path of the marker file that exists if a task is finished.

        Args:
            stage: Stage of the task: ``"split"``, ``"extract"`` or ``"count"``.
            name: Name of the task, which is unique in its stage.

        Returns:
            The path relative to the workspace, such as ``"done/count/003.json"``.
        """
        return f"done/{stage}/{name}.json"

    def outcome(self, stage: str, name: str, key: str | None = None) -> Outcome | None:
        """Read the outcome of a finished task from its marker file.

        Args:
            stage: Stage of the task: ``"split"``, ``"extract"`` or ``"count"``.
            name: Name of the task, which is unique in its stage.
            key: Key that identifies the present state of the task's input. None accepts an outcome
                for any state.

        Returns:
            The outcome. None if the task is not finished, or was run on another state of its input.
        """
        try:
            text = (self.root / self.marker(stage, name)).read_text(encoding="utf-8")
            outcome: Outcome = json.loads(text)
        except (FileNotFoundError, ValueError):
            return None
        return outcome if key in (None, outcome["key"]) else None

    def lost(self, outcome: Outcome) -> list[str]:
        """Find the output files of a finished task that no longer exist as they were written.

        Args:
            outcome: Outcome of the task, with the sizes of its outputs.

        Returns:
            Paths of the files that are missing or have another size, relative to the workspace.
        """
        return [name for name, size in outcome["outputs"].items() if self.size(name) != size]

    def done(
        self, key: str, outputs: Iterable[str], statistics: dict[str, Any], problems: ProblemLog
    ) -> Outcome:
        """Create the outcome of a task. Call it after the outputs have been written.

        Args:
            key: Key that identifies the state of the task's input.
            outputs: Paths of the output files, relative to the workspace. Their sizes are recorded.
            statistics: Figures of the task, as JSON types.
            problems: Records that could not be used and were skipped.

        Returns:
            The outcome, which `finish` writes to the marker file.
        """
        sizes = {name: self.size(name) for name in outputs}
        return Outcome(key=key, outputs=sizes, statistics=statistics, problems=problems.to_json())

    def finish(self, stage: str, name: str, outcome: Outcome) -> None:
        """Mark a task as finished by writing its outcome to the marker file.

        Args:
            stage: Stage of the task: ``"split"``, ``"extract"`` or ``"count"``.
            name: Name of the task, which is unique in its stage.
            outcome: Outcome of the task, as `done` returns it.
        """
        write_json(self.root / self.marker(stage, name), outcome)

    def size(self, name: str) -> int:
        """Return the size of a file in the workspace.

        Args:
            name: Path of the file, relative to the workspace.

        Returns:
            The size in bytes, or -1 if the file does not exist.
        """
        try:
            return (self.root / name).stat().st_size
        except FileNotFoundError:
            return -1


@dataclass(frozen=True)
class Task:
    """A unit of work of a mining run, which a worker process executes.

    A task splits one input file, extracts definitions from one piece of a file, or counts the
    definitions of one bucket of acronyms.

    Attributes:
        stage: Stage of the task: ``"split"``, ``"extract"`` or ``"count"``.
        name: Name of the task, which is unique in its stage.
        key: Key that identifies the state of the task's input.
        size: Size of the input, in bytes. The largest tasks are run first.
        function: Function that does the work, writes the output files and returns the outcome. If
            it is called again, it must write the same bytes.
        arguments: Positional arguments of the function.
    """

    stage: str
    name: str
    key: str
    size: int
    function: Callable[..., Outcome]
    arguments: tuple[Any, ...]


class TaskError(GladisError):
    """Raised if a task of a mining run failed. The results of finished tasks are kept."""


def is_finished(workspace: Workspace, task: Task) -> bool:
    """Return whether a task of a mining run is finished, so that it need not be run again.

    Args:
        workspace: Output folder of the run.
        task: Task to check.

    Returns:
        True if the task was run on the present state of its input, and all its output files still
        exist.
    """
    outcome = workspace.outcome(task.stage, task.name, task.key)
    return outcome is not None and not workspace.lost(outcome)


def run_stage(workspace: Workspace, tasks: Sequence[Task], pool: Executor) -> list[Outcome]:
    """Run all tasks of a stage of a mining run, and show the progress.

    Tasks that an earlier run finished are skipped, unless their output files are missing. If a task
    fails, the others still run. Only a full disk or the death of a worker process stops the stage.

    Args:
        workspace: Output folder of the run.
        tasks: Tasks of the stage. They can run in any order. The largest are started first.
        pool: Executor whose workers run the tasks; see `executor`.

    Returns:
        The outcome of each task, in the order of `tasks`.

    Raises:
        TaskError: If a task failed. The message says what to do before running the command again.
    """
    outcomes: dict[str, Outcome] = {}
    waiting: list[Task] = []
    for task in tasks:
        outcome = workspace.outcome(task.stage, task.name, task.key)
        if outcome and (lost := workspace.lost(outcome)):
            again = f"Running {task.stage} {task.name} again. Missing files: {', '.join(lost)}."
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
            "A worker process died, most likely because memory ran out. "
            "Set fewer --workers or a smaller --piece-size"
        )
    elif _disk_full(error):
        reason = f"The disk is full: {workspace.root} cannot be written ({error}). Free some space"
    else:
        reason = (
            f"{len(failures)} tasks failed. The last one is {task.stage} {task.name}: "
            f"{type(error).__name__}: {str(error).rstrip('.')}. Fix the cause"
        )
    return f"{reason}, then run the same command again. All finished work is kept."


@contextmanager
def executor(workers: int, scheduler: str | None = None) -> Iterator[Executor]:
    """Start the workers of a mining run, as local processes or on a Dask cluster.

    They are stopped at the end of the ``with`` statement. Local workers also stop if the main
    process is killed.

    Args:
        workers: Number of local processes. Ignored if there is a scheduler.
        scheduler: Address of a Dask scheduler, such as ``"tcp://HOST:PORT"``. None starts local
            processes.

    Yields:
        An executor that runs functions on the workers.

    Raises:
        GladisError: If no scheduler responds at the address.
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
    """Stop this worker process if its parent dies. It would otherwise wait for work forever."""
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel
        Thread(target=lambda: (connection.wait([sentinel]), os._exit(1)), daemon=True).start()
