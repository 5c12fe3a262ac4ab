"""Statistics of a mined corpus: its sources, and the long forms that were found in it."""

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
    """Compute the statistics of a mined corpus, as the GLADIS paper reports them.

    Args:
        workspace: Output folder of the mining run.

    Returns:
        A mapping with these entries:

        - `sources`: a list with a mapping for each domain. It has the numbers of characters,
          documents, definitions, samples and distinct pairs of acronym and long form (Table 2).
        - `total`: the sums over all domains.
        - `dictionary`: the numbers of acronyms and long forms (Table 4).
        - `problems`: counts and examples of records that could not be used.

    Raises:
        InputError: If the folder contains no mined corpus, or its mining is not finished.
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
    """Read the definitions of a mined corpus as rows for building a dictionary.

    Args:
        folder: Output folder of the mining run.

    Yields:
        A row for each acronym, spelling of a long form and domain, with the number of definitions.

    Raises:
        InputError: If the folder contains no mined corpus, or its mining is not finished.
    """
    for count in read_workspace_counts(Workspace(folder)):
        yield Row(count.acronym, count.long_form, count.domain, count.frequency)


def merge_spellings(counts: list[Count]) -> list[tuple[str, int]]:
    """Merge the spellings of an acronym's long forms that have the same merge key.

    The most frequent spelling represents the long form (GLADIS, section 3.1). Of equally frequent
    ones, it is the shortest, then the first in the order of code points.

    Args:
        counts: Counts of all spellings of one acronym's long forms.

    Returns:
        Pairs of a long form and its number of definitions, sorted from the most to the least
        frequent one.
    """
    keys = {count.long_form: count.merge_key for count in counts}
    entries = ((count.long_form, {count.domain: count.frequency}) for count in counts)
    merged = merge_entries(entries, keys.__getitem__)
    return [(entry[0], total(entry)) for entry in merged]


def read_workspace_counts(workspace: Workspace) -> Iterator[Count]:
    """Read how often each long form is defined in a mined corpus.

    Args:
        workspace: Output folder of the mining run.

    Yields:
        A count for each acronym, spelling of a long form and domain. All counts of an acronym are
        next to each other.

    Raises:
        InputError: If the folder contains no mined corpus, or its mining is not finished.
    """
    buckets = workspace.manifest()["settings"]["buckets"]
    paths = [workspace.root / f"counts/{bucket:03}.parquet" for bucket in range(buckets)]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise InputError(
            f"The mined corpus {workspace.root} is incomplete: {missing[0].name} is "
            "missing. Run the 'spacy-gladis corpus extract' command again to complete it."
        )
    yield from chain.from_iterable(map(read_counts, paths))


COUNTS = ("documents", "definitions", "samples", "pairs")


def show_statistics(statistics: dict[str, Any], console: Console | None = None) -> None:
    """Print the statistics of a mined corpus as tables, followed by examples of problems.

    Args:
        statistics: Statistics as `corpus_statistics` returns them.
        console: Console to print to. None prints to the terminal.
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
