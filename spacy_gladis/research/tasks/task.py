"""The interface of evaluation tasks: data sets, readers, metrics and systems."""

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
"""Type of the right answers of a data set, in the form that the task's metric needs."""

Scores = Mapping[str, float | None]
"""A mapping from names to scores. A score is None if there is nothing to score."""
Statistic = Callable[[Ints], dict[str, float]]
"""Function that takes row numbers, which may repeat, and returns scores in 0..1 by name."""
Details = Mapping[str, int | float | str | None]


@dataclass(frozen=True)
class DataSet(Generic[Training, Question, Gold]):
    """A data set that systems can be run on.

    Attributes:
        name: The name in results, unique among the sets of a command.
        training: Passed to `System.fit`.
        questions: The questions without their answers, passed to `System.predict`.
        gold: The right answers, in the form that the metric needs.
        details: Properties of the set shown in results, such as its number of rows.
        texts: Text of each row of the metric. Used for scores grouped by similarity.
        training_texts: The texts of the training part.
    """

    name: str
    training: Training
    questions: Sequence[Question]
    gold: Gold
    details: Details = field(default_factory=dict)
    texts: Sequence[str] = ()
    training_texts: Sequence[str] = ()


class Reader(ABC, Generic[Training, Question, Gold]):
    """Reads data sets from files. A reader is a dataclass whose fields are its settings.

    Fields may be options of the command, as for a system. A field called `seed` means that the data
    itself depends on the seed, for instance through a random split.
    """

    @abstractmethod
    def read(self, paths: Sequence[Path]) -> Iterator[DataSet[Training, Question, Gold]]:
        """Read the data sets in files and folders.

        Args:
            paths: Files and folders, in the order in which they are read.

        Yields:
            The data sets. Data sets that share a training part follow one another.

        Raises:
            InputError: If there is nothing to read.
            FormatError: If a file is not in the task's format.
        """


@dataclass(frozen=True)
class Measured:
    """The scores of a system's answers to a data set.

    Attributes:
        rows: Number of independent rows that the bootstrap draws from.
        statistic: Function that computes the scores of a selection of rows.
        answers: The answers as JSON records or as lines, one for each row.
        groups: Scores of parts of the data by a property and its values, such as
            `groups["domain"]["medical"]`.
        figures: Scores without a confidence interval.
    """

    rows: int
    statistic: Statistic
    answers: Sequence[Record | str]
    groups: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    figures: Scores = field(default_factory=dict)


def group_rows(statistic: Statistic, groups: Mapping[str, Ints]) -> dict[str, Group]:
    """Compute the scores of each group of rows.

    Args:
        statistic: Function that takes row numbers and returns scores.
        groups: A mapping from each group's name to its row numbers.

    Returns:
        A mapping from each group's name to its scores. An empty group has no scores.
    """
    return {
        name: Group(rows=len(rows), metrics=dict(statistic(rows)) if len(rows) else {})
        for name, rows in groups.items()
    }


Measure = Callable[[DataSet[Training, Question, Gold], Sequence[Answer]], Measured]


@dataclass(frozen=True)
class Task(Generic[Training, Question, Answer, Gold]):
    """An evaluation: `spacy-gladis evaluate NAME`.

    Attributes:
        name: The name of the command, as in `catalog.py`.
        reader: The class that reads the data sets.
        measure: The metric, which takes a data set and a system's answers.
        systems: The systems that can be run.
        columns: A mapping from column headings to the names of the scores shown in tables. Only the
            first score is shown with its interval and for each group.
    """

    name: str
    reader: type[Reader[Training, Question, Gold]]
    measure: Measure[Training, Question, Gold, Answer]
    systems: Registry[Any]
    columns: Mapping[str, str]
