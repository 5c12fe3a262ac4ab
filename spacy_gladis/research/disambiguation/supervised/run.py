"""Every system on every set, in the settings asked for."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ....dictionary import Dictionary
from ....errors import InputError, check_names
from ..gladis.priors import Counts, with_counts
from ..gladis.results import describe
from ..gladis.sets import EvaluationSet, find_sets, named
from ..systems.registry import Resources, find_systems
from .measure import Task, measure_apart
from .published import PUBLISHED
from .splits import SETTINGS, Split, at_most, split

Results = dict[str, Any]
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

    def __post_init__(self) -> None:
        check_names("setting", self.settings, SETTINGS)
        if min(self.per_long_form, default=0) < 0:
            raise InputError("Samples of a long form cannot be fewer than 0 (0: all).")


def evaluate(
    paths: Sequence[Path],
    plan: Plan,
    dictionary: Dictionary,
    resources: Resources,
    *,
    only: Collection[str] = (),
    known: Results | None = None,
    measure: Measure = measure_apart,
    progress: Callable[[str], None] = lambda _: None,
    keep: Callable[[Results], None] = lambda _: None,
) -> Results:
    """Train and test every system on every set; the JSON of a results file.

    paths: sets, or folders of sets. only: sets whose name contains one of these. known: results
    whose runs are taken over instead of measured again. progress is told what runs, keep is given
    the results after each run. Raises InputError before anything runs when a system is unknown or
    lacks something, or when no set has such a name, or `known` is of another plan.
    """
    systems, left_out = find_systems(plan.systems, resources)
    header = {
        "counts": plan.counts,
        "dictionary": dictionary.fingerprint,
        "seed": plan.seed,
    }
    results: Results = {**header, "sets": {}, "left_out": left_out, "runs": []}
    if known:
        _check(known, header)
        results |= {"sets": dict(known["sets"]), "runs": list(known["runs"])}
    done = {_key(run) for run in results["runs"]}
    for one in wanted_sets(paths, only):
        asked = with_counts(one, plan.counts, dictionary)
        table = {s.acronym: c for s, c in zip(asked.samples, asked.candidates, strict=True)}
        for setting in plan.settings:
            rows = split(asked.samples, setting, plan.seed)
            _describe(results, one, setting, rows)
            for each in plan.per_long_form:
                for system in systems:
                    run = {"set": one.name, "setting": setting, "per_long_form": each or None}
                    run["system"] = system
                    if _key(run) in done:
                        continue
                    progress(f"{one.name}, {setting}, {each or 'all'} a long form: {system}")
                    task = _task(asked, rows, each, system, replace(resources, table=table), plan)
                    run["train_rows"] = len(task.train)
                    results["runs"].append({**run, **measure(task)})
                    keep(results)
    results["published"] = [asdict(one) for one in PUBLISHED]
    return results


def wanted_sets(paths: Sequence[Path], only: Collection[str]) -> list[EvaluationSet]:
    """The sets at the paths whose name contains one of `only`; all for an empty one.

    Raises InputError where there is none, FormatError for a broken one.
    """
    wanted = named([one for path in paths for one in find_sets(path)], only)
    if len({one.name for one in wanted}) < len(wanted):
        raise InputError("Two of the sets have one name: give them in separate commands.")
    return wanted


def _task(
    asked: EvaluationSet,
    rows: Split,
    each: int,
    system: str,
    resources: Resources,
    plan: Plan,
) -> Task:
    train, development = (
        # A sample without a mention teaches nothing.
        [asked.samples[row] for row in part if asked.samples[row].start < asked.samples[row].end]
        for part in (rows.train, rows.development)
    )
    return Task(
        system,
        replace(resources, seed=plan.seed),
        at_most(train, each, plan.seed) if each else train,
        development,
        asked.take(rows.test),
        plan.resamples,
    )


def _describe(results: Results, one: EvaluationSet, setting: str, rows: Split) -> None:
    about = results["sets"].setdefault(one.name, {"set": describe(one), "splits": {}})
    about["splits"][setting] = {name: len(part) for name, part in rows._asdict().items()}


def _key(run: Mapping[str, Any]) -> tuple[Any, ...]:
    return run["set"], run["setting"], run["per_long_form"], run["system"]


def _check(known: Results, header: Mapping[str, Any]) -> None:
    for name, value in header.items():
        if known.get(name) != value:
            raise InputError(
                f"The results to go on with have {name} {known.get(name)!r}, this run has "
                f"{value!r}: give another output."
            )
