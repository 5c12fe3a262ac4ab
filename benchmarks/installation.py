"""What a plain installation weighs, and how soon it answers.

    python benchmarks/installation.py --folder build/installation

Installs the wheel of the last commit without extras in an environment of its own, with the versions
of `constraints.txt`, and measures that. An environment that is in the folder already is used again.
Seconds are CPU seconds of fresh processes, the least of three.
"""

import argparse
import json
import os
import subprocess
import venv
from collections.abc import Iterable
from pathlib import Path

from measuring import RESULTS, write_results
from wheel import ROOT, build, run

RESULT = RESULTS / "installation.json"
ROUNDS = 3
BLANK = "import spacy; spacy.blank('en')"
VERSION = "import torch; print(torch.__version__)"
TEXT = "The MRI showed no lesion."
LARGEST = 6
"""Packages that are named."""


def install(wheel: Path, folder: Path) -> Path:
    """The environment with the wheel and what it requires, pip left out."""
    environment = folder / "venv"
    if not environment.exists():
        venv.create(environment, with_pip=True)
    pip = (environment / "bin/python", "-m", "pip", "install", "--quiet")
    run(*pip, "--constraint", ROOT / "constraints.txt", wheel, cwd=folder)
    run(*pip, "--no-deps", "--force-reinstall", wheel, cwd=folder)
    return environment


def megabytes(files: Iterable[Path]) -> float:
    """The size of files, in millions of bytes."""
    return round(sum(path.stat().st_size for path in files if path.is_file()) / 1e6, 1)


def cpu_seconds(*command: object) -> float:
    """CPU seconds of a process, the least of some."""
    words = [str(word) for word in command]
    taken = []
    for _ in range(ROUNDS):
        before = os.times()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        taken.append(sum(after[2:4]) - sum(before[2:4]))
    return round(min(taken), 2)


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "installation")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = build(folder)
    environment = install(wheel, folder)
    [packages] = environment.glob("lib/python*/site-packages")
    installed = [path for path in packages.iterdir() if not path.name.startswith("pip")]
    sizes = {path.name: megabytes([path, *path.rglob("*")]) for path in installed}
    os.chdir(folder)
    python, ours = environment / "bin/python", environment / "bin/spacy-gladis"
    found = json.loads(run(ours, "annotate", TEXT, cwd=folder))
    [acronym] = found["acronyms"]
    write_results(
        options.output,
        {
            "megabytes": round(sum(sizes.values()), 1),
            "largest": dict(sorted(sizes.items(), key=lambda one: -one[1])[:LARGEST]),
            "torch": run(
                python, "-c", "import torch; print(torch.__version__)", cwd=folder
            ).strip(),
            "answer": acronym["long_form"],
            "cpu_seconds": {
                "spacy.blank": cpu_seconds(python, "-c", BLANK),
                "first answer of annotate": cpu_seconds(ours, "annotate", TEXT),
            },
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


if __name__ == "__main__":
    main()
