"""Check what must hold for any input, as often as asked: rules, BIO codec, words, look-ups.

    python benchmarks/fuzz_texts.py --millions 10

The checks are those of `tests/faults/invariants.py`. Inputs are drawn anew for each subject from
the seed; the cheap subjects get more of them. Exits with 1 where a check failed; the results then
hold the inputs.
"""

import argparse
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import RESULTS, write_results

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "faults"))

from invariants import Subject, subjects

RESULT = RESULTS / "fuzz_texts.json"
SHARES = {
    "Schwartz-Hearst": 0.4,
    "definitions": 0.05,
    "shapes": 0.05,
    "BIO": 0.4,
    "words": 0.05,
    "store": 0.05,
}
SHOWN = 5


def main() -> int:
    """Print and write what came of it; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millions", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for name, subject in subjects(Path(folder)).items():
            number = round(options.millions * 1e6 * SHARES[name])
            figures[name] = fuzz(subject, number, random.Random(f"{name} {options.seed}"))
            print(name, figures[name], flush=True)
    failures = sum(one["failures"] for one in figures.values())
    write_results(
        options.output,
        {
            "inputs": sum(one["inputs"] for one in figures.values()),
            "failures": failures,
            "cpu_seconds": round(sum(one["cpu_seconds"] for one in figures.values()), 1),
            "slowest_milliseconds": max(one["slowest_milliseconds"] for one in figures.values()),
            "subjects": figures,
        },
    )
    return int(failures > 0)


def fuzz(subject: Subject, number: int, draw: random.Random) -> dict[str, Any]:
    """Check so many inputs."""
    failed: list[str] = []
    failures = 0
    slowest = 0.0
    began = time.process_time()
    for _ in range(number):
        given = subject.draw(draw)
        started = time.process_time()
        try:
            subject.check(given)
        except Exception as error:
            failures += 1
            if len(failed) < SHOWN:
                failed.append(f"{given!r}: {error!r}")
        slowest = max(slowest, time.process_time() - started)
    return {
        "inputs": number,
        "failures": failures,
        "first_failures": failed,
        "cpu_seconds": round(time.process_time() - began, 1),
        "slowest_milliseconds": round(1000 * slowest, 2),
    }


if __name__ == "__main__":
    sys.exit(main())
