"""Data sets for target sense verification: WiC-TSV's three tasks."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from ....errors import InputError
from ...datasets.split import split_rows
from ...datasets.wic_tsv import Question, TargetSense, labels_of, read_splits
from ..task import DataSet, Details, Reader

TASKS = {1: "definition", 2: "hypernyms", 3: "definition and hypernyms"}
HELD_OUT = 5
"""Without a development set, one in so many target words of the training set is held out."""


class Training(NamedTuple):
    """What systems learn from.

    Attributes:
        senses: Target senses, with what the task shows of them.
        labels: Whether the target has the sense.
        texts: The contexts and whole senses of the training set, for vectors of words.
    """

    senses: Sequence[TargetSense]
    labels: Sequence[bool]
    texts: Sequence[str]


class Gold(NamedTuple):
    """The answers, None where they are not published; the domains, None where there is none."""

    labels: Sequence[bool | None]
    domains: Sequence[str | None]


VerificationData = DataSet[Training, TargetSense, Gold]


@dataclass
class WiCTSV(Reader[Training, TargetSense, Gold]):
    """Reads the folder of one language: Training, Development, Test.

    Attributes:
        task: What of a sense is shown: 1 its definition, 2 its hypernyms, 3 both.
        share: Shares of the target words to train on besides all of them: a learning curve.
        test: Whether the test set is answered though its labels are not published.
    """

    task: Annotated[
        tuple[int, ...],
        typer.Option(help="1: definition, 2: hypernyms, 3: both (repeatable). Default: all."),
    ] = tuple(TASKS)
    share: Annotated[
        tuple[float, ...],
        typer.Option(help="Also train on this share of the targets (repeatable): a curve."),
    ] = ()
    test: Annotated[
        bool, typer.Option("--test", help="Answer the test set, too: with --predictions.")
    ] = False

    def read(self, paths: Sequence[Path]) -> Iterator[VerificationData]:
        """Read each folder; a data set is a part of it, for each task."""
        if unknown := [task for task in self.task if task not in TASKS]:
            raise InputError(f"There is no task {unknown[0]}: 1 definition, 2 hypernyms, 3 both.")
        if wrong := [share for share in self.share if not 0 < share < 1]:
            raise InputError(f"Shares of the targets must be between 0 and 1, got {wrong[0]}.")
        for path in paths:
            splits = with_development(read_splits(path))
            labels_of(splits["dev"], "development")
            labels_of(splits["train"], "training")
            asked = ["dev"]
            if "test" in splits and (self.test or splits["test"][0].label is not None):
                asked.append("test")
            for task in self.task:
                for share in (*self.share, 1.0):
                    training = _training(splits["train"], share, task)
                    limit = "" if share == 1 else f", {share:.0%} of the targets"
                    for part in asked:
                        name = f"{path.name} task {task} {part}{limit}"
                        yield _data(name, training, splits[part], task)


def _training(questions: Sequence[Question], share: float, task: int) -> Training:
    texts = [text for one in questions for text in (one.sense.mention.text, one.sense.sense)]
    chosen = questions if share == 1 else part_of(questions, share)
    return Training(for_task(chosen, task), labels_of(chosen, "training"), texts)


def _data(
    name: str, training: Training, questions: Sequence[Question], task: int
) -> VerificationData:
    gold = Gold([one.label for one in questions], [one.domain for one in questions])
    details: Details = {
        "shown": TASKS[task],
        "items": len(questions),
        "targets": len({one.word for one in questions}),
        "true": None if None in gold.labels else sum(map(bool, gold.labels)),
        "without hypernyms": sum(not one.sense.hypernyms for one in questions),
        "training items": len(training.senses),
    }
    texts = [one.sense.mention.text for one in questions]
    train_texts = [one.mention.text for one in training.senses]
    return DataSet(name, training, for_task(questions, task), gold, details, texts, train_texts)


def with_development(splits: Mapping[str, Sequence[Question]]) -> dict[str, Sequence[Question]]:
    """Return the splits; without `dev`, a fifth of the training targets becomes it."""
    if "dev" in splits:
        return dict(splits)
    train = splits["train"]
    parts = split_rows([one.word for one in train], [HELD_OUT - 1, 1])
    chosen = ([train[row] for row in rows] for rows in parts)
    return {**splits, **dict(zip(("train", "dev"), chosen, strict=True))}


def for_task(questions: Iterable[Question], task: int) -> list[TargetSense]:
    """Return the target senses with what the task shows of them."""
    hidden: dict[int, dict[str, Any]] = {1: {"hypernyms": ()}, 2: {"definition": ""}, 3: {}}
    return [one.sense._replace(**hidden[task]) for one in questions]


def part_of(train: Sequence[Question], share: float) -> list[Question]:
    """Return the items of a share of the target words; a smaller share's are among a larger's."""
    words = sorted({one.word for one in train})
    random.Random(0).shuffle(words)
    chosen = set(words[: max(1, round(share * len(words)))])
    return [one for one in train if one.word in chosen]
