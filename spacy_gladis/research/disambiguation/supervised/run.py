"""Systems that learn from labelled samples: splits, runs, scores and costs."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from ....dictionary import Dictionary
from ....errors import GladisError, InputError
from ....metrics.disambiguation import encode_classes, score_classes
from ...datasets.files import write_answers
from ...datasets.sample import Sample
from ...linking.run import resident_memory
from ...report.tables import Columns, Table
from ..gladis.run import as_records, ask, describe, intervals
from ..gladis.sets import Counts, EvaluationSet, named, read_sets, with_counts
from ..systems.registry import SYSTEMS, Resources, find_systems


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
        system = SYSTEMS[task.system](task.resources)
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
    """Bytes of memory that this process held at its largest; where only Linux tells, holds now."""
    status = Path("/proc/self/status")
    if status.is_file():
        peak = re.search(r"VmHWM:\s*(\d+) kB", status.read_text("utf8"))
        if peak:
            return int(peak[1]) * 1024
    return resident_memory()


SHARES = (0.8, 0.1, 0.1)
"""Of the rows, for training, development and test (Pouran Ben Veyseh et al. 2020, section 5.2)."""

SETTINGS: dict[str, Callable[[Sample], str]] = {
    "closed": lambda sample: sample.text,
    "unseen": lambda sample: sample.acronym,
}
"""What rows must share to stay together: closed, their sentence; unseen, their acronym."""


class Split(NamedTuple):
    """Row numbers, each in ascending order."""

    train: list[int]
    development: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide the samples 80:10:10; what must stay together is drawn in a seeded random order.

    Raises InputError where a part would be empty.
    """
    groups: dict[str, list[int]] = {}
    for row, sample in enumerate(samples):
        groups.setdefault(SETTINGS[setting](sample), []).append(row)
    names = list(groups)
    parts: list[list[int]] = [[], [], []]
    wanted = [share * len(samples) for share in SHARES]
    for index in np.random.default_rng(seed).permutation(len(names)).tolist():
        rows = groups[names[index]]
        # To the part that lacks most of its share: no part is overrun by one large group.
        lacking = [(want - len(part)) / want for want, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += rows
    if not all(parts):
        raise InputError(
            f"{len(samples)} samples of {len(groups)} different "
            f"{'sentences' if setting == 'closed' else 'acronyms'} cannot be divided into "
            "training, development and test: give a larger set."
        )
    return Split(*map(sorted, parts))


def at_most(samples: Sequence[Sample], each: int, seed: int = 0) -> list[Sample]:
    """A random choice of at most `each` samples of every long form of an acronym, in their order.

    With 17 it makes UAD_small of UAD (Pouran Ben Veyseh et al. 2020, section 5.2). A smaller
    choice is part of a larger one of the same seed.
    """
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for row in np.random.default_rng(seed).permutation(len(samples)).tolist():
        pair = samples[row].acronym, samples[row].long_form
        if taken[pair] < each:
            taken[pair] += 1
            chosen.append(row)
    return [samples[row] for row in sorted(chosen)]


Results = dict[str, Any]
KEY = ("set", "setting", "per_long_form", "system")
"""What tells runs apart."""
Measure = Callable[[Task], dict[str, Any]]


@dataclass(frozen=True)
class Plan:
    """What to measure.

    systems, settings: by name. per_long_form: training samples of a long form at most, one run
    for each number; 0 takes all. counts: whose counts the candidates carry. seed: of the splits and
    the systems. resamples: of the bootstrap, 0 for no intervals.
    """

    systems: Sequence[str]
    settings: Sequence[str] = tuple(SETTINGS)
    per_long_form: Sequence[int] = (0,)
    counts: Counts = "dictionary"
    seed: int = 0
    resamples: int = 1000


def evaluate(
    paths: Sequence[Path],
    plan: Plan,
    dictionary: Dictionary,
    resources: Resources,
    *,
    only: Collection[str] = (),
    known: Any = None,
    measure: Measure = measure_apart,
    progress: Callable[[str], None] = lambda _: None,
    keep: Callable[[Results], None] = lambda _: None,
    predictions: Path | None = None,
) -> Results:
    """Train and test every system on every set; the JSON of a results file.

    paths: sets, or folders of sets. only: sets whose name contains one of these. known: results
    whose runs are taken over instead of measured again. progress is told what runs, keep is given
    the results after each run. predictions: a folder for the answers and the samples of both parts;
    a system that fails leaves none.
    Raises InputError before anything runs when a system is unknown or lacks something, or when no
    set has such a name, or `known` is of another plan.
    """
    systems, left_out = find_systems(plan.systems, resources)
    header = {"counts": plan.counts, "dictionary": dictionary.fingerprint, "seed": plan.seed}
    results: Results = {**header, "sets": {}, "left_out": left_out, "runs": []}
    if known is not None:
        if not isinstance(known, dict) or {name: known.get(name) for name in header} != header:
            raise InputError(
                f"The results to go on with are of another evaluation than one with {header}: give "
                "another output."
            )
        results |= {"sets": dict(known["sets"]), "runs": list(known["runs"])}
    done = [[run.get(name) for name in KEY] for run in results["runs"]]
    for one in wanted_sets(paths, only):
        asked = with_counts(one, plan.counts, dictionary)
        own = replace(resources, table=asked.table, seed=plan.seed)
        about = results["sets"].setdefault(one.name, {"set": describe(one), "splits": {}})
        for setting, each in product(plan.settings, plan.per_long_form):
            rows = split(asked.samples, setting, plan.seed)
            about["splits"][setting] = {name: len(part) for name, part in rows._asdict().items()}
            for system in systems:
                key = [one.name, setting, each or None, system]
                if key in done:
                    continue
                progress(f"{one.name}, {setting}, {each or 'all'} a long form: {system}")
                task = _task(asked, rows, each, system, own, plan)
                found = measure(task)
                if answers := found.pop("answers", None):
                    name = f"{one.name} {setting} {each or ''}"
                    learnt = [*task.train, *task.development]
                    for part, samples in (("train", learnt), ("test", task.test.samples)):
                        write_answers(predictions, name, part, (row._asdict() for row in samples))
                    write_answers(predictions, name, system, answers)
                run = dict(zip(KEY, key, strict=True))
                results["runs"].append({**run, "train_rows": len(task.train), **found})
                keep(results)
    return results


def wanted_sets(paths: Sequence[Path], only: Collection[str]) -> list[EvaluationSet]:
    """The sets at the paths whose name contains one of `only`; all for an empty one.

    Raises InputError where there is none, FormatError for a broken one.
    """
    wanted = named([one for path in paths for one in read_sets(path)], only)
    if len({one.name for one in wanted}) < len(wanted):
        raise InputError("Two of the sets have one name: give them in separate commands.")
    return wanted


def _task(
    asked: EvaluationSet, rows: Split, each: int, system: str, resources: Resources, plan: Plan
) -> Task:
    train, development = (
        # A sample without a mention teaches nothing.
        [asked.samples[row] for row in part if asked.samples[row].start < asked.samples[row].end]
        for part in (rows.train, rows.development)
    )
    return Task(
        system,
        resources,
        at_most(train, each, plan.seed) if each else train,
        development,
        asked.take(rows.test),
        plan.resamples,
    )


SCORES: Columns = {
    "accuracy": "scores.accuracy",
    "F1 (GLADIS)": "scores.gladis_macro_f1",
    "P (SDU)": "scores.sdu_macro_precision",
    "R (SDU)": "scores.sdu_macro_recall",
    "F1 (SDU)": "scores.sdu_macro_f1",
    "F1 (sklearn)": "scores.sklearn_macro_f1",
    "train s": lambda run: f"{run['train_cpu_seconds']:,.1f}",
    "ms a row": lambda run: f"{run['test_cpu_milliseconds_per_row']:,.2f}",
    "MB": "peak_memory_megabytes",
}


def tables(results: Results) -> Iterator[Table]:
    """A table for each set, setting and number of training samples; then the curves."""
    for name, found in results["sets"].items():
        for setting, rows in found["splits"].items():
            runs = [
                run
                for run in results["runs"]
                if (run["set"], run["setting"]) == (name, setting) and "scores" in run
            ]
            # All of them (None) last.
            sizes = sorted({run["per_long_form"] for run in runs}, key=lambda one: one or 10**9)
            titles = {one: f"at most {one}" if one else "all" for one in sizes}
            for each, limit in titles.items():
                chosen = [run for run in runs if run["per_long_form"] == each]
                title = (
                    f"{name}, {setting}: {chosen[0]['train_rows']:,} training rows ({limit} of a "
                    f"long form), {rows['test']:,} test rows"
                )
                systems = ((run["system"], run) for run in chosen)
                yield Table.of(title, ("system",), SCORES, systems)
            if len(sizes) > 1:
                curves: dict[str, dict[str, float]] = {}
                for run in runs:
                    curve = curves.setdefault(run["system"], {})
                    curve[titles[run["per_long_form"]]] = run["scores"]["accuracy"]
                title = f"{name}, {setting}: accuracy by training samples of a long form"
                columns: Columns = {one: one for one in titles.values()}
                yield Table.of(title, ("system",), columns, curves.items())
