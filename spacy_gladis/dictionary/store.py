"""Read a dictionary file: mapped into memory, opened at once, shared between processes."""

import hashlib
import mmap
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from ..errors import FormatError, InputError
from .candidate import Candidate
from .layout import HEADER_SIZE, LAST_OF_PAIR, damaged, hash_acronym, read_header, read_metadata


class Store:
    """The acronyms of a dictionary file and their long forms, addressed by row.

    The file is never copied into memory: the system pages in what is read and shares it between
    processes. Do not write to it while it is open; `write_store` replaces a file as a whole.
    Raises `InputError` where there is no such file, `FormatError` where it is not a whole
    dictionary; a damage that only shows later raises `FormatError` then.
    """

    def __init__(self, path: Path) -> None:
        if sys.byteorder != "little":
            raise InputError("Dictionary files are read on little-endian machines only.")
        self.path = path
        self._map = _map(path)
        self.header = read_header(self._map[:HEADER_SIZE], len(self._map), path)
        sections = self.header.sections
        view = memoryview(self._map)

        def section(name: str, item: Literal["B", "H", "I"] = "B") -> memoryview:
            place, size = sections[name]
            return view[place : place + size].cast(item)

        self.metadata: dict[str, Any] = read_metadata(
            bytes(section("metadata")), self.header.metadata_crc, path
        )
        self.domains: tuple[str, ...] = tuple(self.metadata["domains"])
        self._slots = section("slots", "I")
        self._mask = self.header.slots - 1
        self._acronym_starts = section("acronym_starts", "I")
        self._pair_starts = section("pair_starts", "I")
        self._form_starts = section("form_starts", "I")
        self._count_starts = section("count_starts", "I")
        self._count_domains = section("count_domains", "H")
        self._count_values = section("count_values", "I")
        self._acronyms = section("acronyms")
        self._forms = section("forms")
        ends = (
            ("acronym_starts", self._acronym_starts, len(self._acronyms)),
            ("pair_starts", self._pair_starts, self.header.pairs),
            ("form_starts", self._form_starts, len(self._forms)),
            ("count_starts", self._count_starts, self.header.counts),
        )
        for name, starts, end in ends:
            if starts[0] != 0 or starts[-1] != end:
                raise damaged(path, f"its section '{name}' does not end where it should")
        self.long_forms: Sequence[str] = LongForms(self)

    def __len__(self) -> int:
        """How many acronyms it holds; their rows are `range(len(store))`, sorted."""
        return self.header.acronyms

    @property
    def fingerprint(self) -> str:
        """Hexadecimal digits that identify the content."""
        return self.header.digest.hex()[:16]

    def row(self, acronym: str) -> int:
        """The acronym's row, -1 where it is not in the store."""
        wanted = acronym.encode("utf-8", "surrogatepass")
        for row in self._probe(acronym):
            if self._acronym_bytes(row) == wanted:
                return row
        return -1

    def rows_ignoring_case(self, acronym: str) -> list[int]:
        """The rows of all spellings of an acronym that differ from it in case alone."""
        folded = acronym.casefold()
        return [row for row in self._probe(acronym) if self.acronym(row).casefold() == folded]

    def _probe(self, acronym: str) -> Iterator[int]:
        """The rows whose hash leads to the acronym's place in the table, or runs through it."""
        slots, mask = self._slots, self._mask
        slot = hash_acronym(acronym) & mask
        for _ in range(mask + 1):
            row = slots[slot]
            if not row:
                return
            if row > self.header.acronyms:
                raise damaged(self.path, f"slot {slot} points at row {row}")
            yield row - 1
            slot = (slot + 1) & mask

    def _acronym_bytes(self, row: int) -> bytes:
        starts = self._acronym_starts
        return bytes(self._acronyms[starts[row] : starts[row + 1]])

    def acronym(self, row: int) -> str:
        """The acronym of a row."""
        try:
            return self._acronym_bytes(row).decode()
        except UnicodeDecodeError as error:
            raise damaged(self.path, f"the acronym of row {row} is no text") from error

    def forms(self, row: int) -> list[str]:
        """The long forms of a row, the most frequent first."""
        starts, pairs = self._form_starts, self._pair_starts
        try:
            forms = str(self._forms[starts[row] : starts[row + 1]], "utf-8").split("\n")
            number = pairs[row + 1] - pairs[row]
        except (UnicodeDecodeError, IndexError) as error:
            raise damaged(self.path, f"the long forms of row {row} are no text") from error
        if len(forms) != number:
            raise damaged(self.path, f"the long forms of row {row} have the wrong number")
        return forms

    def candidates(self, row: int) -> list[Candidate]:
        """The candidates of a row, the most frequent first."""
        first, last = self._count_starts[row], self._count_starts[row + 1]
        flags = self._count_domains[first:last].tolist()
        values = self._count_values[first:last].tolist()
        names = self.domains
        found: list[Candidate] = []
        at = 0
        try:
            for index, form in enumerate(self.forms(row), self._pair_starts[row]):
                domain = flags[at]
                total = values[at]
                at += 1
                if domain >= LAST_OF_PAIR:  # one source only, as most
                    counts = {names[domain - LAST_OF_PAIR]: total}
                else:
                    counts = {names[domain]: total}
                    while domain < LAST_OF_PAIR:
                        domain = flags[at]
                        counts[names[domain & ~LAST_OF_PAIR]] = values[at]
                        total += values[at]
                        at += 1
                found.append(Candidate(form, counts, total, index))
        except IndexError as error:
            raise damaged(self.path, f"the counts of row {row} are out of range") from error
        if at != len(flags):
            raise damaged(self.path, f"the counts of row {row} have the wrong number")
        return found

    def verify(self) -> None:
        """Read the whole file and compare it with its checksum; `FormatError` if it differs."""
        content = memoryview(self._map)[HEADER_SIZE:]
        if hashlib.sha256(content).digest() != self.header.digest:
            raise damaged(self.path, "its content does not match its checksum")


class LongForms(Sequence[str]):
    """All long forms of a store, by the index that candidates carry."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __len__(self) -> int:
        return self._store.header.pairs

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"long form {index} of {len(self)}")
        starts = self._store._pair_starts
        row = bisect_right(starts, at) - 1
        forms = self._store.forms(row)
        try:
            return forms[at - starts[row]]
        except IndexError as error:
            raise damaged(self._store.path, f"long form {at} is out of place") from error

    def __iter__(self) -> Iterator[str]:
        for row in range(len(self._store)):
            yield from self._store.forms(row)


def _map(path: Path) -> mmap.mmap:
    """The file's bytes, read-only."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise InputError(
            f"There is no dictionary at {path}. Give the path of a file written by "
            "'spacy-gladis dictionary build', or no path for the packaged dictionary."
        ) from error
    except ValueError as error:  # an empty file cannot be mapped
        raise FormatError(f"{path} is empty; expected a dictionary file.") from error
    except OSError as error:
        raise InputError(f"The dictionary {path} cannot be read: {error}") from error
