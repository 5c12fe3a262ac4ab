"""Runs the systems of an evaluation on its data sets, and saves the result of each run at once."""

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
"""Packages whose versions are recorded in each result, if they are installed."""


class Failure(NamedTuple):
    """A run of a system on a data set that failed with an error.

    Attributes:
        data: Name of the data set.
        system: Name of the system.
        reason: Message of the error, or its type if it has no message.
        expected: Whether the failure can be ignored. It can if the system raised one of this
            package's own errors and the user did not select it by its full name, but by "all" or by
            the beginning of its name.
    """

    data: str
    system: str
    reason: str
    expected: bool


class Chosen(NamedTuple):
    """A system that the user selected for an evaluation, with its settings.

    Attributes:
        entry: Entry of the system in its registry.
        settings: Keyword arguments for the system's class, without the seed.
        by_name: Whether the user selected the system by its full name, rather than by "all" or by
            the beginning of its name.
    """

    entry: Entry[Any]
    settings: Mapping[str, Any]
    by_name: bool = True


@dataclass(frozen=True)
class Plan:
    """The systems to evaluate, the seeds to run them with, and the options of the evaluation.

    Attributes:
        systems: The systems to run, in this order.
        only: Strings that select data sets. A data set is used if its name contains one of them.
            Empty to use all data sets.
        seeds: Random seeds. A system or reader that has a seed is run with each of them, all
            others only with the first one.
        resamples: Number of bootstrap resamples for the confidence intervals. 0 computes no
            intervals.
        predictions: Folder to which the answers of every run are written. None writes no answers.
        by_similarity: Whether to compute scores on groups of rows that differ in their similarity
            to the training texts.
        similar_to: Training texts for this comparison. None for those of each data set.
        command: Command line to record in the results.
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
        """Return how similar each test text of a data set is to the training texts.

        The similarities of a data set are computed once and cached under its name.

        Args:
            data: The data set with the test texts.

        Returns:
            A mapping from "unigrams", "bigrams" and "trigrams" to similarities in 0..1, float64
            [texts].

        Raises:
            InputError: If there are no test texts or no training texts.
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
    """Run every system of an evaluation plan on every data set.

    A run that already has a result in `results` is not repeated. If a run fails, the remaining runs
    still take place.

    Args:
        task: The evaluation task, whose metric scores the answers.
        reader: Reader of the task's data sets, with its settings.
        paths: Files and folders that contain the data sets.
        plan: Systems, seeds and options of the evaluation.
        results: Results file with the results of earlier runs. Each new result is added to it as
            soon as it exists.
        say: Function that is called with a progress message before each run.

    Returns:
        The results of all runs of the plan, whether old or new, and the runs that failed.

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
    """Data sets that share a training part, the seeds, and whether the reader has a seed."""

    sets: list[DataSet[Any, Any, Any]]
    seeds: Sequence[int]
    reseeded: bool

    def seeds_of(self, entry: Entry[Any]) -> Sequence[int]:
        """Return the random seeds to run a system with, which may be only the first one."""
        return self.seeds if entry.seeded or self.reseeded else self.seeds[:1]


def _batches(reader: Reader[Any, Any, Any], paths: Sequence[Path], plan: Plan) -> Iterator[_Batch]:
    """Yield the data sets that the plan selects. Consecutive sets with one training part join."""
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
    """A system with one seed, which is fitted when it is first used and then reused."""

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
        """Return the description of this system's run on a data set, with hashes of all inputs."""
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
        """Fit the system unless it is fitted, and return the CPU seconds that fitting took."""
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
    """Fit a system, let it answer the questions of a data set, and score its answers."""
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
    """Return the settings of a system in a form that can be written as JSON.

    Args:
        system: The system, which is a dataclass.

    Returns:
        A mapping from the name of each setting to its value, without the seed. Paths are strings,
        and tuples are lists.
    """
    chosen = {item.name: getattr(system, item.name) for item in fields(system) if item.init}  # type: ignore[arg-type]
    return {name: _as_json(value) for name, value in chosen.items() if name != SEED}


def hash_inputs(settings: Any) -> dict[str, str]:
    """Compute the hashes of the files and folders that the settings of a reader or system name.

    With these hashes, a run is repeated if one of its input files has changed.

    Args:
        settings: A reader or system, which is a dataclass.

    Returns:
        A mapping from names of fields to hexadecimal MD5 hashes. It contains the fields whose value
        is the path of an existing file or folder.
    """
    values = {item.name: getattr(settings, item.name) for item in fields(settings) if item.init}
    paths = {
        name: Path(value)
        for name, value in values.items()
        if isinstance(value, str | Path) and value
    }
    return {name: hash_files([path]) for name, path in paths.items() if path.exists()}


def hash_files(paths: Iterable[Path]) -> str:
    """Compute a single hash of the contents of several files and folders.

    The hash covers all files in the folders and their subfolders. Their number and order matter,
    but their names don't affect it otherwise.

    Args:
        paths: Files and folders to hash, in this order.

    Returns:
        The MD5 hash in hexadecimal digits.
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
    """Compute the MD5 hash of a file. It is cached until the size or modification time changes."""
    return md5_of(path)


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that affect evaluation results.

    Returns:
        A mapping from "python" and the names of the installed `PACKAGES` to their versions.
    """
    installed = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            installed[package] = version(package)
    return installed


STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget_peak_memory() -> None:
    """Reset the record of this process's peak memory, so that the next run is measured alone.

    This works only on Linux. On other operating systems, the function does nothing.
    """
    if sys.platform == "linux":
        CLEAR.write_text("5")


def peak_memory() -> int | None:
    """Return the peak memory of this process since it was last reset.

    Returns:
        The peak in megabytes. None on operating systems other than Linux.
    """
    peak = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text()) if STATUS.is_file() else None
    return round(int(peak[1]) / 1000) if peak else None
