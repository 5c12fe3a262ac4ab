"""Systems on the tasks of WiC-TSV, their means over seeds, and the tables."""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...arrays import Doubles
from ...errors import InputError
from ...files import write_text
from ..datasets.split import split_rows
from ..datasets.wic_tsv import Question, TargetSense, labels_of
from ..metrics.scores import score_verification
from ..report.tables import Columns, Table
from .registry import FINE_TUNED, MEAN, SEEDED, Make

TASKS = {1: "definition", 2: "hypernyms", 3: "definition and hypernyms"}
METRICS = ("accuracy", "precision", "recall", "f1")
HELD_OUT = 5
"""Without a development set, one in so many target words of the training set is held out."""

Splits = Mapping[str, Sequence[Question]]
Progress = Callable[[str], None]


class Run(NamedTuple):
    """One system, trained once: what a result is kept under. share: of the training targets."""

    task: int
    system: str
    seed: int
    share: float

    def __str__(self) -> str:
        part = "" if self.share == 1 else f", {self.share:.0%} of the training set"
        return f"task {self.task}, {self.system}, seed {self.seed}{part}"


def evaluate(
    splits: Splits,
    systems: Mapping[str, Make],
    *,
    tasks: Sequence[int] = (1, 2, 3),
    seeds: Sequence[int] = (0, 1, 2),
    curve: Sequence[float] = (),
    mean: bool = False,
    work: Path | None = None,
    settings: str = "",
    progress: Progress = lambda _: None,
) -> tuple[dict[str, Any], dict[str, Doubles]]:
    """Train every system for every task and seed; returns results as JSON, and the probabilities
    by "task-system" for the test items, by "dev-task-system" for the development set.

    curve: shares of the training targets to train on besides all of them. mean: add the mean of
    the fine-tuned systems. work: a folder that keeps every run's answers, so that an interrupted
    evaluation goes on; `settings` tells those of other settings apart. progress: is told each run.
    """
    if unknown := [task for task in tasks if task not in TASKS]:
        raise InputError(f"There is no task {unknown[0]}: 1 definition, 2 hypernyms, 3 both.")
    if wrong := [share for share in curve if not 0 < share < 1]:
        raise InputError(f"Shares of the targets must be between 0 and 1, got {wrong[0]}.")
    splits = with_development(splits)
    gold = labels_of(splits["dev"], "development")
    labels_of(splits["train"], "training")
    results: dict[str, Any] = {
        "sets": {name: describe(questions) for name, questions in splits.items()},
        "tasks": {},
        "learning_curve": {},
    }
    kept: dict[str, Doubles] = {}
    for task in tasks:
        found: dict[Run, dict[str, Doubles]] = {}
        for run in _runs(task, systems, seeds, curve):
            progress(str(run))
            found[run] = _answer(run, systems[run.system], splits, work, settings)
        if mean:
            found |= _means(found)
        results["tasks"][str(task)] = _by_system(found, splits["dev"], gold)
        results["learning_curve"][str(task)] = _curve(found, gold) if curve else {}
        for name in results["tasks"][str(task)]:
            whole = [found[run] for run in found if (run.system, run.share) == (name, 1)]
            for part, prefix in (("dev", "dev-"), ("test", "")):
                if part in splits:
                    means = np.mean([one[part] for one in whole], axis=0)
                    kept[f"{prefix}task{task}-{name}"] = means
    return results, kept


def _runs(
    task: int, systems: Iterable[str], seeds: Sequence[int], curve: Sequence[float]
) -> Iterator[Run]:
    """Every seed and share of the systems that learn by chance; the others once."""
    for name in systems:
        by_chance = name in SEEDED
        for seed in seeds if by_chance else seeds[:1]:
            for share in (*curve, 1.0) if by_chance else (1.0,):
                yield Run(task, name, seed, share)


def with_development(splits: Splits) -> dict[str, Sequence[Question]]:
    """The splits; without `dev`, a fifth of the training targets becomes it."""
    if "dev" in splits:
        return dict(splits)
    train = splits["train"]
    parts = split_rows([one.word for one in train], [HELD_OUT - 1, 1])
    chosen = ([train[row] for row in rows] for rows in parts)
    return {**splits, **dict(zip(("train", "dev"), chosen, strict=True))}


def for_task(questions: Iterable[Question], task: int) -> list[TargetSense]:
    """The target senses with what the task shows of them: definition, hypernyms or both."""
    hidden: dict[int, dict[str, Any]] = {1: {"hypernyms": ()}, 2: {"definition": ""}, 3: {}}
    return [one.sense._replace(**hidden[task]) for one in questions]


def describe(questions: Sequence[Question]) -> dict[str, Any]:
    """Sizes of a split."""
    labels = [one.label for one in questions if one.label is not None]
    return {
        "items": len(questions),
        "targets": len({one.word for one in questions}),
        "true": sum(labels) if labels else None,
        "without_hypernyms": sum(not one.sense.hypernyms for one in questions),
    }


def write_predictions(folder: Path, probabilities: Mapping[str, Doubles]) -> None:
    """Write `task1-SYSTEM.txt` and so on: T or F a line, in the order of the items."""
    for name, values in probabilities.items():
        answers = ("T\n" if value >= 0.5 else "F\n" for value in values)
        write_text(folder / f"{name}.txt", "".join(answers))


