"""Read and write dictionary files, which are SQLite databases that never change once written.

Tables:

==============  ================================================================================
`about`         one row with the metadata (JSON), a checksum and the numbers of entries
`domains`       the names of the sources
`acronyms`      acronyms with the ids of their most and least frequent long forms
`long_forms`    long forms with their counts, a JSON object by the ids of domains, and a gloss id
`glosses`       distinct glosses
`entries`       a readable view: acronym, long form, domain, count, gloss
==============  ================================================================================

To look up an acronym in a shell::

    sqlite3 dictionary.sqlite "SELECT * FROM entries WHERE acronym = 'CT'"
"""

import hashlib
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import finalize

from ..errors import FormatError, InputError
from ..files import refuse_stream, writing
from .candidate import Candidate, Group, total
from .glosses import find_gloss

VERSION = 3
_OLD_MAGIC = b"\x89GLADIS\n"  # first bytes of files of version 1, which were not databases
_APPLICATION = 0x474C4144  # "GLAD", the application id in SQLite's header
_PAGE = 4096  # bytes

_SCHEMA = """
CREATE TABLE about (metadata TEXT NOT NULL, fingerprint TEXT NOT NULL, acronyms INTEGER NOT NULL,
    long_forms INTEGER NOT NULL);
CREATE TABLE domains (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE acronyms (acronym TEXT NOT NULL COLLATE NOCASE, first INTEGER NOT NULL,
    last INTEGER NOT NULL, PRIMARY KEY (acronym, first)) WITHOUT ROWID;
CREATE TABLE long_forms (id INTEGER PRIMARY KEY, long_form TEXT NOT NULL, counts TEXT NOT NULL,
    gloss_id INTEGER);
CREATE TABLE glosses (gloss_id INTEGER PRIMARY KEY, gloss TEXT NOT NULL);
CREATE VIEW entries AS SELECT acronym, long_form, name AS domain, value AS count, gloss
    FROM acronyms JOIN long_forms ON long_forms.id BETWEEN first AND last
    LEFT JOIN glosses USING (gloss_id)
    JOIN json_each(counts) JOIN domains ON domains.id = key;
"""
_OF_ACRONYM = (
    "FROM acronyms JOIN long_forms ON id BETWEEN first AND last {more}"
    # This is the order of the primary key, so SQLite needs no sorting.
    "WHERE acronym = ?1 AND acronym = ?1 COLLATE BINARY ORDER BY first, id"
)
_WITH_GLOSS = "LEFT JOIN glosses USING (gloss_id) "
_CANDIDATES = f"SELECT long_form, counts, id, gloss {_OF_ACRONYM.format(more=_WITH_GLOSS)}"
_COUNTS = f"SELECT counts {_OF_ACRONYM.format(more='')}"
_EXISTS = f"SELECT 1 {_OF_ACRONYM.format(more='')} LIMIT 1"
_MOST_COUNTED = 1 << 15  # size of the cache for the counts of acronyms and words

# This is twice as fast as `Candidate(...)`, which calls a Python function.
_new = tuple.__new__


