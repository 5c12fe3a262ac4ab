"""Kill long jobs at random moments, start them again, and compare what they leave.

    python benchmarks/kill_restart.py --kills 50

Three jobs on small inputs: the mining of a corpus, a dictionary's building, a training. Each runs
once undisturbed; then again and again in a new folder, ended up to five times with SIGKILL, its
whole process group, before it may come to its end. What it leaves must equal, byte for byte, what
the undisturbed run left.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from measuring import RESULTS, write_results

from spacy_gladis.cli import main as command_line

ROOT = Path(__file__).parents[1]
RESULT = RESULTS / "kill_restart.json"
LONGEST = 5
"""Kills before a job may come to its end."""

sys.path.insert(0, str(ROOT))


class Job(NamedTuple):
    """A command line with {out} for its folder, and the files that must be the same."""

    name: str
    command: tuple[str, ...]
    compared: tuple[str, ...]


def main() -> None:
    """Kill, compare, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    draw = random.Random(options.seed)
    figures: dict[str, Any] = {}
    with TemporaryDirectory() as name:
        jobs = list(make_jobs(Path(name)))
        for number, job in enumerate(jobs):
            kills = options.kills // len(jobs) + (number < options.kills % len(jobs))
            figures[job.name] = harass(job, Path(name) / job.name, kills, draw)
            print(job.name, figures[job.name], flush=True)
    write_results(
        options.output,
        {
            "kills": sum(one["kills"] for one in figures.values()),
            "completed_runs": sum(one["completed_runs"] for one in figures.values()),
            "same": sum(one["same"] for one in figures.values()),
            "jobs": figures,
        },
    )


def make_jobs(folder: Path) -> Iterator[Job]:
    """The jobs; what they read is made first."""
    # What the jobs import, for the forks to have; torch's threads would not survive a fork.
    import torch

    import spacy_gladis.cli.dictionary
    import spacy_gladis.research.cli.corpus
    import spacy_gladis.research.cli.train
    import spacy_gladis.research.mining.mine
    import spacy_gladis.research.training.run  # noqa: F401
    from tests.support.training import tiny_bert

    torch.set_num_threads(1)
    tiny_bert(folder / "start")
    recipe = (ROOT / "configs" / "acrobert_sample.cfg").read_text("utf8")
    recipe = recipe.replace("steps = 8", "steps = 24")
    (folder / "recipe.cfg").write_text(recipe, "utf8")
    mine = ("corpus", "extract", str(ROOT / "assets" / "sample" / "corpus"), "--output")
    run([*mine, str(folder / "mined")])
    yield Job("mining", (*mine, "{out}"), ("*/*.parquet",))
    yield Job(
        "dictionary",
        ("dictionary", "build", str(folder / "mined"), "-o", "{out}/made.sqlite"),
        ("made.sqlite",),
    )
    train = ("train", "acrobert", str(folder / "recipe.cfg"), "--samples", str(folder / "mined"))
    start = ("--start", str(folder / "start"), "-o", "{out}")
    yield Job("training", (*train, *start), ("model/*",))


def harass(job: Job, folder: Path, kills: int, draw: random.Random) -> dict[str, Any]:
    """Run a job undisturbed, then with so many kills; how many ends were the same."""
    whole = folder / "whole"
    began = time.perf_counter()
    run(filled(job, whole))
    seconds = time.perf_counter() - began
    expected = digests(job, whole)
    assert expected, f"{job.name} left nothing to compare"
    killed = ended = same = 0
    while killed < kills:
        out = folder / "killed"
        for _ in range(draw.randint(1, min(LONGEST, kills - killed))):
            if run(filled(job, out), kill_after=draw.uniform(0, 1.1 * seconds)):
                break  # it was through before
            killed += 1
        run(filled(job, out))
        ended += 1
        same += digests(job, out) == expected
        shutil.rmtree(out)
    return {
        "seconds_undisturbed": round(seconds, 2),
        "kills": killed,
        "completed_runs": ended,
        "same": same,
        "files_compared": len(expected),
    }


def filled(job: Job, out: Path) -> list[str]:
    return [word.format(out=out) for word in job.command]


def run(arguments: list[str], kill_after: float | None = None) -> bool:
    """Run a command of the package in a fork of this process; False where it was killed.

    A fork has all that the package imports, so that the kills fall on the work.
    """
    process = os.fork()
    if process == 0:
        os.setsid()
        os._exit(child(arguments))
    deadline = time.monotonic() + (kill_after if kill_after is not None else 600)
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            if status:
                raise SystemExit(f"{' '.join(arguments)} failed with status {status}")
            return True
        time.sleep(0.002)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    if kill_after is None:
        raise SystemExit(f"{' '.join(arguments)} does not end")
    return False


def child(arguments: list[str]) -> int:
    """The command line, its output thrown away."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        sys.argv = ["spacy-gladis", *arguments]
        try:
            command_line()
        except SystemExit as end:
            return int(end.code or 0)
        except BaseException:  # else it would go on in the fork as if it were the parent
            return 1
    return 0


def digests(job: Job, folder: Path) -> dict[str, str]:
    """A checksum of each file that is compared."""
    paths = [path for pattern in job.compared for path in folder.glob(pattern) if path.is_file()]
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in paths}


if __name__ == "__main__":
    main()
