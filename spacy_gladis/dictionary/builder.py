"""Build a dictionary file from rows of acronym, long form, source and count.

Rows come from glossaries or from definitions that were mined in a corpus. `build_dictionary` merges
the spellings of each long form, filters the result and writes the file.
"""

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
"""A function that decides whether `build_dictionary` keeps a long form. It is called with an
acronym and the long form's entry, after the spellings of the long form have been merged."""


@dataclass
class BuildReport:
    """Statistics of a dictionary build, as returned by `build_dictionary`.

    Attributes:
        rows: Number of valid input rows.
        bad_rows: Number of invalid input rows, which were reported and skipped.
        acronyms: Number of acronyms in the finished dictionary.
        long_forms: Number of long forms in the finished dictionary, after merging and filtering. A
            long form counts once for each of its acronyms.
        spellings: Number of long forms in the input before their spellings were merged. A spelling
            counts once for each acronym.
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
    """Build a dictionary file from rows of acronym, long form, source and count.

    This follows section 3.1 of the GLADIS paper, but merges more spellings by default. For the
    paper's merging, pass ``merge=MERGING["paper"]``. The command `dictionary build` also drops
    noisy long forms by default, which the paper keeps.

    The counts of identical rows are added up. The same rows give the same file, whatever their
    order. Rows are collected in a temporary file next to `path`, so memory use doesn't grow with
    their number.

    Args:
        rows: Rows of acronym, long form, source and count, in any order. Invalid rows are reported
            and skipped.
        path: Path of the dictionary file to write. Missing parent folders are created. An existing
            file is replaced only if the build succeeds.
        metadata: Description of the dictionary, such as its sources. The values must be JSON types.
            None to write no description.
        merge: Function that returns a key for a long form, such as a value of `MERGING`. Long forms
            of an acronym with the same key are merged into one, which is written in its most
            frequent spelling. None to keep every spelling as a separate long form.
        keep: Function that returns whether to keep a merged long form, such as a `Selection`. None
            to keep all long forms.
        report: Function that is called with a `Problem` for each invalid row. By default, problems
            are logged as warnings.

    Returns:
        The numbers of rows, acronyms and long forms that were read, merged and dropped.

    Raises:
        InputError: If no long form is left to write.
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
    """Yield each valid row with its row number, and report invalid rows."""
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
    """Yield each acronym with its merged and filtered long forms, and update the statistics."""
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
    """Counts how many long forms each source contributes to a dictionary.

    Call `add` for each acronym of the dictionary, then `to_json` to get the statistics.

    Attributes:
        long_forms: A mapping from each source to the number of long forms that it contains. A long
            form counts once for each of its acronyms.
        exclusive: A mapping from each source to the number of long forms that no other source
            contains.
        occurrences: A mapping from each source to the sum of the counts of its long forms.
    """

    def __init__(self) -> None:
        """Create a tally in which no source has been counted yet."""
        self.long_forms: Counter[str] = Counter()
        self.exclusive: Counter[str] = Counter()
        self.occurrences: Counter[str] = Counter()

    def add(self, entries: list[Entry]) -> None:
        """Count the sources of an acronym's long forms.

        Args:
            entries: Pairs of a long form and its counts by source, such as ``("magnetic resonance
                imaging", {"pubmed": 120, "wikipedia": 7})``.
        """
        for _, counts in entries:
            self.long_forms.update(counts.keys())
            self.occurrences.update(counts)
            if len(counts) == 1:
                self.exclusive.update(counts.keys())

    def to_json(self) -> list[dict[str, Any]]:
        """Return the statistics of each source as JSON types.

        Returns:
            A list with a dictionary for each source. The keys are ``source`` (its name),
            ``long_forms``, ``in_no_other`` (long forms that no other source has) and
            ``occurrences`` (sum of counts). The source with the most long forms comes first.
        """
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


LONGEST = 100  # maximum number of characters in a plausible long form
FREQUENT = 3  # minimum count of a plausible acronym with an unusual shape
PUNCTUATION = ",;:"

_NUMERAL = re.compile(r"[ivxlcdm]+", re.IGNORECASE)


def is_plausible(acronym: str, entry: Entry) -> bool:
    """Return whether a pair of acronym and long form that was mined from texts is plausible.

    A pair is implausible in these cases:

    - The long form has more than 100 characters.
    - The acronym or the long form ends in a comma, semicolon or colon.
    - Both have the same letters and digits, as "US" and "U. S.".
    - The acronym is a Roman numeral in lower case. Such numerals number the clauses of laws.
    - The acronym has an unusual shape and was seen fewer than three times. Unusual shapes are a
      single character, no capital letter, a space, and a capitalised word such as "West".

    Args:
        acronym: The mined acronym.
        entry: The mined long form, and its counts by source.

    Returns:
        False if one of these cases applies, otherwise True.
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

    For example, ``Selection(min_count=2, noise=noise)`` drops long forms that were seen only once,
    and texts such as "of the patient" that were extracted by mistake.

    Attributes:
        min_count: Minimum sum of a long form's counts over all sources.
        noise: Function that returns the reason why a text can't be a long form, or None if it may
            be one, such as `noise.noise`. Long forms are then also checked with `is_plausible`.
            None to skip both checks and to select long forms by their counts alone.
    """

    min_count: int = 1
    noise: Callable[[str], str | None] | None = None

    def __call__(self, acronym: str, entry: Entry) -> bool:
        """Return whether to keep a long form of an acronym.

        Args:
            acronym: The acronym that the long form belongs to.
            entry: The long form, and its counts by source.

        Returns:
            True if the long form is frequent enough and, unless `noise` is None, is plausible.
        """
        if total(entry) < self.min_count:
            return False
        if self.noise is None:
            return True
        return self.noise(entry[0]) is None and is_plausible(acronym, entry)
