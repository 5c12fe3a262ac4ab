"""The dictionary file: an SQLite database, opened read-only, written whole.

about       one row: what the file says of itself (JSON), its checksum, how much it holds
domains     the names of the sources
acronyms    each with the ids of its most and its least frequent long form
long_forms  each with its counts, a JSON object by the ids of domains, and the id of its gloss
glosses     what senses are, each once
entries     a view for people: acronym, long form, domain, count, gloss

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
_OLD_MAGIC = b"\x89GLADIS\n"  # of version 1, which was no database
_APPLICATION = 0x474C4144  # "GLAD", where SQLite files say whose they are
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
    # By `first`, which is the order of the ids and that of the key: there is nothing to sort.
    "WHERE acronym = ?1 AND acronym = ?1 COLLATE BINARY ORDER BY first, id"
)
_WITH_GLOSS = "LEFT JOIN glosses USING (gloss_id) "
_CANDIDATES = f"SELECT long_form, counts, id, gloss {_OF_ACRONYM.format(more=_WITH_GLOSS)}"
_COUNTS = f"SELECT counts {_OF_ACRONYM.format(more='')}"
_EXISTS = f"SELECT 1 {_OF_ACRONYM.format(more='')} LIMIT 1"
_MOST_COUNTED = 1 << 15  # acronyms and words whose counts are remembered: those that texts repeat

# A named tuple's own constructor is a Python function; this is what it calls, at half the time.
_new = tuple.__new__


class Store:
    """The content of a dictionary file; threads and forked processes may share it.

    Only what is asked for is read, and the system keeps one copy of it for all processes. Raises
    `InputError` where there is no such file, `FormatError` where it is not a whole dictionary;
    damage that only shows later raises `FormatError` then.
    """

    def __init__(self, path: Path, folder: object = None) -> None:
        """folder: a temporary one of the file, which goes when nothing refers to it."""
        self.path, self._folder = path, folder
        self._own = _OfThread()
        _check_file(path)
        self._opened = os.open(path, os.O_RDONLY)
        finalize(self, os.close, self._opened)
        self._state = _state(self._opened)
        about = self.rows("SELECT fingerprint, metadata, acronyms, long_forms FROM about")
        domains = self.rows("SELECT name FROM domains ORDER BY id")
        try:
            ((fingerprint, said, self._acronyms, number),) = about
            self.fingerprint = str(fingerprint)
            self.metadata: dict[str, Any] = dict(json.loads(said))
            self.long_forms = LongForms(self, int(number))
            self.sources: tuple[str, ...] = tuple(str(name) for (name,) in domains)
        except (ValueError, TypeError) as error:
            raise damaged(path, f"what it says of itself is wrong ({error})") from error
        self._counts = lru_cache(1 << 14)(self._read_counts)
        self.count = lru_cache(_MOST_COUNTED)(self._count)

    def __len__(self) -> int:
        """How many acronyms it holds."""
        return int(self._acronyms)

    def __iter__(self) -> Iterator[str]:
        """The acronyms, sorted by code points."""
        for (acronym,) in self.rows("SELECT acronym FROM acronyms ORDER BY first"):
            yield acronym

    def __contains__(self, acronym: object) -> bool:
        return bool(self.rows(_EXISTS, acronym))

    def candidates(self, acronym: str) -> list[Candidate]:
        """The candidates of exactly this acronym, the most frequent first."""
        found = []
        for long_form, said, at, gloss in self.rows(_CANDIDATES, acronym):
            counts, total = self._counts(said)
            found.append(_new(Candidate, (long_form, counts.copy(), total, at, gloss or "")))
        return found

    def _count(self, acronym: str) -> int:
        """How often the sources give exactly this acronym; 0: never."""
        return sum(self._counts(said)[1] for (said,) in self.rows(_COUNTS, acronym))

    def _read_counts(self, said: str) -> tuple[dict[str, int], int]:
        """The counts by source of a long form, and their sum."""
        try:
            counts = {self.sources[int(source)]: int(n) for source, n in json.loads(said).items()}
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise damaged(self.path, f"the counts {said!r} are wrong ({error})") from error
        return counts, sum(counts.values())

    def ignoring_case(self, acronym: str) -> list[str]:
        """The acronyms that differ from this one in case alone."""
        folded, found = acronym.casefold(), set()
        # SQLite ignores the case of ASCII letters.
        for tried in {acronym} if acronym.isascii() else {acronym.lower(), acronym.upper()}:
            found.update(self.rows("SELECT acronym FROM acronyms WHERE acronym = ?", tried))
        return sorted(one for (one,) in found if one.casefold() == folded)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """What a query finds; `FormatError` where the file is damaged."""
        if _state(self._opened) != self._state:
            raise FormatError(
                f"The dictionary {self.path} was overwritten while it is in use. Start again; put "
                "a new file in its place by renaming it, as this package does."
            )
        own = self._own
        try:
            # Threads have cursors of their own, and none may be taken along by a fork.
            if own.process != os.getpid():
                own.cursor, own.process = _connect(self.path).cursor(), os.getpid()
            return own.cursor.execute(sql, values).fetchall()
        except UnicodeEncodeError:  # no file holds half a character
            return []
        except (sqlite3.Error, ValueError) as error:
            raise damaged(self.path, str(error)) from error

    def verify(self) -> None:
        """Read the whole file and compare it with its checksum; `FormatError` if it differs."""
        if self.rows("PRAGMA integrity_check") != [("ok",)]:
            raise damaged(self.path, "SQLite's check of its integrity fails")
        if _checksum(self.rows) != self.fingerprint:
            raise damaged(self.path, "its content does not match its checksum")

    def save(self, path: Path) -> None:
        """Write the file to another place."""
        with writing(path) as temporary:
            shutil.copyfile(self.path, temporary)


class _OfThread(threading.local):
    """A thread's own cursor, and the process in which it was made."""

    process = 0
    cursor: sqlite3.Cursor


