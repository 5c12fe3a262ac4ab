"""Build a dictionary from observations: rows of acronym, long form, domain, count."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from ..problem import Problem, Report, log_problem
from .candidate import Entry, Group, Row, clean_row
from .merge import merge_entries
from .store import Store
from .writer import StoreWriter, write_store

PENDING = 500_000
"""Distinct (acronym, long form, domain) that wait in memory, about 150 MB of them."""

Keep = Callable[[str, Entry], bool]
"""Whether a merged long form of an acronym belongs in the dictionary."""


@dataclass
class BuildReport:
    """What became of the rows: they were merged into `long_forms`, of which some were dropped."""

    rows: int = 0
    bad_rows: int = 0
    acronyms: int = 0
    long_forms: int = 0
    spellings: int = 0
    dropped: int = 0


def build_dictionary(
    rows: Iterable[Row | tuple[str, str, str, int]],
    path: Path,
    metadata: Mapping[str, Any] | None = None,
    *,
    merge: bool = True,
    keep: Keep | None = None,
    report: Report = log_problem,
) -> BuildReport:
    """Build a dictionary file from rows (acronym, long form, domain, count) in any order.

    Spellings of one long form are merged, unless `merge` is off, and the most frequent stands for
    them; counts are kept by domain (GLADIS, section 3). A bad row is reported and left out. Equal
    rows give equal bytes, whatever their order. Memory is bounded: what exceeds PENDING waits in
    files beside `path`.

    Raises `InputError`, and leaves a file that is there, where no long form is left to write.
    """
    made = BuildReport()
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=path.parent, prefix=".spacy-gladis-") as folder,
        closing(StoreWriter(Path(folder))) as spool,
    ):
        for acronym, entries in _observed(rows, made, report):
            spool.add(acronym, entries)
        observed = Path(folder) / "observed.gladis"
        spool.finish(observed, {})
        write_store(_merged(Store(observed), made, merge, keep), path, metadata or {})
    return made


def _observed(
    rows: Iterable[Row | tuple[str, str, str, int]], made: BuildReport, report: Report
) -> Iterator[tuple[str, Iterable[Entry]]]:
    """The good rows by acronym; one comes again where more than PENDING were waiting."""
    waiting: dict[str, dict[str, dict[str, int]]] = {}
    pending = 0
    for number, given in enumerate(rows, 1):
        try:
            row = clean_row(*given)
        except InputError as error:
            made.bad_rows += 1
            report(Problem("bad row", "rows", number, str(error)))
            continue
        made.rows += 1
        counts = waiting.setdefault(row.acronym, {}).setdefault(row.long_form, {})
        pending += row.domain not in counts
        counts[row.domain] = counts.get(row.domain, 0) + row.count
        if pending >= PENDING:
            yield from ((acronym, entries.items()) for acronym, entries in waiting.items())
            waiting, pending = {}, 0
    yield from ((acronym, entries.items()) for acronym, entries in waiting.items())


def _merged(store: Store, made: BuildReport, merge: bool, keep: Keep | None) -> Iterator[Group]:
    """The groups on their way from the observations to the dictionary, counted."""
    for offset in store.offsets:
        acronym = store.acronym(offset)
        entries: list[Entry] = [(found[0], found[1]) for found in store.candidates(offset)]
        made.spellings += len(entries)
        if merge:
            entries = merge_entries(entries)
        kept = [one for one in entries if keep(acronym, one)] if keep else entries
        made.dropped += len(entries) - len(kept)
        if kept:
            made.acronyms += 1
            made.long_forms += len(kept)
            yield acronym, kept
    if not made.acronyms:
        raise InputError(
            f"There is nothing to write: of {made.spellings:,} long forms none is left. "
            "Expected rows of acronym, long form, domain and count."
        )
