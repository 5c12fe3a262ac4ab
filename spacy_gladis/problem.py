"""Description, counting and reporting of input records that can't be used."""

import logging
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # characters that change the direction of the text
    "\ud800-\udfff]"  # surrogates, which stand for undecodable bytes in file names
)
logger = logging.getLogger("spacy_gladis")


def escape_controls(text: str) -> str:
    r"""Escape control characters, so that a text can be printed safely to a terminal.

    Characters that change the direction of the text and lone surrogates are escaped, too. Tabs and
    line feeds are kept.

    Args:
        text: Any text, such as the name of a file.

    Returns:
        The text with each control character replaced by a Python escape sequence, such as ``\x1b``
        for the escape character.
    """
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class Problem(NamedTuple):
    """A record of the input that can't be used, with its place and the reason.

    Attributes:
        kind: Category that the problem is counted under, such as ``"wrong columns"``.
        path: Path of the file or folder that contains the record.
        line: Line number of the record, counted from 1. None if the problem concerns the whole file
            or folder.
        detail: What is wrong with the record, as part of a message for the user.
    """

    kind: str
    path: str
    line: int | None
    detail: str

    def __str__(self) -> str:
        """Return the problem as a line of a report: its place, its kind and the detail.

        For example, ``terms.csv:3: wrong columns: found 1`` is about line 3 of the file
        ``terms.csv``.
        """
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return escape_controls(f"{place}: {self.kind}: {self.detail}")


Report = Callable[[Problem], None]
"""Type of a function that readers of files call with a `Problem` for each record they can't use."""


def log_problem(problem: Problem) -> None:
    """Log an input record that can't be used, as a warning of the logger ``spacy_gladis``.

    Readers of files call this function by default. Pass a `ProblemLog` to collect problems instead.

    Args:
        problem: Problem to log as one line.
    """
    logger.warning("%s", problem)


class ProblemLog:
    """A log that counts problems with the input by kind, and keeps examples of each kind.

    Pass it to a reader of files, which calls it with each problem. Afterwards, read the counts and
    the examples from its attributes.

    Attributes:
        keep: Maximum number of examples to keep for each kind of problem.
        done: Number of inputs that were processed without a problem. The caller sets it.
        counts: A mapping from each kind of problem to how often it occurred.
        examples: A mapping from each kind of problem to the first problems of that kind.
    """

    def __init__(self, keep: int = 20) -> None:
        """Create an empty log of problems.

        Args:
            keep: Maximum number of examples to keep for each kind of problem.
        """
        self.keep = keep
        self.done = 0
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[Problem]] = {}

    def __call__(self, problem: Problem) -> None:
        """Count a problem, and keep it as an example if it is among the first of its kind.

        Args:
            problem: Problem that a reader of files reports.
        """
        self.counts[problem.kind] += 1
        examples = self.examples.setdefault(problem.kind, [])
        if len(examples) < self.keep:
            examples.append(problem)

    def to_json(self) -> dict[str, Any]:
        """Return the counts and examples of all problems, to write them as JSON.

        Returns:
            A dictionary with two keys. ``counts`` maps each kind of problem to how often it
            occurred, and ``examples`` is a list of messages, sorted by kind.
        """
        return {
            "counts": dict(sorted(self.counts.items())),
            "examples": [
                str(problem) for kind in sorted(self.examples) for problem in self.examples[kind]
            ],
        }