class LongForms:
    """All long forms of a store, by the index that candidates carry."""

    def __init__(self, store: Store, number: int) -> None:
        self._store, self._number = store, number

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self):
            raise IndexError(f"there is no long form {index}, there are {len(self)}")
        found = self._store.rows("SELECT long_form FROM long_forms WHERE id = ?", index)
        if not found:
            raise damaged(self._store.path, f"it has no long form {index}")
        return str(found[0][0])

    def __iter__(self) -> Iterator[str]:
        for (long_form,) in self._store.rows("SELECT long_form FROM long_forms ORDER BY id"):
            yield long_form


def write_store(
    groups: Iterable[Group],
    path: Path,
    metadata: Mapping[str, Any],
    glosses: Mapping[str, str] = {},
) -> None:
    """Write acronyms and their long forms as a dictionary file.

    Equal groups give equal bytes. Memory does not grow with their number.

    Args:
        groups: Acronyms with their long forms, sorted by acronym (code points), none twice. Long
            forms are put in order of frequency; equally frequent ones stay as they come.
        path: The file to write, whole or not at all.
        metadata: What the file says of itself, as JSON types.
        glosses: Glosses by the key of their long form, as `read_glosses` gives them.

    Raises:
        InputError: If groups are out of order, or a string is empty or not valid Unicode.
    """
    with writing(path) as temporary, closing(sqlite3.connect(temporary)) as database:
        database.executescript(
            f"PRAGMA page_size = {_PAGE}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION};"
            f"PRAGMA encoding = 'UTF-8'; {_SCHEMA} BEGIN;"
        )
        acronyms, long_forms = _insert(database, groups, glosses)
        said = json.dumps(metadata, sort_keys=True)
        about = (said, "", acronyms, long_forms)
        database.execute("INSERT INTO about VALUES (?, ?, ?, ?)", about)
        fingerprint = _checksum(lambda sql: database.execute(sql))
        database.execute("UPDATE about SET fingerprint = ?", (fingerprint,))
        database.commit()
        database.execute("VACUUM")


