"""Damage a file of every format at random, as often as asked, and see what escapes the readers.

    python benchmarks/fuzz.py --each 1000 --output benchmarks/results/fuzz.json

Exits with 1 where anything but the package's own errors escaped, or a checked file told something
else than it holds.
"""

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from spacy_gladis.errors import GladisError
from tests.support.damage import damaged
from tests.support.formats import Readable, readables


def outcome(one: Readable, path: Path, whole: object) -> str:
    """What reading a damaged file comes to."""
    try:
        found = one.read(path)
    except GladisError:
        return "error"
    except Exception as error:
        return f"escaped: {type(error).__name__}"
    if found == whole:
        return "same"
    return "wrong answer" if one.checked else "other content"


def main() -> int:
    """Print and write what came of it; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--each", type=int, default=250, help="of each of four kinds of damage")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--output", type=Path, help="results as JSON")
    given = options.parse_args()
    logging.disable(logging.WARNING)
    started = time.process_time()
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, one in readables(folder).items():
            (folder / "damaged").mkdir(exist_ok=True)
            path = folder / "damaged" / one.path.name
            data, whole = one.path.read_bytes(), one.read(one.path)
            counts: Counter[str] = Counter()
            for _, content in damaged(data, random.Random(given.seed), given.each):
                path.write_bytes(content)
                counts[outcome(one, path, whole)] += 1
            results[kind] = dict(sorted(counts.items()))
            print(kind, results[kind], flush=True)
    faults = [
        kind
        for kind, counts in results.items()
        if any(what.startswith(("escaped", "wrong")) for what in counts)
    ]
    if given.output:
        content = {
            "command": f"python {' '.join(sys.argv)}",
            "inputs": sum(sum(counts.values()) for counts in results.values()),
            "cpu_seconds": round(time.process_time() - started, 1),
            "formats_with_faults": faults,
            "outcomes": results,
        }
        given.output.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
