"""Build a dictionary from observations: rows of acronym, long form, domain, count."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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


class DictionaryBuilder:
    """Collects rows in any order and any number; `write` merges and stores them.

    What exceeds `pending` distinct rows waits in files in `folder` (default: the system's
    temporary folder), so that memory does not grow with the rows. With `merge` off, spellings of
    one long form stay apart. Use it in a `with` statement.
    """

    def __init__(
        self,
        merge: bool = True,
        keep: Keep | None = None,
        pending: int = PENDING,
        folder: Path | None = None,
    ) -> None:
        self.merge = merge
        self.keep = keep
        self.pending = pending
        self.rows = 0
        self._folder = TemporaryDirectory(dir=folder, prefix=".spacy-gladis-")
        self._spool = StoreWriter(Path(self._folder.name))
        self._waiting: dict[str, dict[str, dict[str, int]]] = {}
        self._number = 0

    def __enter__(self) -> "DictionaryBuilder":
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()
        self._folder.cleanup()

    def add(self, acronym: str, long_form: str, domain: str, count: int = 1) -> None:
        """Add an observation; `InputError` says what is wrong with a bad one."""
        row = clean_row(acronym, long_form, domain, count)
        counts = self._waiting.setdefault(row.acronym, {}).setdefault(row.long_form, {})
        if row.domain not in counts:
            self._number += 1
        counts[row.domain] = counts.get(row.domain, 0) + row.count
        self.rows += 1
        if self._number >= self.pending:
            self._spill()

    def write(self, path: Path, metadata: Mapping[str, Any] | None = None) -> BuildReport:
        """Write the dictionary. Equal rows give equal bytes, whatever their order.

        Raises `InputError`, and leaves a file that is there, where no long form is left to write.
        """
        self._spill()
        observed = Path(self._folder.name) / "observed.gladis"
        self._spool.finish(observed, {})
        report = BuildReport(rows=self.rows)
        write_store(self._groups(Store(observed), report), path, metadata or {})
        return report

    def _groups(self, store: Store, report: BuildReport) -> Iterator[Group]:
        """The groups on their way from the observations to the dictionary, counted."""
        for offset in store.offsets:
            acronym = store.acronym(offset)
            entries: list[Entry] = [(found[0], found[1]) for found in store.candidates(offset)]
            report.spellings += len(entries)
            if self.merge:
                entries = merge_entries(entries)
            kept = [one for one in entries if self.keep(acronym, one)] if self.keep else entries
            report.dropped += len(entries) - len(kept)
            if kept:
                report.acronyms += 1
                report.long_forms += len(kept)
                yield acronym, kept
        if not report.acronyms:
            raise InputError(
                f"There is nothing to write: of {report.spellings:,} long forms none is left. "
                "Expected rows of acronym, long form, domain and count."
            )

    def _spill(self) -> None:
        for acronym, entries in self._waiting.items():
            self._spool.add(acronym, entries.items())
        self._waiting.clear()
        self._number = 0


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

    Spellings of one long form are merged and the most frequent stands for them, counts are kept
    by domain (GLADIS, section 3). A bad row is reported and left out. Memory is bounded.
    """
    bad = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with DictionaryBuilder(merge, keep, folder=path.parent) as builder:
        for number, row in enumerate(rows, 1):
            try:
                builder.add(*row)
            except InputError as error:  # noqa: PERF203 (a bad row must not end the job)
                bad += 1
                report(Problem("bad row", "rows", number, str(error)))
        return replace(builder.write(path, metadata), bad_rows=bad)
