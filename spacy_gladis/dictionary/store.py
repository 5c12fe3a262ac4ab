"""Read a dictionary file: mapped into memory, opened at once, shared between processes."""

import hashlib
import mmap
import struct
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, overload

from ..errors import FormatError, InputError
from ..files import writing
from .candidate import Candidate
from .layout import (
    HEADER_SIZE,
    LAST,
    RECORD_HEAD,
    UNIT,
    counts_by_form,
    damaged,
    hash_acronym,
    read_header,
    read_metadata,
)

# A named tuple's own constructor is a Python function; this is what it calls, at half the time.
_new = tuple.__new__
_read_head = struct.Struct(f"<{RECORD_HEAD}I").unpack_from


@lru_cache(maxsize=1024)
def _counts_reader(number: int) -> Callable[..., tuple[int, ...]]:
    """What reads so many counts and their domains: one call instead of two copied views."""
    return struct.Struct(f"<{number}I{number}H").unpack_from


class Store:
    """The records of a dictionary file, one an acronym, addressed by their offset.

    The file is never copied into memory: the system pages in what is read and shares it between
    processes. Do not write into it while it is open; `write_store` replaces a file as a whole.
    Raises `InputError` where there is no such file, `FormatError` where it is not a whole
    dictionary; damage that only shows later raises `FormatError` then.
    """

    def __init__(self, path: Path) -> None:
        if sys.byteorder != "little":
            raise InputError("Dictionary files are read on little-endian machines only.")
        self.path = path
        self._map = _map(path)
        self.header = read_header(self._map[:HEADER_SIZE], len(self._map), path)
        sections = self.header.sections
        offset, size = sections["metadata"]
        self.metadata: dict[str, Any] = read_metadata(
            self._map[offset : offset + size], self.header.metadata_crc, path
        )
        self.domains: tuple[str, ...] = tuple(self.metadata["domains"])
        self._last_domains = dict(enumerate(self.domains, LAST))
        whole = memoryview(self._map)[: len(self._map) // UNIT * UNIT]
        self._numbers = whole.cast("I")
        offset, size = sections["slots"]
        self._slots = whole[offset : offset + size].cast("I")
        self._mask = len(self._slots) - 1
        offset, size = sections["offsets"]
        self.offsets: memoryview[int] = whole[offset : offset + size].cast("I")
        """The offsets of all records, sorted by acronym."""
        self.long_forms: Sequence[str] = LongForms(self)

    def __len__(self) -> int:
        """How many acronyms it holds."""
        return self.header.acronyms

    @property
    def fingerprint(self) -> str:
        """Hexadecimal digits that identify the content."""
        return self.header.digest.hex()[:16]

    def find(self, acronym: str) -> int:
        """The offset of an acronym's record, 0 where it has none."""
        wanted = acronym.encode("utf-8", "surrogatepass") + b"\n"
        content, length = self._map, len(wanted)
        slots, mask = self._slots, self._mask
        slot = start = hash_acronym(acronym) & mask
        while offset := slots[slot]:
            at = UNIT * (offset + RECORD_HEAD)
            if content[at : at + length] == wanted:
                return offset
            slot = (slot + 1) & mask
            if slot == start:
                raise damaged(self.path, "its table of acronyms has no end")
        return 0

    def find_ignoring_case(self, acronym: str) -> list[int]:
        """The offsets of all acronyms that differ from this one in case alone."""
        folded = acronym.casefold()
        offsets: list[int] = []
        slot = hash_acronym(acronym) & self._mask
        while (offset := self._slots[slot]) and len(offsets) < len(self):
            offsets.append(offset)
            slot = (slot + 1) & self._mask
        return [offset for offset in offsets if self.acronym(offset).casefold() == folded]

    def acronym(self, offset: int) -> str:
        """The acronym of a record."""
        return self._text(offset)[0]

    def index(self, offset: int) -> int:
        """The index of a record's first long form."""
        try:
            return self._numbers[offset]
        except IndexError as error:
            raise damaged(self.path, f"a record at {offset} is behind its end") from error

    def forms(self, offset: int) -> list[str]:
        """The long forms of a record, the most frequent first."""
        return self._text(offset)[1:]

    def _text(self, offset: int) -> list[str]:
        """The acronym of a record and its long forms."""
        try:
            size = self._numbers[offset + 1]
            if size > self.header.longest:
                raise damaged(self.path, f"the record at {offset} is too long")
            at = UNIT * (offset + RECORD_HEAD)
            return self._map[at : at + size].decode().split("\n")
        except (UnicodeDecodeError, IndexError) as error:
            raise damaged(self.path, f"the record at {offset} is not text") from error

    def candidates(self, offset: int) -> list[Candidate]:
        """The candidates of a record, the most frequent first."""
        try:
            start = UNIT * offset
            index, size, number = _read_head(self._map, start)
            if size > self.header.longest:
                raise ValueError(f"{size} bytes of text")
            start += UNIT * RECORD_HEAD
            forms = self._map[start : start + size].decode().split("\n")
            del forms[0]
            end = index + len(forms)
            if number > len(forms) * len(self.domains) or end > self.header.long_forms:
                raise ValueError(f"{number} counts, {end} long forms")
            start += (size + UNIT - 1) // UNIT * UNIT
            values = _counts_reader(number)(self._map, start)
            flags, indices = values[number:], range(index, end)
            if number == len(forms):  # one domain each, as most acronyms have it
                names = self._last_domains
                return [
                    _new(Candidate, (form, {names[flag]: value}, value, at))
                    for form, flag, value, at in zip(forms, flags, values, indices)  # noqa: B905
                ]
            counts = counts_by_form(flags, values[:number], self.domains)
            return [
                _new(Candidate, (form, several, sum(several.values()), at))
                for form, several, at in zip(forms, counts, indices, strict=True)
            ]
        except UnicodeDecodeError as error:
            raise damaged(self.path, f"the record at {offset} is not text") from error
        except (KeyError, IndexError, ValueError, struct.error) as error:
            raise damaged(self.path, f"the record at {offset} is wrong ({error})") from error

    def verify(self) -> None:
        """Read the whole file and compare it with its checksum; `FormatError` if it differs."""
        content = memoryview(self._map)[HEADER_SIZE:]
        if hashlib.sha256(content).digest() != self.header.digest:
            raise damaged(self.path, "its content does not match its checksum")

    def save(self, path: Path) -> None:
        """Write the file to another place."""
        with writing(path) as temporary:
            temporary.write_bytes(self._map)


class LongForms(Sequence[str]):
    """All long forms of a store, by the index that candidates carry."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __len__(self) -> int:
        return self._store.header.long_forms

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there is no long form {index}, there are {len(self)}")
        store = self._store
        offset = store.offsets[bisect_right(store.offsets, at, key=store.index) - 1]
        try:
            return store.forms(offset)[at - store.index(offset)]
        except IndexError as error:
            raise damaged(store.path, f"long form {at} is not at {offset}") from error

    def __iter__(self) -> Iterator[str]:
        for offset in self._store.offsets:
            yield from self._store.forms(offset)


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
