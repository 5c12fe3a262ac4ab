"""Write a dictionary file from groups in any order, in bounded memory."""

import hashlib
import mmap
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from ..errors import InputError
from ..files import writing
from .candidate import MAX_COUNT, Entry, Group, add_counts, total
from .layout import (
    HEADER_SIZE,
    LAST_OF_PAIR,
    MAX_DOMAINS,
    SECTIONS,
    Header,
    hash_acronym,
    pack_metadata,
)


def write_store(groups: Iterable[Group], path: Path, metadata: Mapping[str, Any]) -> None:
    """Write acronyms and their long forms as a dictionary file.

    `groups` may come in any order; long forms are put in order of frequency (equal ones stay as
    they come). An acronym that comes twice gets the long forms of both, counts of equal ones
    added. Equal groups in equal order give equal bytes. Memory: about 60 bytes an acronym, 150
    where they do not come sorted; the rest waits in temporary files beside `path`.
    Raises `InputError` for an empty or broken string, or a count that does not fit.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder,
        StoreWriter(Path(folder)) as writer,
    ):
        for acronym, entries in groups:
            writer.add(acronym, entries)
        writer.finish(path, metadata)


class _Spool:
    """Strings of bytes, appended to a temporary file and read back by number."""

    def __init__(self, path: Path) -> None:
        self.file: IO[bytes] = path.open("w+b")
        self.starts = array("Q", [0])

    def append(self, data: bytes) -> None:
        self.file.write(data)
        self.starts.append(self.starts[-1] + len(data))

    def readable(self) -> "mmap.mmap | bytes":
        """All of it, for `data[starts[i]:starts[i + 1]]`."""
        self.file.flush()
        if not self.starts[-1]:  # an empty file cannot be mapped
            return b""
        return mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ)

    def sizes(self, order: Sequence[int]) -> Iterator[int]:
        return (self.starts[row + 1] - self.starts[row] for row in order)

    def chunks(self, order: Sequence[int]) -> Iterator[bytes]:
        data = self.readable()
        return (data[self.starts[row] : self.starts[row + 1]] for row in order)


class StoreWriter:
    """Takes groups one by one; `finish` writes them. Use it in a `with` statement."""

    def __init__(self, folder: Path) -> None:
        self._acronyms = _Spool(folder / "acronyms")
        self._forms = _Spool(folder / "forms")
        self._flags = _Spool(folder / "count_domains")
        self._values = _Spool(folder / "count_values")
        self._pairs = array("I")
        self._hashes = array("I")
        self._domains: dict[str, int] = {}
        self._last = ""
        self._sorted = True

    def __enter__(self) -> "StoreWriter":
        return self

    def __exit__(self, *_: object) -> None:
        for spool in (self._acronyms, self._forms, self._flags, self._values):
            spool.file.close()

    def __len__(self) -> int:
        """How many groups were added."""
        return len(self._pairs)

    def add(self, acronym: str, entries: Iterable[Entry]) -> None:
        """Add an acronym and its long forms, no long form twice."""
        ordered = sorted(entries, key=total, reverse=True)
        if not ordered:
            return
        flags, values = array("H"), array("I")
        for long_form, counts in ordered:
            if not long_form or "\n" in long_form or not counts:
                raise InputError(f"{acronym!r} has an impossible long form: {long_form!r} {counts}")
            for domain, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                if not 1 <= count <= MAX_COUNT:
                    raise InputError(f"{acronym!r}, {long_form!r}: {count} is not a possible count")
                flags.append(self._domains.setdefault(domain, len(self._domains)))
                values.append(count)
            flags[-1] |= LAST_OF_PAIR
        if len(self._domains) > MAX_DOMAINS:
            raise InputError(f"A dictionary holds at most {MAX_DOMAINS:,} domains.")
        if not acronym:
            raise InputError(f"An empty acronym has long forms: {ordered[:3]}")
        try:
            name, forms = acronym.encode(), "\n".join(form for form, _ in ordered).encode()
        except UnicodeEncodeError as error:
            raise InputError(f"{acronym!r} or its long forms are no valid Unicode.") from error
        self._acronyms.append(name)
        self._forms.append(forms)
        self._flags.append(flags.tobytes())
        self._values.append(values.tobytes())
        self._pairs.append(len(ordered))
        self._hashes.append(hash_acronym(acronym))
        self._sorted = self._sorted and acronym > self._last
        self._last = acronym

    def finish(self, path: Path, metadata: Mapping[str, Any]) -> None:
        """Write the groups to `path`, sorted, with `metadata` and the names of the domains."""
        order = range(len(self)) if self._sorted else self._sort()
        names = sorted(self._domains)
        content = {**metadata, "domains": names}
        self._write(path, order, pack_metadata(content), names)

    def _sort(self) -> Sequence[int]:
        """The order of the rows by acronym; rows of one acronym are combined in a new row."""
        acronyms = list(self._acronyms.chunks(range(len(self))))
        rows = sorted(range(len(self)), key=acronyms.__getitem__)
        order = array("I")
        repeated = []
        for acronym, same in groupby(rows, key=acronyms.__getitem__):
            first, *others = same
            if others:
                repeated.append((len(order), acronym, [first, *others]))
            order.append(first)
        if repeated:
            self._combine(repeated, order)
        return order

    def _combine(self, repeated: list[tuple[int, bytes, list[int]]], order: "array[int]") -> None:
        names = list(self._domains)
        spools = (self._forms, self._flags, self._values)
        data = [spool.readable() for spool in spools]
        for place, acronym, rows in repeated:
            combined: dict[str, dict[str, int]] = {}
            for row in rows:
                forms, flags, values = (
                    content[spool.starts[row] : spool.starts[row + 1]]
                    for spool, content in zip(spools, data, strict=True)
                )
                for form, counts in _decode(forms, flags, values, names):
                    add_counts(combined.setdefault(form, {}), counts)
            order[place] = len(self)
            self.add(acronym.decode(), combined.items())

    def _write(self, path: Path, order: Sequence[int], metadata: bytes, names: list[str]) -> None:
        renumber = [names.index(name) for name in self._domains]
        slots = self._slots(order)
        pairs = sum(self._pairs[row] for row in order)
        counts = sum(self._values.sizes(order)) // 4
        contents: dict[str, Iterable[bytes]] = {
            "metadata": [metadata],
            "slots": [slots.tobytes()],
            "acronym_starts": _running_sum(self._acronyms.sizes(order), "acronyms"),
            "acronyms": self._acronyms.chunks(order),
            "pair_starts": _running_sum((self._pairs[row] for row in order), "long forms"),
            "form_starts": _running_sum(self._forms.sizes(order), "long forms"),
            "forms": self._forms.chunks(order),
            "count_starts": _running_sum((n // 4 for n in self._values.sizes(order)), "counts"),
            "count_domains": (_renumber(data, renumber) for data in self._flags.chunks(order)),
            "count_values": self._values.chunks(order),
        }
        sections: dict[str, tuple[int, int]] = {}
        with writing(path) as temporary, temporary.open("w+b") as file:
            file.write(bytes(HEADER_SIZE))
            for name in SECTIONS:
                start = file.tell()
                file.writelines(contents[name])
                end = file.tell()
                sections[name] = (start, end - start)
                file.write(bytes(-end % 8))
            size = file.tell()
            digest = _digest(file)
            header = Header(
                acronyms=len(order),
                pairs=pairs,
                counts=counts,
                slots=len(slots),
                file_size=size,
                digest=digest,
                metadata_crc=zlib.crc32(metadata),
                sections=sections,
            )
            file.seek(0)
            file.write(header.pack())

    def _slots(self, order: Sequence[int]) -> "array[int]":
        """The hash table: at most two thirds full, so that look-ups find a gap soon."""
        number = 1 << max(3, (len(order) * 3 // 2).bit_length())
        slots = array("I", bytes(4 * number))
        mask = number - 1
        for row, spooled in enumerate(order, 1):
            slot = self._hashes[spooled] & mask
            while slots[slot]:
                slot = (slot + 1) & mask
            slots[slot] = row
        return slots


def _decode(forms: bytes, flags: bytes, values: bytes, names: list[str]) -> Iterator[Entry]:
    pairs = zip(array("H", flags), array("I", values), strict=True)
    for form in forms.decode().split("\n"):
        counts = {}
        for flag, value in pairs:
            counts[names[flag & ~LAST_OF_PAIR]] = value
            if flag >= LAST_OF_PAIR:
                break
        yield form, counts


def _renumber(flags: bytes, numbers: list[int]) -> bytes:
    return array(
        "H", [numbers[flag & ~LAST_OF_PAIR] | flag & LAST_OF_PAIR for flag in array("H", flags)]
    ).tobytes()


def _running_sum(sizes: Iterable[int], what: str) -> Iterator[bytes]:
    """The places where parts of the given sizes begin, and where the last one ends."""
    sums = array("I", [0])
    at = 0
    for size in sizes:
        at += size
        try:
            sums.append(at)
        except OverflowError as error:
            raise InputError(
                f"These {what} take more than a dictionary can hold, 4 GiB."
            ) from error
        if len(sums) == 1 << 16:
            yield sums.tobytes()
            del sums[:]
    yield sums.tobytes()


def _digest(file: IO[bytes]) -> bytes:
    """The SHA-256 of a file behind its header."""
    digest = hashlib.sha256()
    file.seek(HEADER_SIZE)
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.digest()
