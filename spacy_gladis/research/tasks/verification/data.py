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

SHOWN_BY_SUBTASK = {1: "definition", 2: "hypernyms", 3: "definition and hypernyms"}
"""Parts of a sense that systems can see in each of WiC-TSV's subtasks."""

HELD_OUT = 5
"""Without a development set, one in `HELD_OUT` target words of the training set becomes it."""


class Training(NamedTuple):
    """The data that a verification system can learn from.

    Attributes:
        senses: Target senses in their contexts, with the parts of the sense that the task shows.
        labels: Whether each target has its sense.
        texts: The contexts and whole senses of the training set, for word vectors.
    """

    senses: Sequence[TargetSense]
    labels: Sequence[bool]
    texts: Sequence[str]


class Gold(NamedTuple):
    """The gold labels and the domains of the questions.

    Attributes:
        labels: Whether each target has its sense. None if the labels are not published.
        domains: The domain of each question, or None.
    """

    labels: Sequence[bool | None]
    domains: Sequence[str | None]


VerificationData = DataSet[Training, TargetSense, Gold]


@dataclass
class WiCTSV(Reader[Training, TargetSense, Gold]):
    """Reads the folder of a language, which has the subfolders Training, Development and Test.

    Attributes:
        task: Parts of a sense that systems can see: 1 the definition, 2 the hypernyms, 3 both.
        share: Additional shares of the target words to train on, between 0 and 1, for a learning
            curve.
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
            help="Also train on this share of the targets. Repeat it for a learning curve."
        ),
    ] = ()
    test: Annotated[
        bool, typer.Option("--test", help="Also answer the test set. Needs --predictions.")
    ] = False

    def read(self, paths: Sequence[Path]) -> Iterator[VerificationData]:
        """Read the data sets at the given paths.

        Args:
            paths: Folders of one language each.

        Yields:
            A data set for each task, share and part.

        Raises:
            InputError: If a task or share is invalid, or labels are missing.
        """
        if unknown := [task for task in self.task if task not in SHOWN_BY_SUBTASK]:
            raise InputError(
                f"Unknown subtask {unknown[0]}. Choose 1 (definition), 2 (hypernyms) or 3 (both)."
            )
        if wrong := [share for share in self.share if not 0 < share < 1]:
            raise InputError(f"Shares of the targets must be between 0 and 1, got {wrong[0]}.")
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
    """Add a development part with a fifth of the training targets if there is none.

    Args:
        splits: A mapping from the name of each part to its questions. "train" is required.

    Returns:
        The splits, with "dev".
    """
    if "dev" in splits:
        return dict(splits)
    train = splits["train"]
    parts = split_rows([question.word for question in train], [HELD_OUT - 1, 1])
    chosen = ([train[row] for row in rows] for rows in parts)
    return {**splits, **dict(zip(("train", "dev"), chosen, strict=True))}


def for_task(questions: Iterable[Question], task: int) -> list[TargetSense]:
    """Remove the parts of the senses that a task does not show.

    Args:
        questions: Mentions to disambiguate, with their candidates.
        task: 1, 2 or 3; see `WiCTSV`.

    Returns:
        The target senses.
    """
    hidden: dict[int, dict[str, Any]] = {1: {"hypernyms": ()}, 2: {"definition": ""}, 3: {}}
    return [question.sense._replace(**hidden[task]) for question in questions]


def part_of(train: Sequence[Question], share: float) -> list[Question]:
    """Select the questions about a share of the target words.

    The questions of a smaller share are among those of a larger one.

    Args:
        train: The training set.
        share: Share of the target words, from 0 to 1; at least one word is selected.

    Returns:
        The selected questions.
    """
    words = sorted({question.word for question in train})
    random.Random(0).shuffle(words)
    chosen = set(words[: max(1, round(share * len(words)))])
    return [question for question in train if question.word in chosen]