def _answer(
    run: Run, make: Make, splits: Splits, work: Path | None, settings: str
) -> dict[str, Doubles]:
    """The probabilities of the development and the test items."""
    sizes = [len(questions) for questions in splits.values()]
    key = sha256(f"{run!r} {sizes} {settings}".encode()).hexdigest()[:12]
    path = work / f"task{run.task}-{run.system}-seed{run.seed}-{key}.json" if work else None
    if path and path.is_file():
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {name: np.array(values) for name, values in stored.items()}
    train = _part(splits["train"], run.share, run.seed)
    verifier = make()
    verifier.fit(for_task(train, run.task), labels_of(train, "training"), run.seed)
    asked = [name for name in ("dev", "test") if name in splits]
    answers = {name: verifier.predict(for_task(splits[name], run.task)) for name in asked}
    if path:
        lists = {name: values.round(6).tolist() for name, values in answers.items()}
        write_text(path, json.dumps(lists) + "\n")
    return answers


def _part(train: Sequence[Question], share: float, seed: int) -> list[Question]:
    """The items of a share of the target words; a smaller share's are among a larger one's."""
    words = sorted({one.word for one in train})
    random.Random(seed).shuffle(words)
    chosen = set(words[: max(1, round(share * len(words)))])
    return [one for one in train if one.word in chosen]


def _means(found: Mapping[Run, dict[str, Doubles]]) -> dict[Run, dict[str, Doubles]]:
    groups: dict[Run, list[dict[str, Doubles]]] = {}
    for run, answers in found.items():
        if run.system in FINE_TUNED:
            groups.setdefault(run._replace(system=MEAN), []).append(answers)
    return {
        run: {name: np.mean([one[name] for one in answers], axis=0) for name in answers[0]}
        for run, answers in groups.items()
        if len(answers) > 1
    }


def _by_system(
    found: Mapping[Run, dict[str, Doubles]], questions: Sequence[Question], gold: Sequence[bool]
) -> dict[str, Any]:
    """The scores of each system's seeds, their means, and those of each domain."""
    rows_of: dict[str, list[int]] = {}
    for row, question in enumerate(questions):
        if question.domain:
            rows_of.setdefault(question.domain, []).append(row)
    systems: dict[str, Any] = {}
    for name in dict.fromkeys(run.system for run in found):
        whole = [run for run in found if (run.system, run.share) == (name, 1)]
        seeds = [{"seed": run.seed, **_scores(found[run]["dev"], gold)} for run in whole]
        domains = {
            domain: _mean(
                [_scores(found[run]["dev"][rows], [gold[row] for row in rows]) for run in whole]
            )
            for domain, rows in sorted(rows_of.items())
        }
        systems[name] = {"seeds": seeds, "domains": domains, "mean": _mean(seeds)}
    return systems


def _curve(found: Mapping[Run, dict[str, Doubles]], gold: Sequence[bool]) -> dict[str, Any]:
    """Mean scores by system and share of the training targets."""
    scores: dict[str, dict[str, list[dict[str, float]]]] = {}
    for run, answers in sorted(found.items()):
        if run.system in (*SEEDED, MEAN):
            by_share = scores.setdefault(run.system, {}).setdefault(f"{run.share:g}", [])
            by_share.append(_scores(answers["dev"], gold))
    return {
        system: {share: _mean(values) for share, values in by_share.items()}
        for system, by_share in scores.items()
    }


def _scores(probabilities: Doubles, gold: Sequence[bool]) -> dict[str, float]:
    return score_verification(gold, [bool(value >= 0.5) for value in probabilities])


def _mean(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric, and the standard deviation of the accuracy over the seeds."""
    means = {name: float(np.mean([one[name] for one in scores])) for name in METRICS}
    deviation = float(np.std([one["accuracy"] for one in scores]))
    return {**means, "accuracy_deviation": deviation, "seeds": len(scores)}


MEANS: Columns = {
    "accuracy": "accuracy",
    "± (seeds)": "accuracy_deviation",
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "seeds": "seeds",
}


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """A table for each task, one of domains and one learning curve where there is one."""
    for task, systems in results["tasks"].items():
        size = results["sets"]["dev"]["items"]
        title = f"Task {task}: {TASKS[int(task)]}; development set, {size:,} items"
        means = ((name, one["mean"]) for name, one in systems.items())
        yield Table.of(title, ("system",), MEANS, means)
        domains = [
            (name, *domain) for name, one in systems.items() for domain in one["domains"].items()
        ]
        if domains:
            yield Table.of(f"Task {task} by domain", ("system", "domain"), MEANS, domains)
        if curve := results["learning_curve"].get(task):
            shares = sorted({float(share) for by_share in curve.values() for share in by_share})
            columns: Columns = {f"{100 * one:g} %": _at(f"{one:g}") for one in shares}
            title = f"Task {task}: accuracy by size of the training set"
            yield Table.of(title, ("share of the training targets",), columns, curve.items())


def _at(share: str) -> Callable[[Mapping[str, Any]], float | None]:
    """The accuracy in a curve at a share, which may hold a dot."""
    return lambda by_share: by_share.get(share, {}).get("accuracy")
