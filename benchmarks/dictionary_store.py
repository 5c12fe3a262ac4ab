"""The dictionary file at the published size, against `json.load`.

Makes a synthetic dictionary (1.5 M acronyms, 6.4 M long forms), writes it in the published format,
imports that, and measures each in a process of its own, one after the other:

    python benchmarks/dictionary_store.py run
"""

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from tempfile import TemporaryDirectory

from measuring import RESULTS, cpu_seconds, in_process, write_results

from spacy_gladis.dictionary import Dictionary, Group, export_dictionary, import_dictionary

LOOKUPS = 1_000_000
OPENINGS = 20


def main() -> None:
    """Make the dictionary, measure it in both forms and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("step", choices=["run", *STEPS])
    parser.add_argument("paths", type=Path, nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--acronyms", type=int, default=1_500_000)
    parser.add_argument("--long-forms", type=int, default=6_400_000)
    parser.add_argument("--folder", type=Path, help="where to work (2 GB)")
    options = parser.parse_args()
    if options.step != "run":
        print(json.dumps(STEPS[options.step](*options.paths, options.acronyms)))
        return
    with TemporaryDirectory(dir=options.folder) as name:
        published, store = Path(name) / "published.json", Path(name) / "store.sqlite"
        export_dictionary(synthetic(options.acronyms, options.long_forms), published)
        few = "--acronyms", options.acronyms
        figures = {
            "load_average": os.getloadavg()[0],  # openings by the clock need a quiet machine
            "acronyms": options.acronyms,
            "long_forms": options.long_forms,
            "published_bytes": published.stat().st_size,
            "import": in_process(__file__, "import", published, store),
            "store_bytes": store.stat().st_size,
            "store": in_process(__file__, "store", store, *few),
            "json": in_process(__file__, "json", published, *few),
        }
    write_results(RESULTS / "dictionary_store.json", figures)


def measure_import(published: Path, store: Path, _: int) -> dict[str, float]:
    """Import the published format."""
    seconds = cpu_seconds(lambda: import_dictionary(published, store, "synthetic"))
    return {"cpu_seconds": seconds, "peak_bytes": memory("VmHWM")}


def measure_store(store: Path, acronyms: int) -> dict[str, float]:
    """Open the store and look a million acronyms up, twice; full candidates each time."""
    wanted = sample(acronyms)
    before = memory("RssAnon")
    openings = []
    for _ in range(OPENINGS):
        start = time.perf_counter()
        dictionary = Dictionary.open(store)
        openings.append(time.perf_counter() - start)

    def look_up() -> None:
        for acronym in wanted:
            dictionary.candidates(acronym)

    look_up()
    return {
        "open_seconds": sorted(openings)[OPENINGS // 2],
        "lookups_per_cpu_second": LOOKUPS / cpu_seconds(look_up),
        "private_bytes": memory("RssAnon") - before,
    }


def measure_json(published: Path, acronyms: int) -> dict[str, float]:
    """Load the published format with `json.load` and look a million acronyms up."""
    wanted = sample(acronyms)
    before = memory("RssAnon")
    start = time.perf_counter()
    with published.open(encoding="utf-8") as file:
        dictionary = json.load(file)
    opened = time.perf_counter() - start
    seconds = cpu_seconds(lambda: sum(len(dictionary[acronym]) for acronym in wanted))
    return {
        "open_seconds": opened,
        "lookups_per_cpu_second": LOOKUPS / seconds,
        "private_bytes": memory("RssAnon") - before,
    }


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


def memory(key: str) -> int:
    """Bytes that Linux gives this process: RssAnon is its own, VmHWM the most it had."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


STEPS: dict[str, Callable[..., dict[str, float]]] = {
    "import": measure_import,
    "store": measure_store,
    "json": measure_json,
}

if __name__ == "__main__":
    main()
