"""What the package costs at the start: `spacy.blank` with and without it, the first answer.

    python benchmarks/startup.py

Each figure is of fresh processes. Blank pipelines are made in turns, the package once seen and
once hidden from the entry points, by which spaCy finds it; the least CPU seconds count. The first
answer is that of the command line: interpreter, imports, weights and dictionary included.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from measuring import RESULTS, write_results

RESULT = RESULTS / "startup.json"
TEXT = "The MRI showed no lesion. The World Health Organization (WHO) met."
NO_DISTRIBUTION = "no-such-distribution"


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--blank-without", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.blank_without:
        blank_without(options.blank_without)
        return
    hidden: dict[str, list[float]] = {NO_DISTRIBUTION: [], "spacy-gladis": []}
    for _ in range(options.rounds):
        for name, taken in hidden.items():
            taken.append(child([__file__, "--blank-without", name])["cpu_seconds"])
    with_package, without = (min(taken) for taken in hidden.values())
    answers = [child(["-m", "spacy_gladis", "annotate", TEXT]) for _ in range(3)]
    write_results(
        options.output,
        {
            "rounds": options.rounds,
            "blank_cpu_seconds": {
                "with": round(with_package, 4),
                "without": round(without, 4),
                "ratio": round(with_package / without, 4),
            },
            "first_answer": {
                "seconds": round(statistics.median(one["seconds"] for one in answers), 2),
                "cpu_seconds": round(statistics.median(one["cpu_seconds"] for one in answers), 2),
                "load_average": round(os.getloadavg()[0], 1),
            },
        },
    )


def blank_without(distribution: str) -> None:
    """Make a blank pipeline in a process that does not see a distribution."""
    from importlib.metadata import Distribution

    discover = Distribution.discover.__func__  # type: ignore[attr-defined]

    def filtered(cls: type[Distribution], **context: Any) -> Any:
        return (one for one in discover(cls, **context) if one.name != distribution)

    Distribution.discover = classmethod(filtered)  # type: ignore[assignment,method-assign]
    import spacy

    nlp = spacy.blank("en")
    nlp("A text.")
    seen = "acronym_detector" in spacy.registry.factories
    assert seen == (distribution == NO_DISTRIBUTION), "the package was hidden, or was not"


def child(arguments: list[str]) -> dict[str, float]:
    """Seconds and CPU seconds of a fresh Python process."""
    began, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": after.children_user
        + after.children_system
        - before.children_user
        - before.children_system,
    }


if __name__ == "__main__":
    main()
