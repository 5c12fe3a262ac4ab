"""What the package costs at the start: `spacy.blank` with and without it, the first answer.

    python benchmarks/startup.py

Each figure is of fresh processes. Blank pipelines are made in turns, with distributions once seen
and once hidden from the entry points, by which spaCy finds them; the least CPU seconds count. The
first answer is that of the command line: interpreter, imports, weights and dictionary included. Its
process first does what any program with spaCy does, `import spacy; spacy.blank("en")`, and notes
what that took: the rest is ours, and one more blank pipeline. The round that took least counts.
spacy-transformers, an extra of the package, is hidden but where it is named: where it is installed,
spaCy imports it at every start.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from measuring import RESULTS, write_results

RESULT = RESULTS / "startup.json"
TEXT = "The MRI showed no lesion. The World Health Organization (WHO) met."
OURS, EXTRA = "spacy-gladis", "spacy-transformers"
HIDDEN = {"without": [OURS, EXTRA], "with": [EXTRA], "with_spacy_transformers": []}


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
    child("blank")
    least = dict.fromkeys(HIDDEN, float("inf"))
    for _ in range(options.rounds):
        for name, hidden in HIDDEN.items():
            least[name] = min(least[name], child("blank", *hidden)["cpu_seconds"])
    answers = [child("answer", EXTRA) for _ in range(options.rounds)]
    least_answer = min(answers, key=lambda one: one["cpu_seconds"])
    write_results(
        options.output,
        {
            "rounds": options.rounds,
            "blank_cpu_seconds": {
                **{name: round(seconds, 3) for name, seconds in least.items()},
                "ratio": round(least["with"] / least["without"], 4),
            },
            "first_answer": {
                **{key: round(value, 2) for key, value in least_answer.items()},
                "above": round(least_answer["cpu_seconds"] - least_answer["blank"], 2),
                "ratio": round(least_answer["cpu_seconds"] / least_answer["blank"], 3),
            },
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


def hide(distributions: list[str]) -> None:
    """Let this process see no entry points of some distributions."""
    from importlib.metadata import Distribution

    discover = Distribution.discover.__func__  # type: ignore[attr-defined]

    def filtered(cls: type[Distribution], **context: Any) -> Any:
        return (one for one in discover(cls, **context) if one.name not in distributions)

    Distribution.discover = classmethod(filtered)  # type: ignore[assignment,method-assign]


def blank(hidden: list[str]) -> None:
    """Make a blank pipeline; what is hidden must not be there."""
    import spacy

    spacy.blank("en")("A text.")
    assert ("acronym_detector" in spacy.registry.factories) == (OURS not in hidden)
    assert ("spacy_transformers" in sys.modules) == (EXTRA not in hidden)


def answer(_: list[str]) -> None:
    """Annotate a text as the command line does, after a blank pipeline; say what that took."""
    import spacy

    spacy.blank("en")
    taken = {"blank": time.process_time()}
    from spacy_gladis.cli import main as command_line

    sys.argv = ["spacy-gladis", "annotate", TEXT]
    with suppress(SystemExit):
        command_line()
    print(json.dumps(taken), file=sys.stderr)


CHILDREN = {"blank": blank, "answer": answer}


def child(*arguments: str) -> dict[str, float]:
    """Seconds and CPU seconds of a fresh process of this script, and what it says itself."""
    call = [sys.executable, __file__, "--child", *arguments]
    began, before = time.perf_counter(), os.times()
    # An installed package is compiled; an environment may forbid that to a checkout.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(call, check=True, capture_output=True, text=True, env=environment)
    seconds, after = time.perf_counter() - began, os.times()
    user = after.children_user - before.children_user
    system = after.children_system - before.children_system
    last = done.stderr.rpartition("\n")[0].rpartition("\n")[2]
    said = json.loads(last) if last.startswith("{") else {}
    return {"seconds": seconds, "cpu_seconds": user + system, **said}


if __name__ == "__main__":
    main()
