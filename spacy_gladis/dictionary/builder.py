"""Build a dictionary file from rows of acronym, long form, source and count."""

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
"""A function that returns whether an acronym's long form should be kept. It is called with the
acronym and the entry of the long form, after spellings have been merged."""


@dataclass
class BuildReport:
    """Statistics of a finished build.

    Attributes:
        rows: Number of valid rows.
        bad_rows: Number of invalid rows, which were skipped.
        acronyms: Number of acronyms in the dictionary.
        long_forms: Number of long forms in the dictionary.
        spellings: Number of distinct spellings of long forms in the rows.
        dropped: Number of merged long forms that the `keep` function rejected.
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

    The same rows give the same file, whatever their order. Rows are collected in a temporary file
    next to `path`, so memory use doesn't grow with their number.

    Args:
        rows: Rows of acronym, long form, source and count, in any order. Invalid rows are reported
            and skipped.
        path: Path of the file to write. An existing file is replaced only if the build succeeds.
        metadata: Description of the dictionary as JSON types, such as its sources.
        merge: Function that computes the key of a long form, such as a value of `MERGING` (GLADIS,
            section 3.1). Long forms of an acronym with the same key are merged, and the most
            frequent spelling represents them. None to keep all spellings.
        keep: Function that returns whether to keep a merged long form. None to keep all.
        report: Function that is called with each problem in the rows.

    Returns:
        Statistics of the build.

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
    """Yield the valid rows, each with its row number."""
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
    """Yield the acronyms with their merged long forms, and update the statistics."""
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
    """Counts the long forms that each source contributes to a dictionary.

    Attributes:
        long_forms: A mapping from each source to its number of long forms.
        exclusive: A mapping from each source to the number of long forms that no other source has.
        occurrences: A mapping from each source to the sum of its counts.
    """

    def __init__(self) -> None:
        """Create a tally without sources."""
        self.long_forms: Counter[str] = Counter()
        self.exclusive: Counter[str] = Counter()
        self.occurrences: Counter[str] = Counter()

    def add(self, entries: list[Entry]) -> None:
        """Count the long forms of an acronym.

        Args:
            entries: The acronym's long forms, each with its counts by source.
        """
        for _, counts in entries:
            self.long_forms.update(counts.keys())
            self.occurrences.update(counts)
            if len(counts) == 1:
                self.exclusive.update(counts.keys())

    def to_json(self) -> list[dict[str, Any]]:
        """Return the statistics of each source as JSON types, those with most long forms first."""
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


LONGEST = 100  # maximum characters of a long form
FREQUENT = 3  # minimum count of an acronym with an unusual shape
PUNCTUATION = ",;:"

_NUMERAL = re.compile(r"[ivxlcdm]+", re.IGNORECASE)


def is_plausible(acronym: str, entry: Entry) -> bool:
    """Return whether a mined pair of acronym and long form is plausible.

    A pair is implausible if the long form has more than 100 characters, ends in punctuation, or has
    the same letters as the acronym, as in "US" and "U. S.". Roman numerals in lower case are
    implausible too, because they number the clauses of laws. Acronyms with an unusual shape (a
    single character, no capital, a space, or a capitalised word such as "West") must have been seen
    at least three times.

    Args:
        acronym: The mined acronym.
        entry: The mined long form, with its counts by source.
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
    """A `keep` function for `build_dictionary` that selects frequent and plausible long forms.

    Attributes:
        min_count: Minimum sum of a long form's counts over all sources.
        noise: Function such as `noise.noise` that returns why a text is not a long form, or None if
            it may be a long form. None to skip this check and keep all frequent long forms.
    """

    min_count: int = 1
    noise: Callable[[str], str | None] | None = None

    def __call__(self, acronym: str, entry: Entry) -> bool:
        """Return whether to keep a long form of an acronym.

        Args:
            acronym: The acronym.
            entry: The long form, with its counts by source.
        """
        if total(entry) < self.min_count:
            return False
        if self.noise is None:
            return True
        return self.noise(entry[0]) is None and is_plausible(acronym, entry)
