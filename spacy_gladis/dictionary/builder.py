"""Build a dictionary from observations: rows of acronym, long form, source, count."""

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
from .candidate import Entry, Group, Row, clean_row, total
from .merging import Key, merge_entries
from .store import write_store

# Rows wait on the disk, beside what is built; what of them is in memory is bounded, in KiB.
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
    merge: Key | None = same_key,
    keep: Keep | None = None,
    report: Report = log_problem,
) -> BuildReport:
    """Build a dictionary file from rows (acronym, long form, source, count) in any order.

    Spellings of one long form, which have one key under `merge`, are merged (None: they are not),
    and the most frequent stands for them; counts are kept by source (GLADIS, section 3.1). A bad
    row is reported and left out. Equal rows give equal bytes, whatever their order. They wait in a
    file beside `path`: memory is bounded.

    Raises `InputError`, and leaves a file that is there, where no long form is left to write.
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
    """The rows that are none of the bad ones, each with its place among them."""
    for number, given in enumerate(rows, 1):
        try:
            row = clean_row(*given)
        except InputError as error:
            made.bad_rows += 1
            report(Problem("bad row", "rows", number, str(error)))
            continue
        made.rows += 1
        yield (*row, number)


def _merged(
    observed: sqlite3.Connection, made: BuildReport, merge: Key | None, keep: Keep | None
) -> Iterator[Group]:
    """The groups on their way from the observations to the dictionary, counted."""
    rows = observed.execute("SELECT * FROM observed ORDER BY acronym, place")
    for acronym, of_acronym in groupby(rows, key=itemgetter(0)):
        forms: dict[str, dict[str, int]] = {}
        for _, long_form, source, count, _ in of_acronym:
            forms.setdefault(long_form, {})[source] = count
        entries: list[Entry] = list(forms.items())
        made.spellings += len(entries)
        if merge:
            entries = merge_entries(entries, merge)
        kept = [one for one in entries if keep(acronym, one)] if keep else entries
        made.dropped += len(entries) - len(kept)
        if kept:
            made.acronyms += 1
            made.long_forms += len(kept)
            yield acronym, kept
    if not made.acronyms:
        raise InputError(
            f"There is nothing to write: of {made.spellings:,} long forms none is left. "
            "Expected rows of acronym, long form, source and count."
        )


class SourceTally:
    """Counts long forms and their occurrences by source."""

    def __init__(self) -> None:
        self.long_forms: Counter[str] = Counter()
        self.exclusive: Counter[str] = Counter()
        self.occurrences: Counter[str] = Counter()

    def add(self, entries: list[Entry]) -> None:
        """Take the long forms of one acronym in."""
        for _, counts in entries:
            self.long_forms.update(counts.keys())
            self.occurrences.update(counts)
            if len(counts) == 1:
                self.exclusive.update(counts.keys())

    def to_json(self) -> list[dict[str, Any]]:
        """The figures of each source, the one with the most long forms first."""
        return [
            {
                "source": source,
                "long_forms": number,
                "in_no_other": self.exclusive[source],
                "occurrences": self.occurrences[source],
            }
            for source, number in sorted(self.long_forms.items(), key=lambda one: (-one[1], one[0]))
        ]


LONGEST = 100  # characters of a long form
FREQUENT = 3  # times seen; what is less sure must be
PUNCTUATION = ",;:"

_NUMERAL = re.compile(r"[ivxlcdm]+", re.IGNORECASE)


def is_plausible(acronym: str, entry: Entry) -> bool:
    """Whether a mined pair is more likely right than wrong, by its shape and its frequency.

    Left out: long forms over 100 characters, that end in punctuation, or that are the acronym
    itself in other signs ("CDC", "U. S."); what no text writes as an
    acronym (no capital, blanks, a word such as "West") unless it was seen three times; lower-case
    Roman numerals, which number the clauses of a law, always.
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
    """Keeps the merged long forms that are frequent enough and, given `noise`, look right.

    `noise` says why a long form by itself is none, or None where nothing speaks against it.
    """

    min_count: int = 1
    noise: Callable[[str], str | None] | None = None

    def __call__(self, acronym: str, entry: Entry) -> bool:
        """Whether to keep a long form of an acronym."""
        if total(entry) < self.min_count:
            return False
        if self.noise is None:
            return True
        return self.noise(entry[0]) is None and is_plausible(acronym, entry)