class Store:
    """Read access to a dictionary file, which threads and forked processes can share.

    Entries are read from the file when they are looked up. Processes that use the same file share
    its content in the operating system's file cache. All methods raise `FormatError` if they find
    that the file is damaged.

    Attributes:
        fingerprint: Checksum that identifies the content of the file.
        metadata: Description of the dictionary, such as its sources.
        long_forms: Sequence of all long forms in the file, indexed by `Candidate.index`.
        sources: Names of the sources.
    """

    def __init__(self, path: Path, folder: object = None) -> None:
        """Open a dictionary file for reading, after checking its header and size.

        Args:
            path: Path of the file.
            folder: Temporary folder that contains the file, such as a `TemporaryDirectory`. It is
                kept alive as long as this object. None for a permanent file.

        Raises:
            InputError: If the file doesn't exist or can't be read.
            FormatError: If the file is truncated or damaged, or if its format or version is not
                supported.
        """
        self.path, self._folder = path, folder
        self._thread = _ThreadState()
        _check_file(path)
        self._file = os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._file)
        self._state = _file_state(self._file)
        description = self.rows("SELECT fingerprint, metadata, acronyms, long_forms FROM about")
        domains = self.rows("SELECT name FROM domains ORDER BY id")
        try:
            ((fingerprint, metadata, self._acronyms, number),) = description
            self.fingerprint = str(fingerprint)
            self.metadata: dict[str, Any] = dict(json.loads(metadata))
            self.long_forms = LongForms(self, int(number))
            self.sources: tuple[str, ...] = tuple(str(name) for (name,) in domains)
        except (ValueError, TypeError) as error:
            raise make_damage_error(path, f"its metadata is invalid ({error})") from error
        self._counts = lru_cache(1 << 14)(self._read_counts)
        self.count = lru_cache(_MOST_COUNTED)(self._count)

    def __len__(self) -> int:
        """Return the number of acronyms in the file."""
        return int(self._acronyms)

    def __iter__(self) -> Iterator[str]:
        """Yield the acronyms in the file, sorted by code points."""
        for (acronym,) in self.rows("SELECT acronym FROM acronyms ORDER BY first"):
            yield acronym

    def __contains__(self, acronym: object) -> bool:
        """Return whether the file lists an acronym in exactly this spelling."""
        return bool(self.rows(_EXISTS, acronym))

    def candidates(self, acronym: str) -> list[Candidate]:
        """Return the long forms that the file lists for an acronym in exactly this spelling.

        Args:
            acronym: The acronym in the spelling to look up.

        Returns:
            The candidates, sorted by descending count. Empty if the acronym is not listed.
        """
        candidates = []
        for long_form, packed, index, gloss in self.rows(_CANDIDATES, acronym):
            counts, total = self._counts(packed)
            values = (long_form, counts.copy(), total, index, gloss or "")
            candidates.append(_new(Candidate, values))
        return candidates

    def _count(self, acronym: str) -> int:
        """Return the sum of the counts of an acronym in exactly this spelling."""
        return sum(self._counts(packed)[1] for (packed,) in self.rows(_COUNTS, acronym))

    def _read_counts(self, packed: str) -> tuple[dict[str, int], int]:
        """Return the counts of a long form by source, and their sum."""
        try:
            counts = {self.sources[int(source)]: int(n) for source, n in json.loads(packed).items()}
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            problem = f"the counts {packed!r} are invalid ({error})"
            raise make_damage_error(self.path, problem) from error
        return counts, sum(counts.values())

    def ignoring_case(self, acronym: str) -> list[str]:
        """Return the acronyms in the file that equal a given acronym if case is ignored.

        Args:
            acronym: The acronym to compare with, such as "Ct".

        Returns:
            The matching acronyms in sorted order, such as "CT" and "ct". They may include the given
            one.
        """
        folded, rows = acronym.casefold(), set()
        # SQLite ignores the case of ASCII letters only.
        for spelling in {acronym} if acronym.isascii() else {acronym.lower(), acronym.upper()}:
            rows.update(self.rows("SELECT acronym FROM acronyms WHERE acronym = ?", spelling))
        return sorted(match for (match,) in rows if match.casefold() == folded)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Run an SQL query on the dictionary file.

        The connection is opened on first use, separately for each thread and process.

        Args:
            sql: The query, with a placeholder for each value.
            values: Values for the placeholders.

        Returns:
            The rows of the result. Empty if a value is not valid Unicode, because no file contains
            it.

        Raises:
            FormatError: If the file is damaged, or was overwritten after it was opened.
        """
        if _file_state(self._file) != self._state:
            raise FormatError(
                f"The dictionary {self.path} was overwritten while in use. Restart the program. To "
                "replace a dictionary in use, write a new file and rename it."
            )
        state = self._thread
        try:
            # Threads must not share SQLite connections, and forked processes must not inherit them.
            if state.process != os.getpid():
                state.cursor, state.process = _connect(self.path).cursor(), os.getpid()
            return state.cursor.execute(sql, values).fetchall()
        except UnicodeEncodeError:  # a lone surrogate, which no file contains
            return []
        except (sqlite3.Error, ValueError) as error:
            raise make_damage_error(self.path, str(error)) from error

    def verify(self) -> None:
        """Read the whole dictionary file and compare its content with the stored checksum.

        Opening a file checks only its header and size. Call this method to find other damage.

        Raises:
            FormatError: If the file is damaged.
        """
        if self.rows("PRAGMA integrity_check") != [("ok",)]:
            raise make_damage_error(self.path, "SQLite's integrity check fails")
        if _checksum(self.rows) != self.fingerprint:
            raise make_damage_error(self.path, "its content does not match its checksum")

    def save(self, path: Path) -> None:
        """Copy the dictionary file to another path.

        Args:
            path: Path of the copy. An existing file is replaced.
        """
        with writing(path) as temporary:
            shutil.copyfile(self.path, temporary)


class _ThreadState(threading.local):
    """The database cursor of a thread, and the id of the process that created it."""

    process = 0
    cursor: sqlite3.Cursor


class LongForms:
    """A read-only sequence of all long forms in a dictionary file, indexed by `Candidate.index`."""

    def __init__(self, store: Store, number: int) -> None:
        """Create the sequence of the long forms in a dictionary file.

        Args:
            store: The open dictionary file.
            number: Number of long forms in the file.
        """
        self._store, self._number = store, number

    def __len__(self) -> int:
        """Return the number of long forms in the file."""
        return self._number

    def __getitem__(self, index: int) -> str:
        """Return the long form with an index, which is read from the file.

        Args:
            index: Index from 0 to the number of long forms minus 1. Negative indexes are not
                supported.

        Returns:
            The long form.

        Raises:
            IndexError: If the index is out of range.
            FormatError: If the file is damaged.
        """
        if not 0 <= index < len(self):
            raise IndexError(
                f"There is no long form {index}. Use an index from 0 to {len(self) - 1}."
            )
        rows = self._store.rows("SELECT long_form FROM long_forms WHERE id = ?", index)
        if not rows:
            raise make_damage_error(self._store.path, f"it has no long form {index}")
        return str(rows[0][0])

    def __iter__(self) -> Iterator[str]:
        """Iterate over all long forms in the file, in the order of their indexes."""
        for (long_form,) in self._store.rows("SELECT long_form FROM long_forms ORDER BY id"):
            yield long_form


def write_store(
    groups: Iterable[Group],
    path: Path,
    metadata: Mapping[str, Any],
    glosses: Mapping[str, str] = {},
) -> None:
    """Write acronyms and their long forms to a dictionary file.

    The same groups always give the same file. Memory use doesn't depend on the number of groups.

    Args:
        groups: Acronyms with their long forms and counts by source. Each acronym must occur once,
            and the acronyms must be sorted by code points. The long forms of an acronym may be in
            any order. They are written in the order of descending counts, and those with equal
            counts keep their order.
        path: Path of the file to write. An existing file is replaced only if writing succeeds.
        metadata: Description of the dictionary, such as its sources, as JSON types.
        glosses: Glosses of the long forms, as returned by `read_glosses`.

    Raises:
        InputError: If the acronyms are not sorted, if a long form or its count is missing, or if a
            string is not valid Unicode.
    """
    with writing(path) as temporary, closing(sqlite3.connect(temporary)) as database:
        database.executescript(
            f"PRAGMA page_size = {_PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION};"
            f"PRAGMA encoding = 'UTF-8'; {_SCHEMA} BEGIN;"
        )
        acronyms, long_forms = _insert(database, groups, glosses)
        row = (json.dumps(metadata, sort_keys=True), "", acronyms, long_forms)
        database.execute("INSERT INTO about VALUES (?, ?, ?, ?)", row)
        fingerprint = _checksum(lambda sql: database.execute(sql))
        database.execute("UPDATE about SET fingerprint = ?", (fingerprint,))
        database.commit()
        database.execute("VACUUM")


def _insert(
    database: sqlite3.Connection, groups: Iterable[Group], glosses: Mapping[str, str]
) -> tuple[int, int]:
    """Insert groups, glosses and sources, and return the numbers of acronyms and long forms."""
    sources: dict[str, int] = {}
    gloss_ids: dict[str, int] = {}
    last, acronyms, index = "", 0, 0
    for acronym, entries in groups:
        ordered = sorted(entries, key=total, reverse=True)
        if not ordered:
            continue
        if acronym <= last:
            raise InputError(
                f"The acronym {acronym!r} comes after {last!r}. Sort the acronyms by code points, "
                "and give each of them only once."
            )
        rows: list[tuple[int, str, str, int | None]] = []
        for long_form, counts in ordered:
            if not long_form or not counts or min(counts.values()) < 1:
                raise InputError(
                    f"The acronym {acronym!r} has a long form that is empty or has no positive "
                    f"count. Each long form needs a count of 1 or more: {ordered!r}"
                )
            by_source = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            ids = {str(sources.setdefault(name, len(sources))): n for name, n in by_source}
            gloss = find_gloss(glosses, long_form) if glosses else ""
            gloss_id = gloss_ids.setdefault(gloss, len(gloss_ids)) if gloss else None
            packed = json.dumps(ids, separators=(",", ":"))
            rows.append((index + len(rows), long_form, packed, gloss_id))
        try:
            database.executemany("INSERT INTO long_forms VALUES (?, ?, ?, ?)", rows)
            id_range = (acronym, index, index + len(rows) - 1)
            database.execute("INSERT INTO acronyms VALUES (?, ?, ?)", id_range)
        except UnicodeEncodeError as error:
            raise InputError(
                f"The acronym {acronym!r} or one of its long forms is not valid Unicode."
            ) from error
        last, acronyms, index = acronym, acronyms + 1, index + len(rows)
    for table, ids_by_text in (("domains", sources), ("glosses", gloss_ids)):
        pairs = ((number, text) for text, number in ids_by_text.items())
        database.executemany(f"INSERT INTO {table} VALUES (?, ?)", pairs)
    return acronyms, index


def _checksum(rows: Any) -> str:
    """Return a hexadecimal checksum of the content, which is read by calling `rows` with SQL."""
    digest = hashlib.sha256()
    for columns in (
        "metadata, acronyms, long_forms FROM about",
        "id, name FROM domains ORDER BY id",
        "acronym, first, last FROM acronyms ORDER BY first",
        "id, long_form, counts, gloss_id FROM long_forms ORDER BY id",
        "gloss_id, gloss FROM glosses ORDER BY gloss_id",
    ):
        for row in rows(f"SELECT {columns}"):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _connect(path: Path) -> sqlite3.Connection:
    """Open a read-only database connection that creates no journal files."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    database = sqlite3.connect(uri, uri=True, check_same_thread=False)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _file_state(descriptor: int) -> tuple[int, int]:
    """Return the size and modification time of an open file, to detect that it was overwritten."""
    status = os.fstat(descriptor)
    return status.st_size, status.st_mtime_ns


