"""What the package costs at the start: `spacy.blank` with and without it, the first answer.

    python benchmarks/startup.py

Each figure is of fresh processes, run in turns, interpreter and imports included, in seconds of
processor time: a busy machine delays a program for longer than it works. Blank pipelines are made
with distributions once seen and once hidden from the entry points, by which spaCy finds them. The
first answer is that of the command line, weights and dictionary included, beside the blank pipeline
made just before it; of the differences and ratios of such pairs the medians are given.
spacy-transformers, an extra of the package, is hidden: spaCy imports it at every start.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from measuring import RESULTS, write_results

RESULT = RESULTS / "startup.json"
TEXT = "The MRI showed no lesion. The World Health Organization (WHO) met."
OURS, EXTRA = "spacy-gladis", "spacy-transformers"
CALLS = {
    "without": ["blank", OURS, EXTRA],
    "with": ["blank", EXTRA],
    "answer": ["answer", EXTRA],
}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        what, *hidden = options.child
        hide(hidden)
        CHILDREN[what](hidden)
        return
    child("answer")
    rounds = [{name: child(*call) for name, call in CALLS.items()} for _ in range(options.rounds)]
    cpu = {name: [figures[name][1] for figures in rounds] for name in CALLS}
    pairs = list(zip(cpu["answer"], cpu["with"], strict=True))
    write_results(
        options.output,
        {
            "rounds": options.rounds,
            "least_cpu_seconds": {name: round(min(taken), 2) for name, taken in cpu.items()},
            "median_cpu_seconds": {name: round(median(taken), 2) for name, taken in cpu.items()},
            "first_answer_above_blank": {
                "cpu_seconds": round(median(answer - blank for answer, blank in pairs), 2),
                "least_less_least": round(min(cpu["answer"]) - min(cpu["with"]), 2),
                "ratio": round(median(answer / blank for answer, blank in pairs), 3),
            },
            "median_seconds": {
                name: round(median(figures[name][0] for figures in rounds), 2) for name in CALLS
            },
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


def hide(distributions: list[str]) -> None:
    """Let this process see no entry points of some distributions."""
    from importlib.metadata import Distribution

    discover = Distribution.discover.__func__  # type: ignore[attr-defined]

    def filtered(cls: type[Distribution], /, **context: Any) -> Any:
        return (
            distribution
            for distribution in discover(cls, **context)
            if distribution.name not in distributions
        )

    Distribution.discover = classmethod(filtered)  # type: ignore[assignment,method-assign]


def blank(hidden: list[str]) -> None:
    """Make a blank pipeline; what is hidden must not be there."""
    import spacy
    from spacy.util import registry

    spacy.blank("en")("A text.")
    assert ("acronym_detector" in registry.factories) == (OURS not in hidden)
    assert ("spacy_transformers" in sys.modules) == (EXTRA not in hidden)


def answer(_: list[str]) -> None:
    """Annotate a text as the command line does."""
    from spacy_gladis.cli import main as command_line

    sys.argv = ["spacy-gladis", "annotate", TEXT]
    command_line()


CHILDREN = {"blank": blank, "answer": answer}


def child(*arguments: str) -> tuple[float, float]:
    """Seconds and CPU seconds of a fresh process of this script."""
    call = [sys.executable, __file__, "--child", *arguments]
    # An installed package has its bytecode; an environment may forbid that to a checkout.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    began, before = time.perf_counter(), os.times()
    subprocess.run(call, check=True, capture_output=True, env=environment)
    seconds, after = time.perf_counter() - began, os.times()
    user = after.children_user - before.children_user
    return seconds, user + after.children_system - before.children_system


if __name__ == "__main__":
    main()
