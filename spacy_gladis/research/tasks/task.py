"""The interface of evaluation tasks, with their data sets, readers, metrics and systems."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from ...arrays import Ints
from ..datasets.files import Record
from .registry import Registry
from .results import Group
from .system import Answer, Question, Training

Gold = TypeVar("Gold")
"""Type of the right answers of a data set. Each task's metric determines their form."""

Scores = Mapping[str, float | None]
"""A mapping from names of scores to their values. A value is None if there is nothing to score."""
Statistic = Callable[[Ints], dict[str, float]]
"""Function that computes scores on a selection of rows. It takes the indices of the rows, which may
repeat as in a bootstrap sample, and returns scores in 0..1 by name."""
Details = Mapping[str, int | float | str | None]


@dataclass(frozen=True)
class DataSet(Generic[Training, Question, Gold]):
    """A data set on which systems can be trained and evaluated.

    Attributes:
        name: Name of the data set in results. Names must be unique among the data sets of a
            command.
        training: Training and development data, the argument of `System.fit`.
        questions: Test questions without their answers, the argument of `System.predict`.
        gold: Right answers to the questions, in the form that the task's metric expects.
        details: Properties of the data set that results show, such as its number of rows.
        texts: Text of each row that the metric scores. Needed only for scores grouped by the
            similarity to the training texts.
        training_texts: Texts of the training part, for the same purpose.
    """

    name: str
    training: Training
    questions: Sequence[Question]
    gold: Gold
    details: Details = field(default_factory=dict)
    texts: Sequence[str] = ()
    training_texts: Sequence[str] = ()


class Reader(ABC, Generic[Training, Question, Gold]):
    """Base class of readers, which read a task's data sets from files.

    A reader is a dataclass whose fields are its settings. As in a system, an annotated field can be
    set on the command line. A field called `seed` means that the data sets themselves depend on the
    seed, for example because they are split at random.
    """

    @abstractmethod
    def read(self, paths: Sequence[Path]) -> Iterator[DataSet[Training, Question, Gold]]:
        """Read all data sets in files and folders.

        Args:
            paths: Files and folders to read, in this order.

        Yields:
            The data sets. Those that share a training part follow one another, so that a system is
            trained only once for them.

        Raises:
            InputError: If there is nothing to read.
            FormatError: If a file does not have the format of the task.
        """


@dataclass(frozen=True)
class Measured:
    """Scores of a system's answers to the questions of a data set.

    Attributes:
        rows: Number of rows of the data set. The bootstrap resamples these rows to compute
            confidence intervals.
        statistic: Function that takes the indices of rows and returns the scores on these rows.
        answers: The system's answers in the form in which they are written to a file, as JSON
            records or as lines of text.
        groups: Scores on parts of the data set by a property and its value, such as
            `groups["domain"]["medical"]`.
        figures: Scores by name that have no confidence interval.
    """

    rows: int
    statistic: Statistic
    answers: Sequence[Record | str]
    groups: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    figures: Scores = field(default_factory=dict)


def group_rows(statistic: Statistic, groups: Mapping[str, Ints]) -> dict[str, Group]:
    """Compute the scores on each group of a data set's rows.

    Args:
        statistic: Function that takes the indices of rows and returns the scores on these rows.
        groups: A mapping from the name of each group to the indices of its rows.

    Returns:
        A mapping from the name of each group to its number of rows and its scores. A group without
        rows has no scores.
    """
    return {
        name: Group(rows=len(rows), metrics=dict(statistic(rows)) if len(rows) else {})
        for name, rows in groups.items()
    }


Measure = Callable[[DataSet[Training, Question, Gold], Sequence[Answer]], Measured]


@dataclass(frozen=True)
class Task(Generic[Training, Question, Answer, Gold]):
    """An evaluation task, which the command `spacy-gladis evaluate NAME` runs.

    Attributes:
        name: Name of the task on the command line, as in `catalog.py`.
        reader: Class that reads the task's data sets.
        measure: The task's metric, a function that takes a data set and a system's answers and
            returns their scores.
        systems: Registry of the systems that can be evaluated on the task.
        columns: A mapping from column headings to the names of the scores that tables show. The
            first score is the main one. Tables of groups that compare several systems show only
            the main score.
    """

    name: str
    reader: type[Reader[Training, Question, Gold]]
    measure: Measure[Training, Question, Gold, Answer]
    systems: Registry[Any]
    columns: Mapping[str, str]
