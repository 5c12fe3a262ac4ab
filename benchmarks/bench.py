"""Run the benchmarks of speed and memory in order, and write their page.

    python benchmarks/bench.py                       # the quick ones
    python benchmarks/bench.py --long                # all
    python benchmarks/bench.py --only pipes startup  # these
    python benchmarks/bench.py --page                # none: the page from the results there are

Each is a script beside this one, run in a process of its own with the files that stand beside the
repository. It writes its own `results/NAME.json`; `results/bench.json` takes what each run cost,
its peak memory too, and `docs/benchmarks.md` is made of all of them.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from measuring import RESULTS
from page import write_page

from spacy_gladis.files import writing

ROOT = Path(__file__).parents[1]
CORPUS, DATA = "../shared/corpus", "../shared/benchmarks"
TAGGER, SAMPLES = "build/tagger/model-best", "build/samples.jsonl"
INVENTORIES = ("build/medic.concepts", "build/mesh.concepts")


class Benchmark(NamedTuple):
    """A script and its arguments; long: it takes more than two minutes, or files made before."""

    name: str
    arguments: tuple[str, ...] = ()
    long: bool = False


BENCHMARKS = (
    Benchmark("startup"),
    Benchmark("rules_speed", (CORPUS, "--megabytes", "5", "--output", "{result}")),
    Benchmark("pipes", (CORPUS,)),
    Benchmark("linker", (f"{DATA}/gladis", "--mentions", "60", "--passes", "120")),
    Benchmark("annotate", (CORPUS, "--documents", "120", "--show", "0")),
    Benchmark("serve"),
    Benchmark("growth", (CORPUS,), long=True),
    Benchmark("dictionary_store", ("run", "--folder", "build"), long=True),
    Benchmark("extraction", ("all", CORPUS), long=True),
    Benchmark("leakage_speed", ("--corpus", CORPUS, "--benchmarks", DATA), long=True),
    Benchmark("concept_inventory", INVENTORIES, long=True),
    Benchmark("installation", long=True),
    Benchmark("fuzz_texts", long=True),
    Benchmark("kill_restart", long=True),
)


def main() -> int:
    """Run what is asked for and write the page; returns how many benchmarks failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [one.name for one in BENCHMARKS]
    parser.add_argument("--long", action="store_true", help="the long ones too")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", default=[])
    parser.add_argument("--page", action="store_true", help="run none")
    given = parser.parse_args()
    failed = 0
    for one in BENCHMARKS:
        wanted = one.name in given.only if given.only else given.long or not one.long
        if wanted and not given.page:
            failed += not run(one)
    write_page()
    return failed


def run(one: Benchmark) -> bool:
    """Run a benchmark and note what it cost; False where it failed. Absent files skip it."""
    result = (RESULTS / f"{one.name}.json").relative_to(ROOT)
    arguments = [a.format(result=result) for a in one.arguments]
    absent = [a for a in one.arguments if "/" in a and not (ROOT / a).exists()]
    if absent:
        print(f"{one.name}: skipped, there is no {', '.join(absent)}", file=sys.stderr)
        return True
    print(f"{one.name}: running", file=sys.stderr, flush=True)
    began = time.perf_counter()
    call = [sys.executable, f"benchmarks/{one.name}.py", *arguments]
    process = subprocess.Popen(call, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    cost = {
        "seconds": round(time.perf_counter() - began, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_megabytes": usage.ru_maxrss // 1024,  # of its largest process
    }
    print(f"{one.name}: {'failed' if status else 'done'}, {cost}", file=sys.stderr, flush=True)
    if not status:
        note(one.name, cost)
    return not status


def note(name: str, cost: dict[str, Any]) -> None:
    """Put what a run cost into `results/bench.json`, in the order of the list."""
    path = RESULTS / "bench.json"
    known = json.loads(path.read_text("utf8"))["runs"] if path.exists() else {}
    known[name] = cost
    runs = {one.name: known[one.name] for one in BENCHMARKS if one.name in known}
    content = {
        "command": "python benchmarks/bench.py --long",
        "machine": {"processor": processor(), "cores": len(os.sched_getaffinity(0))},
        "python": platform.python_version(),
        "runs": runs,
    }
    with writing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", "utf8")


def processor() -> str:
    """The processor's name (Linux)."""
    lines = Path("/proc/cpuinfo").read_text("utf8").splitlines()
    return next((x.split(": ")[1] for x in lines if x.startswith("model name")), "unknown")


if __name__ == "__main__":
    sys.exit(main())
