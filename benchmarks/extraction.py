"""Measure the mining of a corpus: CPU against reading alone, scaling, memory, a large group-by.

    python benchmarks/extraction.py all ../shared/corpus

Each figure is taken in processes of its own. Ratios are of runs that alternate, the least of
`--rounds` each.
"""

import argparse
import io
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from measuring import RESULTS, in_process, peak_megabytes, write_results

from spacy_gladis.research.mining.engine import executor
from spacy_gladis.research.mining.extract import MinedDefinition
from spacy_gladis.research.mining.mine import find_inputs
from spacy_gladis.research.mining.readers import Piece, read_piece
from spacy_gladis.research.mining.stages import (
    BucketWriter,
    MiningSettings,
    count_bucket,
    extract_piece,
)
from spacy_gladis.text import schwartz_hearst


def main() -> None:
    """Run the measurements named, and write them into the results file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["all", *STEPS])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100_000_000, help="of the group-by")
    options = parser.parse_args()
    if options.what in STEPS:
        print(json.dumps(STEPS[options.what](options)))
        return
    measurements = (cpu_ratio, scaling, memory, group_by)
    figures = {measurement.__name__: measurement(options) for measurement in measurements}
    write_results(RESULTS / "extraction.json", figures)


def step(options: argparse.Namespace, name: str) -> dict[str, Any]:
    """Run one step in a process of its own."""
    result: dict[str, Any] = in_process(__file__, name, options.corpus, "--rows", options.rows)
    return result


def least_seconds(options: argparse.Namespace, *steps: str) -> dict[str, float]:
    """The least seconds of each step, in rounds that take turns."""
    rounds = [
        {name: step(options, name)["seconds"] for name in steps} for _ in range(options.rounds)
    ]
    return {name: min(figures[name] for figures in rounds) for name in steps}


def cpu_ratio(options: argparse.Namespace) -> dict[str, Any]:
    """CPU seconds of the whole extraction over those of decompressing and parsing JSON alone."""
    best = least_seconds(options, "parse", "read", "find", "extract")
    files = find_inputs([options.corpus])
    text = step(options, "read")["characters"]
    return {
        "million_characters": text / 1e6,
        "compressed_megabytes": sum(file.size for file in files) / 1e6,
        "cpu_seconds": {name: round(seconds, 2) for name, seconds in best.items()},
        "ratio": round(best["extract"] / best["parse"], 2),
        "megabytes_per_cpu_second": round(text / 1e6 / best["extract"], 1),
    }


def scaling(options: argparse.Namespace) -> dict[str, Any]:
    """Seconds of the extraction with one worker over those with two."""
    best = least_seconds(options, "one_worker", "two_workers")
    return {
        "seconds": {name: round(seconds, 2) for name, seconds in best.items()},
        "speedup": round(best["one_worker"] / best["two_workers"], 2),
    }


def memory(options: argparse.Namespace) -> dict[str, Any]:
    """Peak memory of a shard's extraction, and of the same shard doubled."""
    shard = max(find_inputs([options.corpus]), key=lambda shard: shard.size).path
    peaks = {}
    for name, copies in (("shard", 1), ("doubled", 2)):
        with tempfile.TemporaryDirectory() as folder:
            # Compressed shards may be joined: their frames follow each other.
            path = Path(folder) / shard.name
            path.write_bytes(shard.read_bytes() * copies)
            settings = argparse.Namespace(**{**vars(options), "corpus": path})
            peaks[name] = step(settings, "extract")["peak_megabytes"]
    return {
        "shard": shard.name,
        "peak_megabytes": {name: round(peak, 1) for name, peak in peaks.items()},
        "growth": round(peaks["doubled"] / peaks["shard"] - 1, 3),
    }


def group_by(options: argparse.Namespace) -> dict[str, Any]:
    """The counting of many synthetic definitions inside two gigabytes."""
    return step(options, "count")


def pieces(options: argparse.Namespace) -> list[Piece]:
    """Return the files of the corpus, each as one piece."""
    return [Piece.whole(source.path) for source in find_inputs([options.corpus])]


def step_parse(options: argparse.Namespace) -> dict[str, Any]:
    """Decompress and parse, as plainly as Python can."""
    import zstandard

    began = time.process_time()
    for piece in pieces(options):
        with piece.path.open("rb") as file:
            stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            for line in io.BufferedReader(stream, 1 << 20):
                json.loads(line)
    return {"seconds": time.process_time() - began}


