"""Data sets for target sense verification, the three subtasks of WiC-TSV."""

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

SHOWN_BY_SUBTASK = {1: "definition", 2: "hypernyms", 3: "definition and hypernyms"}
"""Descriptions of the sense that systems can see in each subtask of WiC-TSV."""

HELD_OUT = 5
"""If there is no development set, one in five target words of the training set is held out for
it."""


class Training(NamedTuple):
    """The data that a verification system can learn from.

    Attributes:
        senses: Target words in their contexts, with a sense that they may have. Only the
            descriptions of the sense that the subtask shows are given.
        labels: Whether each target word has the sense.
        texts: Texts to train word vectors on: all contexts and complete descriptions of senses in
            the training set.
    """

    senses: Sequence[TargetSense]
    labels: Sequence[bool]
    texts: Sequence[str]


class Gold(NamedTuple):
    """The gold labels and the domains of the test questions.

    Attributes:
        labels: Whether each target word has the sense. None if the label is not published.
        domains: Domain of each question, such as "medical". None if it is unknown.
    """

    labels: Sequence[bool | None]
    domains: Sequence[str | None]


VerificationData = DataSet[Training, TargetSense, Gold]


@dataclass
class WiCTSV(Reader[Training, TargetSense, Gold]):
    """Reads WiC-TSV from folders, each with the data of one language.

    A folder has the subfolders Training, Development and Test.

    Attributes:
        task: Subtasks of WiC-TSV, which differ in the description of the sense that systems can
            see: 1 for the definition, 2 for the hypernyms, 3 for both. Each gives separate data
            sets.
        share: Shares of the target words to train on, between 0 and 1, for a learning curve.
            Systems are always trained on all target words as well.
        test: Whether to answer the test set even if its labels are not published.
    """

    task: Annotated[
        tuple[int, ...],
        typer.Option(
            help="Subtask: 1 (definition), 2 (hypernyms) or 3 (both). Repeatable. Default: all."
        ),
    ] = tuple(SHOWN_BY_SUBTASK)
    share: Annotated[
        tuple[float, ...],
        typer.Option(
            help="Also train on this share of the target words. Repeat it for a learning curve."
        ),
    ] = ()
    test: Annotated[
        bool, typer.Option("--test", help="Also answer the test set. Needs --predictions.")
    ] = False

    def read(self, paths: Sequence[Path]) -> Iterator[VerificationData]:
        """Read the data sets in folders of WiC-TSV.

        Args:
            paths: Folders, each with the data of one language.

        Yields:
            A data set for each folder, subtask, share of the target words and part. The parts are
            the development set and, if it can be used, the test set.

        Raises:
            InputError: If a subtask or share is invalid, or if the training or development set has
                no labels.
        """
        if unknown := [task for task in self.task if task not in SHOWN_BY_SUBTASK]:
            raise InputError(
                f"Unknown subtask {unknown[0]}. Choose 1 (definition), 2 (hypernyms) or 3 (both)."
            )
        if wrong := [share for share in self.share if not 0 < share < 1]:
            raise InputError(
                f"Each --share of the target words must be between 0 and 1, got {wrong[0]}."
            )
        for path in paths:
            splits = with_development(read_splits(path))
            labels_of(splits["dev"], "development")
            labels_of(splits["train"], "training")
            parts = ["dev"]
            if "test" in splits and (self.test or splits["test"][0].label is not None):
                parts.append("test")
            for task in self.task:
                for share in (*self.share, 1.0):
                    training = _training(splits["train"], share, task)
                    limit = "" if share == 1 else f", {share:.0%} of the targets"
                    for part in parts:
                        name = f"{path.name} task {task} {part}{limit}"
                        yield _data(name, training, splits[part], task)


def _training(questions: Sequence[Question], share: float, task: int) -> Training:
    texts = [
        text
        for question in questions
        for text in (question.sense.mention.text, question.sense.sense)
    ]
    chosen = questions if share == 1 else part_of(questions, share)
    return Training(for_task(chosen, task), labels_of(chosen, "training"), texts)


def _data(
    name: str, training: Training, questions: Sequence[Question], task: int
) -> VerificationData:
    gold = Gold(
        [question.label for question in questions], [question.domain for question in questions]
    )
    details: Details = {
        "shown": SHOWN_BY_SUBTASK[task],
        "items": len(questions),
        "targets": len({question.word for question in questions}),
        "true": None if None in gold.labels else sum(map(bool, gold.labels)),
        "without hypernyms": sum(not question.sense.hypernyms for question in questions),
        "training items": len(training.senses),
    }
    texts = [question.sense.mention.text for question in questions]
    train_texts = [sense.mention.text for sense in training.senses]
    return DataSet(name, training, for_task(questions, task), gold, details, texts, train_texts)


def with_development(splits: Mapping[str, Sequence[Question]]) -> dict[str, Sequence[Question]]:
    """Hold out a development set if the data set has none.

    It contains the questions about a fifth of the target words of the training set.

    Args:
        splits: A mapping from "train", "dev" and "test" to the questions of each part. Only "train"
            is required.

    Returns:
        The same parts, with "dev". If it was held out, "train" has the remaining questions.
    """
    if "dev" in splits:
        return dict(splits)
    train = splits["train"]
    parts = split_rows([question.word for question in train], [HELD_OUT - 1, 1])
    chosen = ([train[row] for row in rows] for rows in parts)
    return {**splits, **dict(zip(("train", "dev"), chosen, strict=True))}


def for_task(questions: Iterable[Question], task: int) -> list[TargetSense]:
    """Remove the descriptions of senses that systems may not see in a subtask of WiC-TSV.

    Args:
        questions: Questions with complete descriptions of the senses.
        task: Number of the subtask: 1 shows only the definition, 2 only the hypernyms, and 3 both.

    Returns:
        The target words in their contexts with the remaining descriptions, in the order of the
        questions.
    """
    hidden: dict[int, dict[str, Any]] = {1: {"hypernyms": ()}, 2: {"definition": ""}, 3: {}}
    return [question.sense._replace(**hidden[task]) for question in questions]


def part_of(train: Sequence[Question], share: float) -> list[Question]:
    """Select the training questions about a share of the target words, for a learning curve.

    The same words are selected every time. The questions of a smaller share are among those of a
    larger one.

    Args:
        train: All questions of the training set.
        share: Share of the target words, 0..1. At least one word is selected.

    Returns:
        The questions about the selected words, in their original order.
    """
    words = sorted({question.word for question in train})
    random.Random(0).shuffle(words)
    chosen = set(words[: max(1, round(share * len(words)))])
    return [question for question in train if question.word in chosen]
