"""Runs systems on data sets and saves each result as soon as it exists."""

import hashlib
import logging
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from ...arrays import Doubles
from ...errors import GladisError, InputError
from ..datasets.files import md5_of, write_answers
from ..metrics.scores import bootstrap_intervals
from .registry import SEED, Entry
from .results import Cost, Metric, Result, ResultsFile, Run
from .similarity import similarities, with_similarity
from .system import System
from .task import DataSet, Measured, Reader, Task

logger = logging.getLogger("spacy_gladis")

PACKAGES = ("spacy-gladis", "numpy", "spacy", "torch", "transformers", "scikit-learn", "gensim")
"""Packages whose versions are recorded in results if they are installed."""


class Failure(NamedTuple):
    """A run that failed.

    Attributes:
        data: The data set's name.
        system: The system's name.
        reason: The error message.
        expected: Whether the failure can be ignored: the system was selected only by "all" or by
            the beginning of its name, and raised one of the package's own errors.
    """

    data: str
    system: str
    reason: str
    expected: bool


class Chosen(NamedTuple):
    """A system that was selected to run, with its settings.

    Attributes:
        entry: The registered system.
        settings: Arguments for its class.
        by_name: Whether it was selected by its full name.
    """

    entry: Entry[Any]
    settings: Mapping[str, Any]
    by_name: bool = True


@dataclass(frozen=True)
class Plan:
    """The systems, seeds and options of an evaluation.

    Attributes:
        systems: The systems to run.
        only: Parts of names. Only data sets whose name contains one of them are used. Empty for
            all.
        seeds: Random seeds for the systems and readers that have one.
        resamples: Number of bootstrap resamples for the confidence intervals. 0 for no intervals.
        predictions: Folder to which the answers of every run are written.
        by_similarity: Whether to add scores grouped by similarity to the training texts.
        similar_to: Training texts to compare with. None for those of the data set itself.
        command: The command to record in the results.
    """

    systems: Sequence[Chosen]
    only: Sequence[str] = ()
    seeds: Sequence[int] = (0,)
    resamples: int = 1000
    predictions: Path | None = None
    by_similarity: bool = False
    similar_to: Sequence[str] | None = None
    command: str = ""
    _similarities: dict[str, dict[str, Doubles]] = field(default_factory=dict, repr=False)

    def similarities_of(self, data: DataSet[Any, Any, Any]) -> dict[str, Doubles]:
        """Return the similarities of a data set's texts to the training texts.

        They are computed at the first call and cached.

        Args:
            data: The data set to evaluate on.

        Returns:
            Similarities as returned by `similarities`.
        """
        if data.name not in self._similarities:
            compared = data.training_texts if self.similar_to is None else self.similar_to
            self._similarities[data.name] = similarities(data.texts, compared)
        return self._similarities[data.name]


def run_plan(
    task: Task[Any, Any, Any, Any],
    reader: Reader[Any, Any, Any],
    paths: Sequence[Path],
    plan: Plan,
    results: ResultsFile,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[Result], list[Failure]]:
    """Run every system of a plan on every data set.

    Runs with a result in `results` are not repeated. If a run fails, the other runs continue.

    Args:
        task: The task.
        reader: The task's reader, with its settings.
        paths: Files and folders with data sets.
        plan: Systems, seeds and options of the evaluation.
        results: File to which each result is added as soon as it exists.
        say: Called with a progress message before each run.

    Returns:
        The results of all runs of the plan, existing and new, and the failed runs.

    Raises:
        InputError: If no data set matches `plan.only`.
    """
    done: list[Result] = []
    failures: list[Failure] = []
    inputs = {"data": hash_files(paths), **hash_inputs(reader)}
    for batch in _batches(reader, paths, plan):
        for chosen in plan.systems:
            for seed in batch.seeds_of(chosen.entry):
                fitted: _Fitted | None = None
                for data in batch.sets:
                    name = chosen.entry.name
                    say(f"{data.name}: {name}" + (f", seed {seed}" if seed else ""))
                    try:
                        fitted = fitted or _Fitted(chosen, seed)
                        run = fitted.run_on(task, data, inputs)
                        result = results.find(run)
                        if result is None:
                            result = _run(task, data, fitted, run, plan)
                            results.add(result)
                        done.append(result)
                    except Exception as error:  # one system's error must not stop the others
                        planned = isinstance(error, GladisError)
                        if not planned:
                            logger.exception("%s on %s", name, data.name)
                        reason = str(error) or type(error).__name__
                        expected = planned and not chosen.by_name
                        failures.append(Failure(data.name, name, reason, expected))
    return done, failures


class _Batch(NamedTuple):
    """Data sets that share a training part, their seeds, and whether the reader has a seed."""

    sets: list[DataSet[Any, Any, Any]]
    seeds: Sequence[int]
    reseeded: bool

    def seeds_of(self, entry: Entry[Any]) -> Sequence[int]:
        """Return the seeds to run a system with."""
        return self.seeds if entry.seeded or self.reseeded else self.seeds[:1]


def _batches(reader: Reader[Any, Any, Any], paths: Sequence[Path], plan: Plan) -> Iterator[_Batch]:
    """Yield the selected data sets, grouped by consecutive sets that share a training part."""
    names: list[str] = []
    any_wanted = False
    reseeded = SEED in {item.name for item in fields(reader)}  # type: ignore[arg-type]
    for seeds in [[seed] for seed in plan.seeds] if reseeded else [plan.seeds]:
        read = replace(reader, seed=seeds[0]) if reseeded else reader  # type: ignore[type-var]
        for _, sets in groupby(read.read(paths), key=lambda data: id(data.training)):
            wanted = []
            for data in sets:
                names.append(data.name)
                if not plan.only or any(part in data.name for part in plan.only):
                    wanted.append(data)
            if wanted:
                any_wanted = True
                yield _Batch(wanted, seeds, reseeded)
    if not any_wanted:
        available = ", ".join(dict.fromkeys(names)) or "none"
        raise InputError(
            f"No data set has a name that contains {', '.join(plan.only)}. Available data sets: "
            f"{available}."
        )


