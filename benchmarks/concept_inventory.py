"""Build, open and search an inventory of 350,000 concepts with a million names.

    python benchmarks/concept_inventory.py medic.concepts mesh.concepts

Names are made by exchanging words between real ones: the nth word of a name for the nth word of
another one. Phrases are names with one letter or word changed. Exact search compares every name by
all its trigrams; the shortlist leaves out the trigrams of more than a share of the names.
"""

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import RESULTS, peak_megabytes, write_results

from spacy_gladis.concepts import Concept, Inventory, write_inventory
from spacy_gladis.concepts.trigrams import TrigramIndex

K = 16


def make_names(real: list[str], number: int, seed: int = 0) -> Iterator[str]:
    """Distinct names, the real ones first."""
    draw = random.Random(seed)
    words = [name.split() for name in real if name]
    made = dict.fromkeys(real)
    while len(made) < number:
        first, other = draw.choice(words), draw.choice(words)
        at = draw.randrange(len(first))
        made[" ".join([*first[:at], other[at % len(other)], *first[at + 1 :]])] = None
    return iter(list(made)[:number])


def change(name: str, draw: random.Random) -> str:
    """The name with a word left out, or a letter."""
    words = name.split()
    if len(words) > 2 and draw.random() < 0.5:
        del words[draw.randrange(len(words))]
        return " ".join(words)
    at = draw.randrange(len(name))
    return name[:at] + name[at + 1 :] or name


def main() -> None:
    """Measure the inventory and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inventories", nargs="+", type=Path)
    parser.add_argument("--concepts", type=int, default=350_000)
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--phrases", type=int, default=200)
    arguments = parser.parse_args()

    real = dict.fromkeys(
        name for inventory in arguments.inventories for name in Inventory.open(inventory).names
    )
    names = list(make_names(list(real), arguments.names))
    draw = random.Random(1)
    phrases = [change(draw.choice(names), draw) for _ in range(arguments.phrases)]
    figures: dict[str, object] = {"concepts": arguments.concepts, "names": len(names)}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "large.concepts"
        concepts = (
            Concept(f"C{number:07}", tuple(names[number :: arguments.concepts]))
            for number in range(arguments.concepts)
        )
        began = time.process_time()
        write_inventory(concepts, path)
        figures["build_cpu_seconds"] = round(time.process_time() - began, 1)
        figures["file_mb"] = round(path.stat().st_size / 2**20)
        began = time.process_time()
        inventory = Inventory.open(path)
        figures["open_cpu_ms"] = round(1000 * (time.process_time() - began), 2)
        began = time.process_time()
        for name in names[:10_000]:
            inventory.lookup(name)
        figures["lookups_per_cpu_second"] = round(10_000 / (time.process_time() - began))
    began = time.process_time()
    index = TrigramIndex(names)
    figures["index_cpu_seconds"] = round(time.process_time() - began, 1)
    result = {}
    for kind, share in (("exact", 1.0), ("shortlist", 0.02)):
        index.ignore_common(share)
        began = time.process_time()
        result[kind] = [set(rows.tolist()) for rows, _ in index.nearest(phrases, K)]
        rate = len(phrases) / (time.process_time() - began)
        figures[f"{kind}_phrases_per_cpu_second"] = round(rate, 1)
    pairs = list(zip(result["exact"], result["shortlist"], strict=True))
    figures[f"recall_at_{K}"] = round(
        sum(len(a & b) for a, b in pairs) / sum(len(a) for a, _ in pairs), 4
    )
    figures["peak_memory_mb"] = peak_megabytes()
    write_results(RESULTS / "concept_inventory.json", figures)


if __name__ == "__main__":
    main()
