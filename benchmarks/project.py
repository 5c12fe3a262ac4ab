"""The whole project on its sample, from a fresh clone: timed, run again, and killed on the way.

    python benchmarks/project.py

Steps are timed by what they print. Then the run and its children are ended with SIGKILL, once
somewhere in each step, and started again; what is left must equal, byte for byte, what the
undisturbed run left.
"""

import argparse
import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import RESULTS, write_results

ROOT = Path(__file__).parents[1]
RUN_ALL = [sys.executable, "-m", "spacy", "project", "run", "all"]
STEP = re.compile(r"=+ (\S+) =+")
# What a run makes, but for files that hold times, memory or paths.
COMPARED = [
    "mined/*/*.parquet",
    "dictionary.sqlite",
    "samples.jsonl",
    "sets/*/*.json",
    "run/model/*",
    "acrobert/*",
    "tuned/model/*",
    "inventory.concepts",
    "wic_answers/*",
    "pipeline/**/*",
    "demo.html",
]


def main() -> None:
    """Measure, and write the figures into the results file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        whole = fresh_clone(Path(name) / "whole")
        killed = fresh_clone(Path(name) / "killed")
        figures = timed_run(whole)
        figures |= killed_runs(killed, figures["steps"], options.seed)
        figures |= compared(whole, killed)
    write_results(RESULTS / "project.json", figures)


def fresh_clone(folder: Path) -> Path:
    """The last commit, checked out anew."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    return folder


def start(folder: Path) -> "subprocess.Popen[str]":
    """Start the whole workflow in a group of processes of its own."""
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    return subprocess.Popen(
        RUN_ALL,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def timed_run(folder: Path) -> dict[str, Any]:
    """Seconds of the first run, step by step, and of a second one, which skips every step."""
    began = time.perf_counter()
    steps: dict[str, float] = {}
    process, current, last = start(folder), "", began
    assert process.stdout is not None
    for line in process.stdout:
        if match := STEP.search(line):
            now = time.perf_counter()
            if current:
                steps[current] = round(now - last, 1)
            current, last = match[1], now
    steps[current] = round(time.perf_counter() - last, 1)
    if process.wait():
        raise SystemExit(f"'spacy project run all' failed in step {current}")
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    again = subprocess.run(RUN_ALL, cwd=folder, check=True, capture_output=True, text=True).stdout
    return {
        "seconds": round(seconds, 1),
        "steps": steps,
        "again_seconds": round(time.perf_counter() - began, 1),
        "again_skipped": again.count("Skipping"),
    }


def killed_runs(folder: Path, steps: dict[str, float], seed: int) -> dict[str, Any]:
    """Run until through, killed once in each step, at a random part of the time that it takes."""
    chance = random.Random(seed)
    left = dict(steps)
    kills: dict[str, float] = {}
    while True:
        process = start(folder)
        assert process.stdout is not None
        log = ""
        for line in process.stdout:
            log = log[-3000:] + line
            if "Running command" in line and (started := STEP.findall(log)) and started[-1] in left:
                kills[started[-1]] = round(chance.uniform(0, left.pop(started[-1])), 1)
                time.sleep(kills[started[-1]])
                os.killpg(process.pid, signal.SIGKILL)
                break
        process.stdout.close()
        if process.wait() == 0:
            return {"killed_after_seconds": kills}
        if process.returncode != -signal.SIGKILL:
            raise SystemExit(f"after {len(kills)} kills a step failed:\n{log}")


def compared(whole: Path, killed: Path) -> dict[str, Any]:
    """Which files of the two runs differ."""
    first, second = (digests(folder / "build" / "sample") for folder in (whole, killed))
    differ = sorted(name for name in first | second if first.get(name) != second.get(name))
    return {"files_compared": len(first), "files_that_differ": differ}


def digests(folder: Path) -> dict[str, str]:
    """A checksum of each file that a run makes."""
    paths = [path for pattern in COMPARED for path in folder.glob(pattern) if path.is_file()]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


if __name__ == "__main__":
    main()
