"""Statistics of a mined corpus, by source and of the resulting dictionary."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from rich.console import Console

from ...dictionary import Row
from ...dictionary.candidate import merge_entries, total
from ...dictionary.tally import Tally
from ...errors import InputError
from ...output.dictionary_tables import show_dictionary
from ...output.figures import Table
from .engine import Workspace
from .stages import Count, read_counts

SUMMED = ("million_characters", "documents", "definitions", "samples")


def corpus_statistics(workspace: Workspace) -> dict[str, Any]:
    """Compute the statistics of a mined corpus.

    Args:
        workspace: The corpus's workspace.

    Returns:
        `sources` and their `total` (GLADIS, Table 2), the `dictionary` (Table 4) and the
        `problems`. A pair consists of an acronym and a merge key.

    Raises:
        InputError: If the folder is not a workspace or its mining is not finished.
    """
    pairs: Counter[str] = Counter()
    tally = Tally()
    for acronym, rows in groupby(read_workspace_counts(workspace), key=attrgetter("acronym")):
        counts = list(rows)
        pairs.update(domain for domain, _ in {(count.domain, count.merge_key) for count in counts})
        tally.add(acronym, merge_spellings(counts))
    report = json.loads((workspace.root / "report.json").read_text(encoding="utf-8"))
    sources = [
        {
            "domain": domain,
            "million_characters": counted["characters"] / 1e6,
            "documents": counted["documents"],
            "definitions": counted["definitions"],
            "samples": counted["samples"],
            "pairs": pairs[domain],
        }
        for domain, counted in report["domains"].items()
    ]
    sums = {name: sum(source[name] for source in sources) for name in SUMMED}
    return {
        "sources": sorted(sources, key=lambda source: -source["million_characters"]),
        "total": {**sums, "pairs": tally.long_forms},
        "dictionary": tally.to_json(),
        "problems": report["problems"],
    }


def mined_rows(folder: Path) -> Iterator[Row]:
    """Read the counts of a mined workspace as rows for building a dictionary.

    Args:
        folder: The workspace's folder.

    Yields:
        The rows.
    """
    for count in read_workspace_counts(Workspace(folder)):
        yield Row(count.acronym, count.long_form, count.domain, count.frequency)


def merge_spellings(counts: list[Count]) -> list[tuple[str, int]]:
    """Merge the spellings of an acronym's long forms by merge key (GLADIS, section 3.1).

    The most frequent spelling represents the long form. If several are equally frequent, it is the
    shortest of them, then the first in code point order.

    Args:
        counts: The acronym's counts.

    Returns:
        `(long form, count)`, the most frequent first.
    """
    keys = {count.long_form: count.merge_key for count in counts}
    entries = ((count.long_form, {count.domain: count.frequency}) for count in counts)
    merged = merge_entries(entries, keys.__getitem__)
    return [(entry[0], total(entry)) for entry in merged]


def read_workspace_counts(workspace: Workspace) -> Iterator[Count]:
    """Read all counts of a workspace. The counts of an acronym follow one another.

    Args:
        workspace: The workspace.

    Yields:
        The counts.

    Raises:
        InputError: If the mining is not finished or counts are missing.
    """
    buckets = workspace.manifest()["settings"]["buckets"]
    paths = [workspace.root / f"counts/{bucket:03}.parquet" for bucket in range(buckets)]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise InputError(
            f"The counts of {workspace.root} are incomplete: {missing[0].name} is "
            "missing. Run the 'spacy-gladis corpus extract' command again to complete them."
        )
    yield from chain.from_iterable(map(read_counts, paths))


COUNTS = ("documents", "definitions", "samples", "pairs")


def show_statistics(statistics: dict[str, Any], console: Console | None = None) -> None:
    """Print statistics as tables.

    Args:
        statistics: The result of `corpus_statistics`.
        console: Console to print to. Defaults to the terminal.
    """
    console = console or Console()
    table = Table("Sources", ("source", "M characters", *COUNTS))
    for source in [*statistics["sources"], {"domain": "total", **statistics["total"]}]:
        characters = f"{source['million_characters']:,.1f}"
        table.add(source["domain"], characters, *(source[name] for name in COUNTS))
    console.print(table.rich())
    show_dictionary(statistics["dictionary"], console)
    problems = statistics["problems"]
    for kind, number in problems["counts"].items():
        console.print(f"{number:,} times: {kind}")
    for example in problems["examples"]:
        console.print(f"  {example}", markup=False, soft_wrap=True)
