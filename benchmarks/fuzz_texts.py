"""Check what must hold for any input, as often as asked: rules, readers, BIO, words, look-ups.

    python benchmarks/fuzz_texts.py --millions 10

The checks are those of `tests/support/invariants.py`. Inputs are drawn anew for each subject from
the seed; the cheap subjects get more of them. The results are written after each part, and a run
that is given again goes on from them. Exits with 1 where a check failed; the results then hold the
inputs.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import RESULTS, write_results

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.invariants import Subject, subjects

RESULT = RESULTS / "fuzz_texts.json"
SHARES = {
    "Schwartz-Hearst": 0.47,
    "definitions": 0.05,
    "shapes": 0.05,
    "readers": 0.03,
    "BIO": 0.3,
    "words": 0.05,
    "store": 0.05,
}
SHOWN = 5
PART = 10_000
"""Inputs of one subject between two writings of the results."""


def main() -> int:
    """Print and write what came of it; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millions", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    figures = finished(options.output, options.seed)
    with TemporaryDirectory() as folder:
        for name, subject in subjects(Path(folder)).items():
            mine = figures["subjects"].setdefault(name, dict(NOTHING, first_failures=[]))
            while mine["inputs"] < options.millions * 1e6 * SHARES[name]:
                draw = random.Random(f"{name} {options.seed} {mine['inputs']}")
                add(mine, fuzz(subject, PART, draw))
                write(options.output, figures)
    return int(figures["failures"] > 0)


NOTHING = {"inputs": 0, "failures": 0, "cpu_seconds": 0.0, "slowest_milliseconds": 0.0}


def finished(path: Path, seed: int) -> dict[str, Any]:
    """What an earlier run with this seed has done."""
    if path.exists():
        figures: dict[str, Any] = json.loads(path.read_text("utf8"))
        if figures.get("seed") == seed:
            return figures
    return {"seed": seed, "subjects": {}}


def write(path: Path, figures: dict[str, Any]) -> None:
    """Add the subjects up, and write."""
    rows = figures["subjects"].values()
    for key in ("inputs", "failures", "cpu_seconds"):
        figures[key] = round(sum(row[key] for row in rows), 1)
    figures["slowest_milliseconds"] = max(row["slowest_milliseconds"] for row in rows)
    write_results(path, figures)


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Add a part's figures to its subject's."""
    for key in ("inputs", "failures"):
        total[key] += part[key]
    total["cpu_seconds"] = round(total["cpu_seconds"] + part["cpu_seconds"], 1)
    total["slowest_milliseconds"] = max(total["slowest_milliseconds"], part["slowest_milliseconds"])
    total["first_failures"] = [*total["first_failures"], *part["first_failures"]][:SHOWN]


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
