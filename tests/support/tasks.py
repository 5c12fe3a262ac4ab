"""Running systems of a task on invented data."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from spacy_gladis.research.tasks.catalog import find_task
from spacy_gladis.research.tasks.results import Result, ResultsFile
from spacy_gladis.research.tasks.runner import Chosen, Plan, run_plan


def make(task: str, name: str, **settings: Any) -> Any:
    """A system of a task, with settings as options of its command."""
    entry = find_task(task).systems.entries[name]
    return entry.system(**entry.settings(settings))


def run(
    task: str,
    paths: Sequence[Path],
    systems: Iterable[str],
    settings: Mapping[str, Any] | None = None,
    *,
    output: Path | None = None,
    reader: Mapping[str, Any] | None = None,
    **plan: Any,
) -> dict[str, Result]:
    """The results of systems on data, by "data: system"; a failure is raised as an error."""
    chosen_task = find_task(task)
    chosen = [
        Chosen(entry, entry.settings(settings or {}))
        for entry, _ in chosen_task.systems.select(systems).values()
    ]
    chosen_plan = Plan(chosen, **{"resamples": 0, **plan})
    results, failures = run_plan(
        chosen_task, chosen_task.reader(**(reader or {})), paths, chosen_plan, ResultsFile(output)
    )
    assert not failures, failures
    return {f"{result.data}: {result.system}": result for result in results}


def values(result: Result) -> dict[str, Any]:
    """The scores of a result without their intervals."""
    return {name: metric.value for name, metric in result.metrics.items()}