def _check_file(path: Path) -> None:
    """Raise an error unless a file's header shows a complete dictionary of this version."""
    try:
        refuse_stream(path)
        with path.open("rb") as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except FileNotFoundError as error:
        raise InputError(
            f"There is no dictionary at {path}. Give the path of a file that 'spacy-gladis "
            "dictionary build' wrote, or no path to use the packaged dictionary."
        ) from error
    except OSError as error:
        raise InputError(f"The dictionary {path} cannot be read: {error}") from error
    version = int.from_bytes(head[60:64], "big")
    is_old = head.startswith(_OLD_MAGIC)
    if not is_old and (
        not head.startswith(b"SQLite format 3\0")
        or int.from_bytes(head[68:72], "big") != _APPLICATION
    ):
        raise FormatError(
            f"{path} is not a dictionary file. Expected a file written by "
            "'spacy-gladis dictionary build' or 'import', or a .json file in the published format."
        )
    if is_old or version != VERSION:
        raise FormatError(
            f"{path} is a dictionary of format version {1 if is_old else version}, but this "
            f"package reads version {VERSION}. Build it again with 'spacy-gladis dictionary "
            "build', or install the version of spacy-gladis that wrote it."
        )
    expected = int.from_bytes(head[28:32], "big") * int.from_bytes(head[16:18], "big")
    if size != expected:
        raise make_damage_error(path, f"it has {size:,} bytes, but its header says {expected:,}")


def make_damage_error(path: Path, problem: str) -> FormatError:
    """Create the error that is raised if a dictionary file turns out to be damaged.

    Args:
        path: Path of the damaged file.
        problem: What is wrong with the file, as a part of a sentence such as "it has no long form
            5".

    Returns:
        An error whose message names the file and the problem, and tells the user to get the file
        again. It is not raised yet.
    """
    return FormatError(
        f"The dictionary {path} is truncated or damaged: {problem}. Download or build the file "
        "again. For the packaged dictionary, reinstall spacy-gladis."
    )
