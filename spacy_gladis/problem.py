"""Describe, count and report the records of an input that can't be used."""

import logging
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the direction of the text
    "\ud800-\udfff]"  # stand for undecodable bytes in file names
)
logger = logging.getLogger("spacy_gladis")


def escape_controls(text: str) -> str:
    """Escape control characters, so that a text can be printed safely to a terminal.

    Tabs and line feeds are kept.

    Args:
        text: Any text.

    Returns:
        The text with each control character replaced by an escape sequence of Python.
    """
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class Problem(NamedTuple):
    """A record of the input that can't be used.

    Attributes:
        kind: Category that the problem is counted under, such as ``"wrong columns"``.
        path: File or folder of the record.
        line: Line number, counted from 1. None if the problem concerns the whole file or folder.
        detail: What is wrong with the record.
    """

    kind: str
    path: str
    line: int | None
    detail: str

    def __str__(self) -> str:
        """Return the problem as one line of a report."""
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return escape_controls(f"{place}: {self.kind}: {self.detail}")


Report = Callable[[Problem], None]
"""A function that readers call for each bad record."""


def log_problem(problem: Problem) -> None:
    """Log a problem as a warning. This is the default `Report`.

    Args:
        problem: The problem to log.
    """
    logger.warning("%s", problem)


class ProblemLog:
    """A `Report` function that counts problems by kind and keeps the first few of each kind.

    Attributes:
        keep: Maximum number of problems to keep for each kind.
        done: Number of inputs without a problem. The caller sets it.
        counts: A mapping from each kind to its number of problems.
        examples: A mapping from each kind to its first problems.
    """

    def __init__(self, keep: int = 20) -> None:
        """Create a log without problems.

        Args:
            keep: Maximum number of problems to keep for each kind.
        """
        self.keep = keep
        self.done = 0
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[Problem]] = {}

    def __call__(self, problem: Problem) -> None:
        """Count a problem, and keep it if it is among the first of its kind.

        Args:
            problem: The problem to count.
        """
        self.counts[problem.kind] += 1
        examples = self.examples.setdefault(problem.kind, [])
        if len(examples) < self.keep:
            examples.append(problem)

    def to_json(self) -> dict[str, Any]:
        """Return the counts and examples of all problems as JSON types.

        Returns:
            A dictionary with the keys ``counts`` (number of problems by kind) and ``examples``
            (a list of messages).
        """
        return {
            "counts": dict(sorted(self.counts.items())),
            "examples": [
                str(problem) for kind in sorted(self.examples) for problem in self.examples[kind]
            ],
        }
