"""What a task is made of: data sets, a reader, a metric, systems."""

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
"""The answers to a data set's questions, as the task's metric reads them."""

Scores = Mapping[str, float | None]
"""Named scores; None where there is nothing to score."""
Statistic = Callable[[Ints], dict[str, float]]
"""Takes row numbers, repeats allowed, and returns named scores in 0..1."""
Details = Mapping[str, int | float | str | None]


@dataclass(frozen=True)
class DataSet(Generic[Training, Question, Gold]):
    """A data set, ready to be put to systems.

    Attributes:
        name: The name in results, unique among the sets of a command.
        training: What systems learn from; `System.fit` gets it.
        questions: What systems are asked, without the answers; `System.predict` gets them.
        gold: What the metric compares the answers with.
        details: What describes the set in results, such as the number of its rows.
        texts: The text of each row that the metric counts, for scores by similarity.
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

    As those of a system, fields may be options of the command. A field called `seed` means that the
    data itself depends on the seed, by a random split for instance.
    """

    @abstractmethod
    def read(self, paths: Sequence[Path]) -> Iterator[DataSet[Training, Question, Gold]]:
        """Read the data sets in files and folders.

        Raises:
            InputError: If there is nothing to read.
            FormatError: If a file is not of the task's format.
        """


@dataclass(frozen=True)
class Measured:
    """What a metric finds in the answers to a data set.

    Attributes:
        rows: The number of independent rows that the bootstrap draws from.
        statistic: The scores of any rows.
        answers: The answers as JSON records or as lines, one for each row.
        groups: Scores of parts of the data by a property and its values, such as
            `groups["domain"]["medical"]`.
        figures: Scores without an interval.
    """

    rows: int
    statistic: Statistic
    answers: Sequence[Record | str]
    groups: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    figures: Scores = field(default_factory=dict)


def group_rows(statistic: Statistic, groups: Mapping[str, Ints]) -> dict[str, Group]:
    """Score groups of rows; an empty group has no scores.

    Args:
        statistic: Takes row numbers and returns scores.
        groups: Row numbers by the group's name.
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
        name: The name of the command; `catalog.py` has it, too.
        reader: The class that reads the data sets.
        measure: The metric: a data set and a system's answers to what there is to report.
        systems: The systems that can be run.
        columns: The scores shown in tables, by their headings. The first one has its interval
            shown and is the one that groups are shown by.
    """

    name: str
    reader: type[Reader[Training, Question, Gold]]
    measure: Measure[Training, Question, Gold, Answer]
    systems: Registry[Any]
    columns: Mapping[str, str]
