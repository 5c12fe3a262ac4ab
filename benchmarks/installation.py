"""What a plain installation weighs, how soon it answers and in how much memory.

    python benchmarks/installation.py --before COMMIT --python python3.10 --python python3.13

Installs the wheel of the last commit without extras in a fresh environment of this Python, with the
versions of `constraints.txt`, and the one of a commit before in another; their processes run in
turns, and of each figure the median is given. With other Pythons the wheel is installed and asked
once. An environment that is in the folder already is used again.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any

from measuring import RESULTS, write_results

RESULT = RESULTS / "installation.json"
ROOT = Path(__file__).parents[1]
TEXT = "The MRI showed no lesion."
BLANK = ("-I", "-c", "import spacy; spacy.blank('en')('A text.')")
ANSWER = ("-I", "-m", "spacy_gladis", "annotate", TEXT, "--format", "jsonl")
LARGEST = 6
"""Packages that are named."""


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", help="a commit to measure beside the last one")
    parser.add_argument("--python", action="append", default=[], help="try it there, too")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "installation")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    folder = options.folder.absolute()
    commits = {"now": "HEAD", **({"before": options.before} if options.before else {})}
    pythons = {
        name: install(sys.executable, commit, folder / name) for name, commit in commits.items()
    }
    write_results(
        options.output,
        {
            "rounds": options.rounds,
            **{name: weight(python) for name, python in pythons.items()},
            "in_turns": in_turns(pythons, options.rounds),
            "pythons": dict(tried(name, folder) for name in options.python),
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


def install(python: str, commit: str, folder: Path) -> Path:
    """The Python of an environment with the wheel of a commit and what it requires."""
    environment = folder / "venv"
    executable = environment / "bin" / "python"
    if executable.exists():
        return executable
    source = folder / "source"
    source.mkdir(parents=True)
    with TemporaryFile() as archive:
        subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=archive, check=True)
        archive.seek(0)
        subprocess.run(["tar", "x"], cwd=source, stdin=archive, check=True)
    run(python, "-m", "venv", environment)
    pip = (executable, "-m", "pip", "--quiet")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, source)
    [wheel] = folder.glob("*.whl")
    run(*pip, "install", "--constraint", source / "constraints.txt", wheel)
    return executable


def run(*command: object) -> str:
    """What a command prints."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def weight(python: Path) -> dict[str, Any]:
    """The size of an environment's packages and of the wheel, without pip, in millions of bytes."""
    [packages] = python.parents[1].glob("lib/python*/site-packages")
    installed = [path for path in packages.iterdir() if not path.name.startswith("pip")]
    sizes = {path.name: megabytes([path, *path.rglob("*")]) for path in installed}
    return {
        "megabytes": round(sum(sizes.values()), 1),
        "wheel": megabytes(python.parents[2].glob("*.whl")),
        "largest": dict(sorted(sizes.items(), key=lambda entry: -entry[1])[:LARGEST]),
        "answer": answered(python),
    }


def megabytes(files: Iterable[Path]) -> float:
    """The size of files, in millions of bytes."""
    return round(sum(path.stat().st_size for path in files if path.is_file()) / 1e6, 1)


def answered(python: Path) -> str:
    """What an installation says that MRI is."""
    [acronym] = json.loads(run(python, *ANSWER).splitlines()[-1])["acronyms"]
    return str(acronym["long_form"])


def in_turns(pythons: dict[str, Path], rounds: int) -> dict[str, Any]:
    """Median seconds, CPU seconds and peak memory of a blank pipeline and of a first answer."""
    calls = {"spacy.blank": BLANK, "first answer of annotate": ANSWER}
    taken: dict[str, dict[str, list[Sequence[float]]]] = {
        name: {call: [] for call in calls} for name in pythons
    }
    for _ in range(rounds):
        for call, arguments in calls.items():
            for name, python in pythons.items():
                taken[name][call].append(measured(python, *arguments))
    kinds = ("seconds", "cpu_seconds", "peak_megabytes")
    return {
        name: {
            call: {
                kind: round(median(values), 2)
                for kind, values in zip(kinds, zip(*measures, strict=True), strict=True)
            }
            for call, measures in of_calls.items()
        }
        for name, of_calls in taken.items()
    }


def measured(python: Path, *arguments: str) -> tuple[float, float, float]:
    """Seconds, CPU seconds and peak megabytes of a process."""
    began = time.perf_counter()
    process = subprocess.Popen([python, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    seconds = time.perf_counter() - began
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def tried(python: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The version of another Python, and what an installation there weighs and answers."""
    version = run(python, "-c", "import platform; print(platform.python_version())").strip()
    result = install(python, "HEAD", folder / version)
    return version, {"megabytes": weight(result)["megabytes"], "answer": answered(result)}


if __name__ == "__main__":
    main()
