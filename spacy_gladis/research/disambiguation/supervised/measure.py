"""One system trained and tested on one split: what it answers and what it costs."""

import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from ....errors import GladisError
from ....metrics.disambiguation import encode_classes, score_classes
from ...datasets.sample import Sample
from ..gladis.answers import as_records, ask
from ..gladis.results import intervals
from ..gladis.sets import EvaluationSet
from ..systems.registry import Resources, make

BYTES = 1 if sys.platform == "darwin" else 1024
"""Unit of `ru_maxrss`."""


@dataclass(frozen=True)
class Task:
    """A system's name, what it is made with, and the rows it learns from and is asked."""

    system: str
    resources: Resources
    train: list[Sample]
    development: list[Sample]
    test: EvaluationSet
    resamples: int = 1000


def measure(task: Task) -> dict[str, Any]:
    """Scores, costs and answers of a system, or the `error` it ended with; JSON types.

    CPU seconds, not wall-clock ones: they do not depend on what else the machine does.
    """
    try:
        begin = process_time()
        system = make(task.system, task.resources)
        system.fit(task.train, task.development)
        fitted = process_time()
        answers = ask(task.test, system.predict)
        answered = process_time()
    except GladisError as error:
        return {"error": str(error)}
    codes = encode_classes([one.long_form for one in task.test.samples], answers.predicted)
    rows = len(task.test.samples)
    return {
        "scores": asdict(score_classes(codes)),
        "intervals": intervals(codes, rows, task.resamples),
        "train_cpu_seconds": round(fitted - begin, 2),
        "test_cpu_milliseconds_per_row": round(1000 * (answered - fitted) / rows, 3),
        "peak_memory_megabytes": round(peak_memory() / 1e6),
        "answers": list(as_records(answers)),
    }


def measure_apart(task: Task) -> dict[str, Any]:
    """`measure` in a process of its own, so that memory and time are this system's alone."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        try:
            return executor.submit(measure, task).result()
        except BrokenProcessPool:
            return {"error": "its process was ended from outside, perhaps out of memory"}


def peak_memory() -> int:
    """Bytes of memory that this process held at its largest."""
    status = Path("/proc/self/status")
    if status.is_file():
        # On Linux ru_maxrss is inherited from the process that started this one.
        for line in status.read_text("utf8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES
