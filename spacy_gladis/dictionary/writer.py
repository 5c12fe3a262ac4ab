"""Write a dictionary file from groups in any order, in bounded memory."""

import hashlib
import mmap
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import accumulate, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from ..errors import InputError
from ..files import writing
from .candidate import MAX_COUNT, Entry, Group, add_counts, total
from .layout import (
    HEADER_SIZE,
    LAST,
    MAX_DOMAINS,
    SECTIONS,
    UNIT,
    Header,
    counts_by_form,
    hash_acronym,
    pack_metadata,
)

MAX_PLACE = 0xFFFFFFFF


def write_store(groups: Iterable[Group], path: Path, metadata: Mapping[str, Any]) -> None:
    """Write acronyms and their long forms as a dictionary file.

    `groups` may come in any order; long forms are put in order of frequency (equal ones stay as
    they come). An acronym that comes twice gets the long forms of both, counts of equal ones
    added. Equal groups in equal order give equal bytes. Memory: about 30 bytes an acronym, 150
    where they do not come sorted; the rest waits in a temporary file beside `path`.
    Raises `InputError` for an empty or broken string, or a count that does not fit.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder,
        closing(StoreWriter(Path(folder))) as writer,
    ):
        for acronym, entries in groups:
            writer.add(acronym, entries)
        writer.finish(path, metadata)


class StoreWriter:
    """Takes groups one by one; `finish` writes them."""

    def __init__(self, folder: Path) -> None:
        self._spool: IO[bytes] = (folder / "records").open("w+b")
        self._starts = array("Q", [0])  # of the records in the spool
        self._pairs = array("I")
        self._hashes = array("I")
        self._domains: dict[str, int] = {}
        self._longest = 0
        self._last = ""
        self._sorted = True

    def close(self) -> None:
        """Let go of the spooled groups."""
        self._spool.close()

    def __len__(self) -> int:
        """How many groups were added."""
        return len(self._pairs)

    def add(self, acronym: str, entries: Iterable[Entry]) -> None:
        """Add an acronym and its long forms, no long form twice."""
        ordered = sorted(entries, key=total, reverse=True)
        if not ordered:
            return
        texts = [acronym, *(long_form for long_form, _ in ordered)]
        if not all(texts) or any("\n" in text for text in texts):
            raise InputError(f"{acronym!r} has an empty or broken long form, or is one: {texts!r}")
        try:
            text = "\n".join(texts).encode()
        except UnicodeEncodeError as error:
            raise InputError(f"{acronym!r} or its long forms are not valid Unicode.") from error
        values, flags = self._numbers(acronym, ordered)
        sizes = array("I", [len(text), len(values)])
        record = b"".join(
            (sizes.tobytes(), _filled(text), values.tobytes(), _filled(flags.tobytes()))
        )
        self._spool.write(record)
        self._starts.append(self._starts[-1] + len(record))
        self._pairs.append(len(ordered))
        self._hashes.append(hash_acronym(acronym))
        self._longest = max(self._longest, len(text))
        self._sorted = self._sorted and acronym > self._last
        self._last = acronym

    def _numbers(self, acronym: str, entries: list[Entry]) -> tuple["array[int]", "array[int]"]:
        """The counts of an acronym's long forms and the counts' domains."""
        values, flags = array("I"), array("H")
        for long_form, counts in entries:
            if not counts or not all(1 <= count <= MAX_COUNT for count in counts.values()):
                raise InputError(f"{acronym!r}, {long_form!r}: impossible counts {counts}")
            for domain, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                values.append(count)
                flags.append(self._domains.setdefault(domain, len(self._domains)))
            flags[-1] |= LAST
        if len(self._domains) > MAX_DOMAINS:
            raise InputError(f"A dictionary holds at most {MAX_DOMAINS:,} domains.")
        return values, flags

    def finish(self, path: Path, metadata: Mapping[str, Any]) -> None:
        """Write the groups to `path`, sorted, with `metadata` and the names of the domains."""
        order = range(len(self)) if self._sorted else self._sort()
        content = _filled(pack_metadata({**metadata, "domains": list(self._domains)}), b" ")
        slots = 1 << max(3, (len(order) * 3 // 2).bit_length())  # at most two thirds full
        sizes = [len(content), 4 * slots, 4 * len(order)]
        start = HEADER_SIZE + sum(sizes)
        offsets, end = self._offsets(order, start)
        sizes.append(end - start)
        starts = accumulate(sizes, initial=HEADER_SIZE)
        with writing(path) as temporary, temporary.open("w+b") as file:
            file.write(bytes(HEADER_SIZE))
            file.write(content)
            file.write(self._slots(order, offsets, slots))
            file.write(offsets)
            file.writelines(self._records(order))
            header = Header(
                acronyms=len(order),
                long_forms=sum(self._pairs[row] for row in order),
                slots=slots,
                longest=self._longest,
                file_size=file.tell(),
                digest=_digest(file),
                metadata_crc=zlib.crc32(content),
                sections=dict(zip(SECTIONS, zip(starts, sizes, strict=False), strict=True)),
            )
            file.seek(0)
            file.write(header.pack())

    def _offsets(self, order: Sequence[int], start: int) -> tuple["array[int]", int]:
        """The offset of each record when the first one is at `start`, and where the last ends."""
        offsets = array("I")
        at = start
        for row in order:
            if at // UNIT > MAX_PLACE:
                raise InputError(
                    f"These long forms need more than the {MAX_PLACE * UNIT:,} bytes that a "
                    "dictionary file may have. Leave rare ones out."
                )
            offsets.append(at // UNIT)
            at += self._starts[row + 1] - self._starts[row] + UNIT  # the index comes on top
        return offsets, at

    def _slots(self, order: Sequence[int], offsets: "array[int]", number: int) -> "array[int]":
        """The hash table of the offsets."""
        slots = array("I", bytes(4 * number))
        mask = number - 1
        for row, offset in zip(order, offsets, strict=True):
            slot = self._hashes[row] & mask
            while slots[slot]:
                slot = (slot + 1) & mask
            slots[slot] = offset
        return slots

    def _records(self, order: Sequence[int]) -> Iterator[bytes]:
        """The records, each with the index of its first long form in front."""
        index = 0
        spooled = self._spooled()
        for row in order:
            yield index.to_bytes(4, "little")
            yield spooled[self._starts[row] : self._starts[row + 1]]
            index += self._pairs[row]

    def _spooled(self) -> "mmap.mmap | bytes":
        """All that was added, for `[starts[row] : starts[row + 1]]`."""
        self._spool.flush()
        if not len(self):  # an empty file cannot be mapped
            return b""
        return mmap.mmap(self._spool.fileno(), 0, access=mmap.ACCESS_READ)

    def _sort(self) -> Sequence[int]:
        """The order of the rows by acronym; rows of one acronym are combined in a new row."""
        spooled = self._spooled()
        acronyms = []
        for start in self._starts[:-1]:
            start += 2 * UNIT
            acronyms.append(spooled[start : spooled.find(b"\n", start)])
        rows = sorted(range(len(self)), key=acronyms.__getitem__)
        order = array("I")
        for acronym, same in groupby(rows, key=acronyms.__getitem__):
            first, *others = same
            order.append(len(self) if others else first)
            if others:
                combined: dict[str, dict[str, int]] = {}
                for row in (first, *others):
                    for form, counts in self._entries(spooled, self._starts[row]):
                        add_counts(combined.setdefault(form, {}), counts)
                self.add(acronym.decode(), combined.items())
        return order

    def _entries(self, spooled: "mmap.mmap | bytes", start: int) -> Iterator[Entry]:
        """The long forms of a record in the spool, with their counts."""
        size, number = array("I", spooled[start : start + 2 * UNIT])
        start += 2 * UNIT
        forms = spooled[start : start + size].decode().split("\n")[1:]
        start += -(-size // UNIT) * UNIT
        values = array("I", spooled[start : start + 4 * number])
        start += 4 * number
        flags = array("H", spooled[start : start + 2 * number])
        yield from zip(forms, counts_by_form(flags, values, list(self._domains)), strict=True)


def _filled(data: bytes, filler: bytes = b"\0") -> bytes:
    """The data, filled up to whole units."""
    return data + filler * (-len(data) % UNIT)


def _digest(file: IO[bytes]) -> bytes:
    """The SHA-256 of a file behind its header."""
    digest = hashlib.sha256()
    file.seek(HEADER_SIZE)
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.digest()
