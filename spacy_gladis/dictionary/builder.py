"""Building of a dictionary from rows of acronym, long form, source and count."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from ..problem import Problem, Report, log_problem
from ..text.spelling import same_key
from .candidate import Entry, Group, Key, Row, clean_row, merge_entries, total
from .store import write_store

# Rows are collected in a temporary database, with a cache limit in KiB, to bound memory.
_OBSERVED = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -150000;
CREATE TABLE observed (acronym TEXT, long_form TEXT, source TEXT, count INTEGER, place INTEGER,
    PRIMARY KEY (acronym, long_form, source)) WITHOUT ROWID;
"""
_OBSERVE = (
    "INSERT INTO observed VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET count = count + excluded.count"
)

Keep = Callable[[str, Entry], bool]
"""A predicate that tells whether to keep a merged long form of an acronym."""


@dataclass
class BuildReport:
    """Figures of a finished build.

    Attributes:
        rows: Number of valid rows.
        bad_rows: Number of invalid rows, which were left out.
        acronyms: Number of acronyms in the dictionary.
        long_forms: Number of long forms in the dictionary.
        spellings: Number of distinct spellings of long forms in the rows.
        dropped: Number of merged long forms that were not kept.
    """

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
    merge: Key | None = same_key,
    keep: Keep | None = None,
    report: Report = log_problem,
) -> BuildReport:
    """Build a dictionary file (GLADIS, section 3).

    Equal rows give equal files, whatever their order. Rows are collected in a temporary file next
    to `path`, so memory use is bounded.

    Args:
        rows: Rows of acronym, long form, source and count, in any order. Invalid rows are reported
            and left out.
        path: The file to write. It is replaced only if the build succeeds.
        metadata: Description of the dictionary as JSON types, such as its sources.
        merge: Key that the spellings of one long form share, such as a value of `MERGING`
            (GLADIS, section 3.1). The most frequent spelling represents them. None: spellings are
            not merged.
        keep: Predicate that tells which merged long forms to keep; None to keep all.
        report: Function that receives each problem with a row.

    Returns:
        Figures of the build.

    Raises:
        InputError: If there is no long form to write.
    """
    made = BuildReport()
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=path.parent, prefix=".spacy-gladis-") as folder,
        closing(sqlite3.connect(Path(folder) / "observed.sqlite")) as observed,
    ):
        observed.executescript(_OBSERVED)
        observed.executemany(_OBSERVE, _good(rows, made, report))
        write_store(_merged(observed, made, merge, keep), path, metadata or {})
    return made


def _good(
    rows: Iterable[Row | tuple[str, str, str, int]], made: BuildReport, report: Report
) -> Iterator[tuple[str, str, str, int, int]]:
    """Yield the valid rows with their numbers."""
    for number, values in enumerate(rows, 1):
        try:
            row = clean_row(*values)
        except InputError as error:
            made.bad_rows += 1
            report(Problem("bad row", "rows", number, str(error)))
            continue
        made.rows += 1
        yield (*row, number)


def _merged(
    observed: sqlite3.Connection, made: BuildReport, merge: Key | None, keep: Keep | None
) -> Iterator[Group]:
    """Yield the acronyms with their long forms, and count them."""
    rows = observed.execute("SELECT * FROM observed ORDER BY acronym, place")
    for acronym, of_acronym in groupby(rows, key=itemgetter(0)):
        forms: dict[str, dict[str, int]] = {}
        for _, long_form, source, count, _ in of_acronym:
            forms.setdefault(long_form, {})[source] = count
        entries: list[Entry] = list(forms.items())
        made.spellings += len(entries)
        if merge:
            entries = merge_entries(entries, merge)
        kept = [entry for entry in entries if keep(acronym, entry)] if keep else entries
        made.dropped += len(entries) - len(kept)
        if kept:
            made.acronyms += 1
            made.long_forms += len(kept)
            yield acronym, kept
    if not made.acronyms:
        raise InputError(
            f"There is nothing to write: none of {made.spellings:,} long forms was kept. "
            "Provide rows of acronym, long form, source and count."
        )


class SourceTally:
    """Statistics of a dictionary's long forms by source.

    Attributes:
        long_forms: Number of long forms of each source.
        exclusive: Number of long forms that only this source has.
        occurrences: Sum of the counts of each source.
    """

    def __init__(self) -> None:
        """Start with no sources."""
        self.long_forms: Counter[str] = Counter()
        self.exclusive: Counter[str] = Counter()
        self.occurrences: Counter[str] = Counter()

    def add(self, entries: list[Entry]) -> None:
        """Add the long forms of one acronym.

        Args:
            entries: The long forms with their counts by source.
        """
        for _, counts in entries:
            self.long_forms.update(counts.keys())
            self.occurrences.update(counts)
            if len(counts) == 1:
                self.exclusive.update(counts.keys())

    def to_json(self) -> list[dict[str, Any]]:
        """Return the figures of each source as JSON types, by descending number of long forms."""
        return [
            {
                "source": source,
                "long_forms": number,
                "in_no_other": self.exclusive[source],
                "occurrences": self.occurrences[source],
            }
            for source, number in sorted(
                self.long_forms.items(), key=lambda item: (-item[1], item[0])
            )
        ]


LONGEST = 100  # characters of a long form
FREQUENT = 3  # minimum count of a doubtful acronym
PUNCTUATION = ",;:"

_NUMERAL = re.compile(r"[ivxlcdm]+", re.IGNORECASE)


def is_plausible(acronym: str, entry: Entry) -> bool:
    """Return whether a mined pair is plausible, by its shape and frequency.

    A pair is implausible if the long form has over 100 characters, ends in punctuation, or has the
    same letters as the acronym ("CDC", "U. S."). Lower-case Roman numerals are implausible too,
    because they number clauses of laws. Unusual acronyms (a single character, no capital, a space,
    or a capitalised word such as "West") must have been seen at least three times.

    Args:
        acronym: The acronym.
        entry: The long form and its counts by source.
    """
    long_form = entry[0]
    if len(long_form) > LONGEST or long_form[-1] in PUNCTUATION or acronym[-1] in PUNCTUATION:
        return False
    if _letters(long_form) == _letters(acronym):
        return False
    if acronym.islower() and _NUMERAL.fullmatch(acronym):
        return False
    doubtful = (
        len(acronym) == 1
        or " " in acronym
        or not any(map(str.isupper, acronym))
        or (len(acronym) > 3 and acronym.istitle() and acronym.isalpha())
    )
    return not doubtful or total(entry) >= FREQUENT


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


@dataclass(frozen=True)
class Selection:
    """A predicate for `build_dictionary` that keeps frequent and plausible long forms.

    Attributes:
        min_count: Minimum count over all sources.
        noise: Function that returns why a text is not a long form, or None if it may be one, such
            as `noise.noise`. None to keep all frequent long forms.
    """

    min_count: int = 1
    noise: Callable[[str], str | None] | None = None

    def __call__(self, acronym: str, entry: Entry) -> bool:
        """Return whether to keep a long form.

        Args:
            acronym: The acronym.
            entry: The long form and its counts by source.
        """
        if total(entry) < self.min_count:
            return False
        if self.noise is None:
            return True
        return self.noise(entry[0]) is None and is_plausible(acronym, entry)
