"""The dictionary file at the published size, against `json.load`.

Makes a synthetic dictionary (1.5 M acronyms, 6.4 M long forms), writes it in the published format,
imports that, and measures each in a process of its own, one after the other:

    python benchmarks/dictionary_store.py run
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from spacy_gladis.dictionary import Dictionary, Group, export_dictionary, import_dictionary

RESULTS = Path(__file__).parent / "results" / "dictionary_store.json"
LOOKUPS = 1_000_000
OPENINGS = 20

app = typer.Typer(no_args_is_help=True)


@app.command()
def run(
    acronyms: Annotated[int, typer.Option(help="Acronyms.")] = 1_500_000,
    long_forms: Annotated[int, typer.Option(help="Long forms, over all acronyms.")] = 6_400_000,
    folder: Annotated[Path | None, typer.Option(help="Where to work (2 GB).")] = None,
    output: Annotated[Path, typer.Option(help="The results.")] = RESULTS,
) -> None:
    """Make the dictionary, measure it in both forms and write the results."""
    with TemporaryDirectory(dir=folder) as name:
        published, store = Path(name) / "published.json", Path(name) / "store.sqlite"
        export_dictionary(synthetic(acronyms, long_forms), published)
        results: dict[str, Any] = {
            "command": " ".join(["python", "benchmarks/dictionary_store.py", *sys.argv[1:]]),
            "load_average": os.getloadavg()[0],  # rates by the clock need a quiet machine
            "acronyms": acronyms,
            "long_forms": long_forms,
            "published_bytes": published.stat().st_size,
            "import": measure("measure-import", published, store),
            "store_bytes": store.stat().st_size,
            "store": measure("measure-store", store, acronyms),
            "json": measure("measure-json", published, acronyms),
        }
    results["json_over_store"] = {
        key: results["json"][key] / max(results["store"][key], 1e-9)
        for key in ("open_seconds", "private_bytes")
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(results, indent=2) + "\n")
    typer.echo(json.dumps(results, indent=2))


@app.command(hidden=True)
def measure_import(published: Path, store: Path) -> None:
    """Import the published format."""
    start, cpu = time.perf_counter(), time.process_time()
    made = import_dictionary(published, store, "synthetic")
    report(
        seconds=time.perf_counter() - start,
        cpu_seconds=time.process_time() - cpu,
        long_forms=made.long_forms,
        peak_bytes=memory("VmHWM"),
    )


@app.command(hidden=True)
def measure_store(store: Path, acronyms: int) -> None:
    """Open the store and look a million acronyms up, twice; full candidates each time."""
    wanted = sample(acronyms)
    before = memory("RssAnon")
    openings = []
    for _ in range(OPENINGS):
        start = time.perf_counter()
        dictionary = Dictionary.open(store)
        openings.append(time.perf_counter() - start)
    found, first, _ = look_up(dictionary, wanted)
    _, warm, warm_cpu = look_up(dictionary, wanted)
    private = memory("RssAnon") - before
    start = time.perf_counter()
    dictionary.verify()
    report(
        first_open_seconds=openings[0],
        open_seconds=sorted(openings)[OPENINGS // 2],
        candidates_per_lookup=found / LOOKUPS,
        first_lookups_per_second=first,
        lookups_per_second=warm,
        lookups_per_cpu_second=warm_cpu,
        private_bytes=private,
        verify_seconds=time.perf_counter() - start,
    )


def look_up(dictionary: Dictionary, wanted: list[str]) -> tuple[int, float, float]:
    """The number of candidates found, look-ups a second and a CPU second."""
    start, cpu = time.perf_counter(), time.process_time()
    found = sum(len(dictionary.candidates(acronym)) for acronym in wanted)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    return found, len(wanted) / seconds, len(wanted) / cpu_seconds


@app.command(hidden=True)
def measure_json(published: Path, acronyms: int) -> None:
    """Load the published format with `json.load` and look a million acronyms up."""
    wanted = sample(acronyms)
    before = memory("RssAnon")
    start = time.perf_counter()
    with published.open(encoding="utf-8") as file:
        dictionary = json.load(file)
    opened = time.perf_counter() - start
    start, cpu = time.perf_counter(), time.process_time()
    found = sum(len(dictionary[acronym]) for acronym in wanted)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    report(
        open_seconds=opened,
        candidates_per_lookup=found / LOOKUPS,
        lookups_per_second=LOOKUPS / seconds,
        lookups_per_cpu_second=LOOKUPS / cpu_seconds,
        private_bytes=memory("RssAnon") - before,
    )


def synthetic(acronyms: int, long_forms: int) -> Iterator[Group]:
    """Groups of the given numbers; the long forms an acronym has follow a power law."""
    chance = random.Random(1)
    vocabulary = ["".join(chance.choices(ascii_lowercase, k=5 + i % 9)) for i in range(20_000)]
    sizes = [min(int(chance.paretovariate(1.25)), 5_000) for _ in range(acronyms)]
    surplus = sum(sizes) - long_forms
    while surplus:
        place = chance.randrange(acronyms)
        step = -1 if surplus > 0 else 1
        if sizes[place] + step >= 1:
            sizes[place] += step
            surplus += step
    for number, size in enumerate(sizes):
        words = chance.choices(vocabulary, k=3 * size)
        forms = dict.fromkeys(map(" ".join, zip(words[::3], words[1::3], words[2::3], strict=True)))
        yield (
            name(number, acronyms),
            [(form, {"synthetic": 1 + size // (rank + 1)}) for rank, form in enumerate(forms)],
        )


def name(number: int, acronyms: int) -> str:
    """The acronym of a number: two to five capitals, the order mixed."""
    number = number * 611_953 % acronyms + 26
    letters = ""
    while number:
        number, letter = divmod(number, 26)
        letters += ascii_uppercase[letter]
    return letters


def sample(acronyms: int) -> list[str]:
    """A million acronyms, each as likely as any other."""
    chance = random.Random(2)
    return [name(chance.randrange(acronyms), acronyms) for _ in range(LOOKUPS)]


def measure(command: str, *arguments: object) -> dict[str, Any]:
    """Run a command of this script in a process of its own; what it reported."""
    call = [sys.executable, __file__, command, *map(str, arguments)]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def memory(key: str) -> int:
    """Bytes that Linux gives this process: RssAnon is its own, VmHWM the most it had."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


def report(**values: float) -> None:
    typer.echo(json.dumps(values))


if __name__ == "__main__":
    app()
