"""Measure MB/s of the rules beside the tools in use, on full-text papers and on abstracts.

    python benchmarks/rules_speed.py ../shared/corpus

Every system sees the same texts in one process, a few at a time, one round after the other; of
each few the best round counts. CPU seconds are taken, so that other work on the machine matters
less: read the ratios.
"""

import argparse
import warnings
from functools import partial
from pathlib import Path
from typing import Any

from measuring import RESULTS, cpu_seconds, write_results

from spacy_gladis.errors import InputError
from spacy_gladis.research.mining.readers import read_documents
from spacy_gladis.research.tasks.definitions.system import make_finder

NAMES = (
    *("acronym_detector", "find_definitions", "schwartz_hearst", "scispacy"),
    *("abbreviations", "abbreviation_extractor", "pyab3p"),
)
SHARDS = {"full-text papers": "03-*", "abstracts": "05-*"}
SLOW = {"scispacy": 10, "abbreviations": 4}  # read one part in so many of the texts
PART = 10  # texts at a time


def main() -> None:
    """Measure all tools and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="folder with the shards 03 and 05")
    parser.add_argument("--megabytes", type=float, default=10.0, help="of each shard")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*W036.*")
    results = {
        kind: measure(first_texts(given.corpus, pattern, given.megabytes), given.rounds)
        for kind, pattern in SHARDS.items()
    }
    write_results(RESULTS / "rules_speed.json", results)


def first_texts(folder: Path, pattern: str, megabytes: float) -> list[str]:
    """The texts of a shard, up to so many megabytes."""
    shards = sorted(folder.glob(pattern))
    if not shards:
        raise InputError(f"{folder} holds no shard {pattern}.")
    texts: list[str] = []
    size = 0
    for document in read_documents(shards[0]):
        texts.append(document.text)
        size += len(document.text.encode())
        if size >= megabytes * 1e6:
            break
    return texts


def measure(texts: list[str], rounds: int) -> dict[str, Any]:
    """MB/s of each system."""
    systems = {name: make_finder(name) for name in NAMES}
    seconds, megabytes = dict.fromkeys(systems, 0.0), dict.fromkeys(systems, 0.0)
    for begin in range(0, len(texts), PART):
        best = dict.fromkeys(systems, float("inf"))
        parts = {
            name: texts[begin + -begin % (step := SLOW.get(name, 1)) : begin + PART : step]
            for name in systems
        }
        for _ in range(rounds):
            for name, find in systems.items():
                taken = cpu_seconds(partial(list, map(find, parts[name])))
                best[name] = min(best[name], taken)
        for name, part in parts.items():
            seconds[name] += best[name]
            megabytes[name] += sum(len(text.encode()) for text in part) / 1e6
    speeds = {name: megabytes[name] / seconds[name] for name in systems}
    return {
        "texts": len(texts),
        "megabytes": round(sum(len(text.encode()) for text in texts) / 1e6, 2),
        "MB/s": {name: round(speed, 2) for name, speed in speeds.items()},
    }


if __name__ == "__main__":
    main()
