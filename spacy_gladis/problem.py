"""What is wrong with a record of the input: counted and reported, never a silent loss."""

import logging
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # that turn the direction of writing
    "\ud800-\udfff]"  # bytes of a file's name that are no text
)
logger = logging.getLogger("spacy_gladis")


def visible(text: str) -> str:
    """A text with control characters as escapes: shown, it steers no terminal."""
    return _CONTROL.sub(lambda one: one[0].encode("unicode_escape").decode(), text)


class Problem(NamedTuple):
    """One bad record: the kind it is counted under, its file and line, and what is wrong.

    line: from 1; None where the whole file, or a folder, is meant.
    """

    kind: str
    path: str
    line: int | None
    detail: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return visible(f"{place}: {self.kind}: {self.detail}")


Report = Callable[[Problem], None]


def log_problem(problem: Problem) -> None:
    """The default report: a warning in the log."""
    logger.warning("%s", problem)


class ProblemLog:
    """Counts problems by kind and keeps the first few of each; itself a `Report`.

    done: how many inputs went well, for those who count them.
    """

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep
        self.done = 0
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[Problem]] = {}

    def __call__(self, problem: Problem) -> None:
        """Take one problem in."""
        self.counts[problem.kind] += 1
        examples = self.examples.setdefault(problem.kind, [])
        if len(examples) < self.keep:
            examples.append(problem)

    def to_json(self) -> dict[str, Any]:
        """The counts and the examples, as JSON types."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "examples": [
                str(problem) for kind in sorted(self.examples) for problem in self.examples[kind]
            ],
        }