def _insert(
    database: sqlite3.Connection, groups: Iterable[Group], glosses: Mapping[str, str]
) -> tuple[int, int]:
    """Insert groups, glosses and sources; return how many acronyms and long forms there are."""
    sources: dict[str, int] = {}
    gloss_ids: dict[str, int] = {}
    last, acronyms, index = "", 0, 0
    for acronym, entries in groups:
        ordered = sorted(entries, key=total, reverse=True)
        if not ordered:
            continue
        if acronym <= last:
            raise InputError(f"{acronym!r} comes after {last!r}: groups are to be sorted.")
        rows: list[tuple[int, str, str, int | None]] = []
        for long_form, counts in ordered:
            if not long_form or not counts or min(counts.values()) < 1:
                raise InputError(f"{acronym!r} has an empty long form or count: {ordered!r}")
            by_source = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            ids = {str(sources.setdefault(name, len(sources))): n for name, n in by_source}
            gloss = find_gloss(glosses, long_form) if glosses else ""
            gloss_id = gloss_ids.setdefault(gloss, len(gloss_ids)) if gloss else None
            packed = json.dumps(ids, separators=(",", ":"))
            rows.append((index + len(rows), long_form, packed, gloss_id))
        try:
            database.executemany("INSERT INTO long_forms VALUES (?, ?, ?, ?)", rows)
            whole = (acronym, index, index + len(rows) - 1)
            database.execute("INSERT INTO acronyms VALUES (?, ?, ?)", whole)
        except UnicodeEncodeError as error:
            raise InputError(f"{acronym!r} or its long forms are not valid Unicode.") from error
        last, acronyms, index = acronym, acronyms + 1, index + len(rows)
    for table, ids_by_text in (("domains", sources), ("glosses", gloss_ids)):
        pairs = ((number, text) for text, number in ids_by_text.items())
        database.executemany(f"INSERT INTO {table} VALUES (?, ?)", pairs)
    return acronyms, index


def _checksum(rows: Any) -> str:
    """Hexadecimal digits that identify the content. rows: what a query finds."""
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
    """A connection that changes nothing, neither the file nor what lies beside it."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    database = sqlite3.connect(uri, uri=True, check_same_thread=False)
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _state(opened: int) -> tuple[int, int]:
    """What changes where somebody writes into an open file."""
    status = os.fstat(opened)
    return status.st_size, status.st_mtime_ns


def _check_file(path: Path) -> None:
    """Refuse what is no whole dictionary of this version, by its first bytes and its size."""
    try:
        refuse_stream(path)
        with path.open("rb") as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except FileNotFoundError as error:
        raise InputError(
            f"There is no dictionary at {path}. Give the path of a file written by "
            "'spacy-gladis dictionary build', or no path for the packaged dictionary."
        ) from error
    except OSError as error:
        raise InputError(f"The dictionary {path} cannot be read: {error}") from error
    version = int.from_bytes(head[60:64], "big")
    old = head.startswith(_OLD_MAGIC)
    if not old and (
        not head.startswith(b"SQLite format 3\0")
        or int.from_bytes(head[68:72], "big") != _APPLICATION
    ):
        raise FormatError(
            f"{path} is not a dictionary file. Expected a file written by "
            "'spacy-gladis dictionary build' or 'import', or a .json file in the published format."
        )
    if old or version != VERSION:
        raise FormatError(
            f"{path} is a dictionary of format version {1 if old else version}; this package reads "
            f"version {VERSION}. Build it again with 'spacy-gladis dictionary build', or install "
            "the version of spacy-gladis that wrote it."
        )
    expected = int.from_bytes(head[28:32], "big") * int.from_bytes(head[16:18], "big")
    if size != expected:
        raise damaged(path, f"it has {size:,} bytes, its header says {expected:,}")


def damaged(path: Path, what: str) -> FormatError:
    """The error for a dictionary file that is not what was written."""
    return FormatError(
        f"The dictionary {path} is truncated or damaged: {what}. Fetch or build the file again; "
        "for the packaged dictionary, reinstall spacy-gladis."
    )
