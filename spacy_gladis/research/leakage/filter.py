"""Removal of training samples that leak into benchmarks."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import Flags
from ...documents.lines import read_lines
from ...errors import FormatError, InputError
from ...files import writing
from ...progress import with_progress
from ..datasets.files import fail
from ..datasets.sample import PLACEHOLDER, read_samples
from .formats import read_folder, read_items
from .similarity import ThresholdIndex, normal, with_sentences


class LeakageFilter:
    """Finds texts that equal a benchmark item or are similar to one.

    Texts and items are compared as a whole and sentence by sentence. This way, a long context that
    contains a benchmark sentence is found although it is not similar to that sentence as a whole.

    Attributes:
        names: The benchmarks' names.
        counts: Numbers of samples seen, kept, dropped, and dropped because they are equal.
        by_benchmark: Number of samples dropped for each benchmark. A sample can leak into several.
    """

    def __init__(self, benchmarks: Mapping[str, Iterable[str]], threshold: float = 0.75) -> None:
        """Index the benchmark items.

        Args:
            benchmarks: A mapping from the name of each benchmark to the texts of its items.
            threshold: Minimum cosine similarity at which a text counts as leaked, above 0 and up to
                1.

        Raises:
            InputError: If the benchmarks contain no text, or the threshold is invalid.
        """
        self.names = list(benchmarks)
        self.counts = Counter({"seen": 0, "kept": 0, "dropped": 0, "dropped_equal": 0})
        self.by_benchmark = Counter(dict.fromkeys(sorted(self.names), 0))
        owners: dict[str, set[int]] = {}
        for number, name in enumerate(self.names):
            texts = list(dict.fromkeys(benchmarks[name]))
            for unit in with_sentences(texts)[0]:
                owners.setdefault(normal(unit), set()).add(number)
        owners.pop("", None)
        if not owners:
            raise InputError("The benchmarks contain no text to filter against.")
        self._number = {text: number for number, text in enumerate(owners)}
        # [items, benchmarks]: an item can stand in several.
        self._belongs = np.zeros((len(owners), len(self.names)), dtype=bool)
        for number, names in enumerate(owners.values()):
            self._belongs[number, list(names)] = True
        self._index = ThresholdIndex(list(owners), threshold)

    def leaks(self, texts: Sequence[str]) -> Flags:
        """Find the texts that leak into a benchmark, and update the counts.

        Args:
            texts: The texts.

        Returns:
            Whether each text leaks into each benchmark, bool [texts, benchmarks].
        """
        units, owners = with_sentences(texts)
        units = [normal(unit) for unit in units]
        leaking = np.zeros((len(texts), len(self.names)), dtype=bool)
        equal = np.zeros(len(texts), dtype=bool)
        for owner, unit in zip(owners, units, strict=True):
            if (number := self._number.get(unit)) is not None:
                leaking[owner] |= self._belongs[number]
                equal[owner] = True
        for pairs in self._index.pairs(units):
            np.logical_or.at(leaking, owners[pairs.left], self._belongs[pairs.right])
        dropped = int(leaking.any(axis=1).sum())
        self.counts.update(seen=len(leaking), kept=len(leaking) - dropped, dropped=dropped)
        self.counts.update(dropped_equal=int(equal.sum()))
        self.by_benchmark.update(dict(zip(self.names, leaking.sum(axis=0).tolist(), strict=True)))
        return leaking


BATCH = 20_000


def benchmark_texts(folder: Path) -> tuple[dict[str, list[str]], list[Path]]:
    """Read the texts of the benchmarks in a folder.

    Args:
        folder: Folder whose subfolders or files are benchmarks, or the file of a single benchmark.

    Returns:
        A mapping from each benchmark to the texts of its items, and the files that are not data.
    """
    if folder.is_file():
        return {folder.name: [item.text for item in read_items(folder)]}, []
    files, others = read_folder(folder)
    benchmarks: dict[str, list[str]] = {}
    for name, items in files.items():
        benchmarks.setdefault(name.split("/")[0], []).extend(item.text for item in items)
    return benchmarks, others


def filter_file(samples: Path, output: Path, leakage: LeakageFilter) -> dict[str, Any]:
    """Write the samples that don't leak into any benchmark to a file of JSON lines.

    A line without a text is left out and counted in `bad_records`.

    Args:
        samples: JSON lines (plain or compressed) whose records have a `text` or GLADIS's `tokens`,
            a Parquet file, or a folder of mined samples.
        output: Path of the file to write, as uncompressed JSON lines.
        leakage: The filter to apply.

    Returns:
        The counts of samples.

    Raises:
        InputError: If `samples` does not exist, or the output's ending means another format.
        FormatError: If there is no sample.
    """
    if output.suffix in (".parquet", ".zst", ".gz", ".bz2"):
        raise InputError(
            f"{output.name}: the output is written as JSON Lines. Use the extension .jsonl."
        )
    if not samples.exists():
        raise InputError(f"{samples} does not exist.")
    bad = 0

    def records() -> Iterator[tuple[bytes, str]]:
        nonlocal bad
        if samples.is_dir() or samples.suffix == ".parquet":
            for sample in read_samples(samples):
                yield json.dumps(sample._asdict(), ensure_ascii=False).encode(), sample.text
            return
        for _, line in read_lines(samples, fail):
            if not line.strip():
                continue
            try:
                yield line, _text(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                bad += 1

    stream = with_progress(records(), what="samples")
    with writing(output) as temporary:
        with temporary.open("wb") as file:
            while batch := list(islice(stream, BATCH)):
                kept = ~leakage.leaks([text for _, text in batch]).any(axis=1)
                lines = (line for (line, _), keep in zip(batch, kept, strict=True) if keep)
                file.writelines(line + b"\n" for line in lines)
        if not leakage.counts["seen"]:
            raise FormatError(f"{samples} contains no sample ({bad} records have no text).")
    counts = {**leakage.counts, "dropped_by_benchmark": dict(leakage.by_benchmark)}
    return {**counts, "bad_records": bad}


def _text(record: dict[str, Any]) -> str:
    if "text" in record:
        text = record["text"]
    else:
        acronym = record["short_term"]
        text = " ".join(acronym if token == PLACEHOLDER else token for token in record["tokens"])
    if not isinstance(text, str):
        raise TypeError("the text is not a string")
    return text