class _Fitted:
    """A system with a seed, fitted on first use."""

    def __init__(self, chosen: Chosen, seed: int) -> None:
        self.name, self.seed = chosen.entry.name, seed
        seeded = {SEED: seed} if chosen.entry.seeded else {}
        self.system: System[Any, Any, Any] = chosen.entry.system(**chosen.settings, **seeded)
        self.seconds: float | None = None

    def run_on(
        self,
        task: Task[Any, Any, Any, Any],
        data: DataSet[Any, Any, Any],
        inputs: Mapping[str, str],
    ) -> Run:
        """Describe the run of this system on a data set that was read from `inputs`."""
        return Run(
            task=task.name,
            data=data.name,
            details=dict(data.details),
            system=self.name,
            settings=settings_of(self.system),
            seed=self.seed,
            inputs={**inputs, **hash_inputs(self.system)},
        )

    def fit(self, training: Any) -> float:
        """Fit the system, once, and return the CPU seconds that it took."""
        if self.seconds is None:
            began = process_time()
            self.system.fit(training)
            self.seconds = process_time() - began
        return self.seconds


def _run(
    task: Task[Any, Any, Any, Any],
    data: DataSet[Any, Any, Any],
    fitted: _Fitted,
    run: Run,
    plan: Plan,
) -> Result:
    """Fit a system, collect its answers and measure them."""
    forget_peak_memory()
    seconds = fitted.fit(data.training)
    began = process_time()
    answers = list(fitted.system.predict(data.questions))
    answered = process_time()
    memory = peak_memory()
    if len(answers) != len(data.questions):
        raise InputError(
            f"The system '{run.system}' gave {len(answers)} answers to {len(data.questions)} "
            "questions."
        )
    measured = task.measure(data, answers)
    if plan.by_similarity:
        measured = with_similarity(measured, plan.similarities_of(data))
    name = f"{run.system} {run.seed or ''}".strip()
    write_answers(plan.predictions, data.name, name, measured.answers)
    return Result(
        **run.model_dump(),
        metrics=_metrics(measured, plan.resamples),
        groups={name: dict(groups) for name, groups in measured.groups.items()},
        cost=Cost(
            questions=len(answers),
            fit_seconds=round(seconds, 2),
            predict_seconds=round(answered - began, 3),
            peak_megabytes=memory,
        ),
        command=plan.command,
        versions=versions(),
    )


def _metrics(measured: Measured, resamples: int) -> dict[str, Metric]:
    intervals = bootstrap_intervals(measured.statistic, measured.rows, resamples)
    metrics = {
        name: Metric(value=value, low=intervals[name].low, high=intervals[name].high)
        if name in intervals
        else Metric(value=value)
        for name, value in measured.statistic(np.arange(measured.rows)).items()
    }
    return metrics | {name: Metric(value=value) for name, value in measured.figures.items()}


def settings_of(system: System[Any, Any, Any]) -> dict[str, Any]:
    """Return a system's settings without its seed, as JSON types.

    Args:
        system: A dataclass.

    Returns:
        Settings by name.
    """
    chosen = {item.name: getattr(system, item.name) for item in fields(system) if item.init}  # type: ignore[arg-type]
    return {name: _as_json(value) for name, value in chosen.items() if name != SEED}


def hash_inputs(settings: Any) -> dict[str, str]:
    """Compute the hashes of the files and folders that are settings of a reader or system.

    Args:
        settings: A reader or system (a dataclass).

    Returns:
        A mapping from the fields that name existing paths to hexadecimal MD5 hashes.
    """
    values = {item.name: getattr(settings, item.name) for item in fields(settings) if item.init}
    paths = {
        name: Path(value)
        for name, value in values.items()
        if isinstance(value, str | Path) and value
    }
    return {name: hash_files([path]) for name, path in paths.items() if path.exists()}


def hash_files(paths: Iterable[Path]) -> str:
    """Compute one hash of the contents of files, including all files in folders.

    Args:
        paths: Files and folders. Their names don't affect the hash.

    Returns:
        The hexadecimal MD5 hash.
    """
    digest = hashlib.md5(usedforsecurity=False)
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                stat = file.stat()
                digest.update(_hash_file(file, stat.st_size, stat.st_mtime_ns).encode())
    return digest.hexdigest()


@cache
def _hash_file(path: Path, size: int, modified: int) -> str:
    """Compute the hash of a file, cached until its size or modification time changes."""
    return md5_of(path)


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def versions() -> dict[str, str]:
    """Return the versions of Python and of the installed packages that results depend on.

    Returns:
        Versions by name.
    """
    installed = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            installed[package] = version(package)
    return installed


STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget_peak_memory() -> None:
    """Reset the peak memory of this process. Only works on Linux."""
    if sys.platform == "linux":
        CLEAR.write_text("5")


def peak_memory() -> int | None:
    """Return the peak memory of this process.

    Returns:
        Megabytes, or None on other systems than Linux.
    """
    peak = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text()) if STATUS.is_file() else None
    return round(int(peak[1]) / 1000) if peak else None
