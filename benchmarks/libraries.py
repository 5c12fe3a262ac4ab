"""What libraries would cost that do what the package does itself: start, installation, behaviour.

    for NAME in py3langid ijson rapidfuzz pebble loky; do pip install --target LIBRARIES/$NAME $NAME; done
    python benchmarks/libraries.py LIBRARIES

Each import takes place in a process of its own, which has imported numpy before: every command
does. Seconds are of processor time. Of an installation, what the package brings anyhow (numpy,
packaging, typing_extensions) is not counted. `docs/architecture.md` says what follows.
"""  # noqa: E501

import argparse
import os
import subprocess
import sys
import time
from functools import partial
from importlib import import_module
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from measuring import RESULTS, write_results

RESULT = RESULTS / "libraries.json"
FIRST_USES = {
    "py3langid": "import py3langid; py3langid.classify('Das ist ein Text.')",
    "ijson": "import ijson",
    "rapidfuzz": "from rapidfuzz import process",
    "pebble": "import pebble",
    "loky": "import loky",
}
SHARED = ("bin", "numpy", "packaging", "typing_extensions")
ROUNDS = 5
EXPIRED = 6
ENTRIES = b'{"A": [["x", 1]], "B": [["caf\xe9", 2]], "C": [["y", 3]]}'


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", type=Path)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    folder = options.libraries.resolve()
    sys.path += [str(folder / name) for name in FIRST_USES]
    command = "from spacy_gladis.cli import main; main()"
    start = cpu_seconds(command, folder, "annotate", "The FBI met the CIA.")
    empty = cpu_seconds("import numpy", folder)
    libraries = {
        name: {
            "megabytes": round(megabytes(folder / name), 1),
            "start_cpu_seconds": round(cpu_seconds(f"import numpy; {code}", folder) - empty, 3),
        }
        for name, code in FIRST_USES.items()
    }
    write_results(
        options.output,
        {
            "annotate_cpu_seconds": round(start, 2),
            "libraries": libraries,
            "pebble_processes_for_expired_requests": {"requests": EXPIRED, **pebble_processes()},
            "ijson_reads_what_follows_a_bad_byte": ijson_reads_on(),
        },
    )


def cpu_seconds(code: str, folder: Path, *arguments: str) -> float:
    """The median of the processor time of new processes."""
    import resource

    paths = [str(folder / name) for name in FIRST_USES]
    ours = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([ours, *paths])}
    taken = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        given = [sys.executable, "-c", code, *arguments]
        subprocess.run(given, check=True, env=environment, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(taken)


def megabytes(folder: Path) -> float:
    """The size of what a library brings."""
    brought = (path for path in folder.iterdir() if not path.name.startswith(SHARED))
    files = (file for path in brought for file in [path, *path.rglob("*")] if file.is_file())
    return sum(file.stat().st_size for file in files) / 1e6


def count_process(path: str) -> None:
    """Note that a process begins."""
    with Path(path).open("a") as file:
        file.write("x")


def work(endless: bool) -> None:
    """Return at once, or never."""
    while endless:
        pass


def pebble_processes() -> dict[str, int]:
    """How many processes one worker takes for requests that wait until their time is over."""
    pebble: Any = import_module("pebble")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "processes"
        begin = partial(count_process, str(path))
        with pebble.ProcessPool(1, initializer=begin, context=get_context("spawn")) as pool:
            pool.schedule(work, args=(False,)).result()
            requests = [pool.schedule(work, args=(True,)) for _ in range(EXPIRED)]
            time.sleep(1)
            for request in requests:
                request.cancel()
            pool.schedule(work, args=(False,)).result()
            pool.stop()
            pool.join()
        return {"processes": len(path.read_text())}


def ijson_reads_on() -> bool:
    """Whether entries behind a byte that is not UTF-8 are read."""
    ijson: Any = import_module("ijson")
    try:
        return len(list(ijson.kvitems(BytesIO(ENTRIES), ""))) > 1
    except ijson.JSONError:
        return False


if __name__ == "__main__":
    main()