def step_read(options: argparse.Namespace) -> dict[str, Any]:
    """Read documents, bad records looked for."""
    began, characters = time.process_time(), 0
    for piece in pieces(options):
        for document in read_piece(piece):
            characters += len(document.text)
    return {"seconds": time.process_time() - began, "characters": characters}


def step_find(options: argparse.Namespace) -> dict[str, Any]:
    """Read documents and find definitions."""
    began, definitions = time.process_time(), 0
    for piece in pieces(options):
        for document in read_piece(piece):
            definitions += len(schwartz_hearst(document.text))
    return {"seconds": time.process_time() - began, "definitions": definitions}


def step_extract(options: argparse.Namespace) -> dict[str, Any]:
    """Everything: read, find, make samples, write."""
    import pyarrow.compute
    import pyarrow.parquet  # noqa: F401 (imports take half a second, once)

    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for piece in pieces(options):
            extract_piece(Path(folder), piece, MiningSettings(), "")
    return {"seconds": time.process_time() - began, "peak_megabytes": peak_megabytes()}


def extract_with(options: argparse.Namespace, workers: int) -> dict[str, Any]:
    """Seconds of the extraction in processes, their start and the counting left out."""
    files = find_inputs([options.corpus])
    with tempfile.TemporaryDirectory() as folder, executor(workers) as pool:
        list(pool.map(time.sleep, [0.5] * workers))  # the processes are up
        small = min(files, key=lambda file: file.size)
        list(pool.map(extract_piece, *arguments(Path(folder) / "0", [small] * workers)))
        began = time.perf_counter()
        largest_first = sorted(files, key=lambda file: -file.size)
        list(pool.map(extract_piece, *arguments(Path(folder) / "1", largest_first)))
        return {"seconds": time.perf_counter() - began}


def arguments(root: Path, files: list[Any]) -> list[list[Any]]:
    """The arguments of `extract_piece`, a list each."""
    pieces_of_files = [Piece.whole(file.path) for file in files]
    return [
        [root] * len(pieces_of_files),
        pieces_of_files,
        [MiningSettings()] * len(pieces_of_files),
        [""] * len(pieces_of_files),
    ]


def step_count(options: argparse.Namespace) -> dict[str, Any]:
    """Write synthetic definitions, then count every bucket within the limit, one after the other.

    As in a large corpus, a few pairs are frequent and most are rare: a third of the rows differ.
    """
    buckets, limit = 64, 1_200_000_000
    generator = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "definitions").mkdir()
        files = []
        for start in range(0, options.rows, 2_000_000):
            files.append(f"definitions/{start}.parquet")
            with BucketWriter(root / files[-1], MinedDefinition, buckets) as file:
                for _ in range(start, min(start + 2_000_000, options.rows), 10_000):
                    file.add(synthetic(generator, options.rows) for _ in range(10_000))
        writing_peak = peak_megabytes()
        size = sum((root / name).stat().st_size for name in files)
        began, rows = time.perf_counter(), 0
        for bucket in range(buckets):
            rows += count_bucket(root, bucket, files, limit, "")["statistics"]["rows"]
        return {
            "rows": options.rows,
            "distinct": rows,
            "parquet_megabytes": round(size / 1e6, 1),
            "seconds": round(time.perf_counter() - began, 1),
            "peak_megabytes_writing": round(writing_peak, 1),
            "peak_megabytes": round(peak_megabytes(), 1),
        }


def synthetic(generator: random.Random, rows: int) -> tuple[str, str, str, str]:
    """A definition; the ranks of acronyms and long forms are spread over all magnitudes."""
    rank = int(rows ** generator.random())
    acronym = f"A{rank % 1_500_000:X}"
    form = f"alpha {rank:x} beta {int((rank + 2) ** (generator.random() / 2)):x} form"
    return acronym, form, f"Source {rank % 20}", f"s:{rank % 1000}"


STEPS = {
    "parse": step_parse,
    "read": step_read,
    "find": step_find,
    "extract": step_extract,
    "one_worker": lambda options: extract_with(options, 1),
    "two_workers": lambda options: extract_with(options, 2),
    "count": step_count,
}

if __name__ == "__main__":
    main()
