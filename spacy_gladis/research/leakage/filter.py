"""Removal of training samples that are equal or similar to the items of benchmarks."""

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
    """Finds texts that are equal or similar to the items of one or more benchmarks.

    Texts and benchmark items are compared as a whole and sentence by sentence. A long text that
    contains a benchmark sentence is therefore found, even if the text as a whole is not similar to
    it.

    Attributes:
        names: Names of the benchmarks.
        counts: Number of texts that were compared so far (`seen`), that did not leak (`kept`), that
            leaked (`dropped`), and that are equal to a benchmark item or sentence
            (`dropped_equal`).
        by_benchmark: Number of texts that leaked into each benchmark. A text can leak into several.
    """

    def __init__(self, benchmarks: Mapping[str, Iterable[str]], threshold: float = 0.75) -> None:
        """Index the items of the benchmarks, and the sentences of these items.

        Args:
            benchmarks: A mapping from the name of each benchmark to the texts of its items.
            threshold: Minimum cosine similarity of unigrams at which a text counts as leaked, above
                0 and up to 1.

        Raises:
            InputError: If the benchmarks contain no text, or the threshold is out of range.
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
            raise InputError(
                "The benchmarks contain no text to filter against. Give at least one benchmark "
                "with items."
            )
        self._number = {text: number for number, text in enumerate(owners)}
        # Whether each item belongs to each benchmark. An item can belong to several.
        self._belongs = np.zeros((len(owners), len(self.names)), dtype=bool)
        for number, names in enumerate(owners.values()):
            self._belongs[number, list(names)] = True
        self._index = ThresholdIndex(list(owners), threshold)

    def leaks(self, texts: Sequence[str]) -> Flags:
        """Determine which texts leak into which benchmarks, and update the counts.

        Args:
            texts: Texts to compare with the benchmark items, such as the contexts of training
                samples.

        Returns:
            A Boolean array [texts, benchmarks], True where a text leaks into a benchmark. The
            columns are in the order of `names`.
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
"""Number of samples that are compared with the benchmarks at a time."""


def benchmark_texts(folder: Path) -> tuple[dict[str, list[str]], list[Path]]:
    """Read the texts of all benchmarks in a folder.

    Each subfolder of the folder is one benchmark, which contains all data files below it. A data
    file directly in the folder is a benchmark of its own.

    Args:
        folder: Folder of benchmarks, or the path of a file with a single benchmark.

    Returns:
        A mapping from the name of each benchmark to the texts of its items, and a list of the files
        that were skipped because they are not data files.
    """
    if folder.is_file():
        return {folder.name: [item.text for item in read_items(folder)]}, []
    files, others = read_folder(folder)
    benchmarks: dict[str, list[str]] = {}
    for name, items in files.items():
        benchmarks.setdefault(name.split("/")[0], []).extend(item.text for item in items)
    return benchmarks, others


def filter_file(samples: Path, output: Path, leakage: LeakageFilter) -> dict[str, Any]:
    """Copy the samples that don't leak into any benchmark to a file of JSON lines.

    Lines that are not JSON or have no text are left out. They are counted in `bad_records`.

    Args:
        samples: Path of JSON lines (plain or compressed) whose records have a `text` or GLADIS's
            `tokens`, of a Parquet file, or of a folder of mined samples.
        output: Path of the file to write, as uncompressed JSON lines.
        leakage: Filter with the benchmarks. Its counts are updated.

    Returns:
        The counts of the filter (see `LeakageFilter`), the number of samples that leaked into each
        benchmark (`dropped_by_benchmark`), and the number of lines without a text (`bad_records`).

    Raises:
        InputError: If `samples` does not exist, or the extension of `output` belongs to Parquet or
            to a compressed file.
        FormatError: If `samples` contains no sample.
    """
    if output.suffix in (".parquet", ".zst", ".gz", ".bz2"):
        raise InputError(
            f"{output.name}: the output is written as JSON Lines. Choose a name with the extension "
            ".jsonl."
        )
    if not samples.exists():
        raise InputError(f"{samples} does not exist. Give a file or folder of samples.")
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
