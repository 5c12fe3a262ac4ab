"""The interface of a task's systems."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

Training = TypeVar("Training")
"""Type of the input of `fit`, which has the training and development data."""
Question = TypeVar("Question")
"""Type of an item in the input of `predict`, without its answer."""
Answer = TypeVar("Answer")


class System(Generic[Training, Question, Answer]):
    """A system that learns from the training part of a data set and answers its test questions.

    A system is a dataclass. Its fields are its settings, and a record of results names them all. A
    field annotated with one of the options of `tasks/options.py` can be set on the command line. A
    field called `seed` makes the runner run the system once for each seed.

    A subclass overrides `predict`, or `answer` to process one question at a time.
    """

    def fit(self, training: Training) -> None:
        """Train the system on the training part, and load models and other resources.

        Args:
            training: The training and development parts. Development data may choose among
                settings or end the training.

        Raises:
            InputError: If the system cannot learn from this data.
        """

    def predict(self, questions: Sequence[Question]) -> Iterable[Answer]:
        """Answer every question.

        Args:
            questions: Questions without their answers.

        Returns:
            The answers, in the order of the questions.
        """
        return [self.answer(question) for question in questions]

    def answer(self, question: Question) -> Answer:
        """Answer one question.

        Args:
            question: A question without its answer.

        Returns:
            The answer.
        """
        raise NotImplementedError
