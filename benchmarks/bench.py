"""Run the benchmarks of speed and memory in order, and write their page.

    python benchmarks/bench.py                       # the quick ones
    python benchmarks/bench.py --long                # all
    python benchmarks/bench.py --only pipes startup  # these
    python benchmarks/bench.py --page                # none: the page from the results there are

Each is a script beside this one, run in a process of its own with the files that stand beside the
repository. It writes its own `results/NAME.json`, and `docs/explanation/benchmarks.md` is made of
all of them: `lines.tsv` says what stands on it, a figure of a results file beside a peer's or a
limit. Keys into the file are joined by ` > `; `less`: the lower the better.
"""

import argparse
import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from measuring import RESULTS

from spacy_gladis.files import writing

ROOT = Path(__file__).parents[1]
LINES = Path(__file__).with_name("lines.tsv")
PAGE = ROOT / "docs" / "explanation" / "benchmarks.md"
INTRODUCTION = """\
# Speed and memory

This page compares the speed and the memory of the package with another program or with a limit.

The column "ours" has the figure of this package, and "compared with" has the same measurement for
another program, another setting or a limit. In the rows of `growth`, a log-log slope of 1 means
that the time grows linearly. "CPU s" are seconds of processor time. The ratio compares the two
figures: above 1, this package is better than the other program, or keeps within the limit.

Both figures of a row are measured in one run on two cores. The cores were also busy with other
work, which differed between runs. Compare the ratios, not figures of different rows. `make bench`
runs the quick benchmarks, and `make bench LONG=1` runs all. Each writes the file of its `NAME` in
`benchmarks/results/`, and `python benchmarks/bench.py --page` writes this page.

| `NAME` | measurement | ours | compared with | ratio |
|---|---|---|---|---|
"""
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
    Benchmark("rules_speed", (CORPUS, "--megabytes", "5")),
    Benchmark("pipes", (CORPUS,)),
    Benchmark("linker", (f"{DATA}/gladis", "--mentions", "60", "--passes", "120")),
    Benchmark("annotate", (CORPUS, "--documents", "120")),
    Benchmark("serve"),
    Benchmark("language_server"),
    Benchmark("growth", (CORPUS,), long=True),
    Benchmark("dictionary_store", ("run", "--folder", "build"), long=True),
    Benchmark("extraction", ("all", CORPUS), long=True),
    Benchmark("leakage_speed", ("--corpus", CORPUS, "--benchmarks", DATA), long=True),
    Benchmark("concept_inventory", INVENTORIES, long=True),
    Benchmark("engines", (DATA,), long=True),
    Benchmark("installation", long=True),
    Benchmark("fuzz_texts", long=True),
    Benchmark("hostile", long=True),
)


def main() -> int:
    """Run what is asked for and write the page; returns how many benchmarks failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = [benchmark.name for benchmark in BENCHMARKS]
    parser.add_argument("--long", action="store_true", help="the long ones too")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", default=[])
    parser.add_argument("--page", action="store_true", help="run none")
    given = parser.parse_args()
    failed = 0
    for benchmark in BENCHMARKS:
        wanted = benchmark.name in given.only if given.only else given.long or not benchmark.long
        if wanted and not given.page:
            failed += not run(benchmark)
    write_page()
    return failed


def run(benchmark: Benchmark) -> bool:
    """Run a benchmark; False where it failed. Absent files skip it."""
    absent = [a for a in benchmark.arguments if "/" in a and not (ROOT / a).exists()]
    if absent:
        print(f"{benchmark.name}: skipped, there is no {', '.join(absent)}", file=sys.stderr)
        return True
    print(f"{benchmark.name}: running", file=sys.stderr, flush=True)
    call = [sys.executable, f"benchmarks/{benchmark.name}.py", *benchmark.arguments]
    failed = subprocess.run(call, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode
    print(f"{benchmark.name}: {'failed' if failed else 'done'}", file=sys.stderr, flush=True)
    return not failed


def write_page(path: Path = PAGE) -> None:
    """Write the page; a benchmark without results is left out."""
    with writing(path) as temporary:
        temporary.write_text(INTRODUCTION + "".join(f"{row}\n" for row in rows()), "utf8")


def rows() -> Iterator[str]:
    """The rows of the page."""
    for line in read_lines():
        path = RESULTS / f"{line['results']}.json"
        if path.exists():
            yield f"| `{line['results']}` {row(line, json.loads(path.read_text('utf8')))}"


def read_lines() -> list[dict[str, str]]:
    """The lines of the page."""
    with LINES.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def row(line: dict[str, str], figures: dict[str, Any]) -> str:
    """A line as a row of its table."""
    ours, other = _at(figures, line["ours"]), _at(figures, line["other"])
    if ours is None or other is None:
        return f"| {line['what']} | not measured | {line['peer']} | |"
    above, below = (other, ours) if line["less"] else (ours, other)
    ratio = f"{above / below:.3g}" if below > 0 else ""
    peer = f"{line['peer']}: {_shown(other)}"
    return f"| {line['what']} | {_shown(ours)} {line['unit']} | {peer} | {ratio} |"


def _at(figures: Any, keys: str) -> float | None:
    """The figure under the keys, or the number that is written in their place."""
    with suppress(ValueError):
        return float(keys)
    try:
        for key in keys.split(" > "):
            figures = figures[int(key) if isinstance(figures, list) else key]
    except (KeyError, IndexError):
        return None
    value: float = figures
    return value


def _shown(value: float) -> str:
    """Three figures where that says enough, digits in threes where it is large."""
    if value and abs(value) < 0.001:
        return f"{value:.2e}"
    return f"{round(value):,}" if abs(value) >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
