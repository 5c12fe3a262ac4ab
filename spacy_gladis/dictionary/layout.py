"""The layout of the dictionary file: a checked header, then four sections.

    header    magic, version, sizes, offsets of the sections, checksums (see `_HEADER`)
    metadata  JSON object, "domains" among its keys
    slots     u32 each: hash table over the acronyms, open addressing; a record's offset, or 0
    offsets   u32 each: the offset of each acronym's record, sorted by acronym (code points)
    records   for each acronym
                  u32         index of its first long form among all
                  u32         bytes of text
                  u32         number of counts
                  text        UTF-8: the acronym and its long forms, the most frequent first,
                              with line feeds between them
                  u32 each    the counts, long form by long form
                  u16 each    the counts' domains; LAST is added on a long form's last count

All a look-up needs of an acronym lies together: memory is waited for once. An offset
in the file is in units of four bytes; text, domains and sections are filled up to such a unit. All
numbers are little-endian.
"""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import FormatError

MAGIC = b"\x89GLADIS\n"
VERSION = 1
UNIT = 4  # bytes
RECORD_HEAD = 3  # units
LAST = 0x8000
MAX_DOMAINS = LAST

SECTIONS = ("metadata", "slots", "offsets", "records")

# magic, version, acronyms, long forms, slots, longest text, file size, sha256 of all behind the
# header, (offset, size) of each section in bytes; last the crc32 of the metadata and of the header.
_HEADER = struct.Struct("<8sIIIIIQ32s8QII")
HEADER_SIZE = _HEADER.size


class Header(NamedTuple):
    """What the first bytes of a dictionary file say."""

    acronyms: int
    long_forms: int
    slots: int
    longest: int  # bytes of text in a record
    file_size: int
    digest: bytes
    metadata_crc: int
    sections: dict[str, tuple[int, int]]

    def pack(self) -> bytes:
        """The header's bytes, `HEADER_SIZE` of them."""
        offsets = [number for name in SECTIONS for number in self.sections[name]]
        sizes = (self.acronyms, self.long_forms, self.slots, self.longest, self.file_size)
        values = (MAGIC, VERSION, *sizes, self.digest, *offsets, self.metadata_crc)
        crc = zlib.crc32(_HEADER.pack(*values, 0)[:-4])
        return _HEADER.pack(*values, crc)


def read_header(data: bytes, size: int, path: Path) -> Header:
    """The header in a file's first bytes, checked against the file's size and itself.

    Raises `FormatError` where the file is foreign, truncated, damaged or of another version.
    """
    if data[: len(MAGIC)] != MAGIC:
        raise FormatError(
            f"{path} is not a dictionary file. Expected a file written by "
            "'spacy-gladis dictionary build' or 'import', or a .json file in the published format."
        )
    if len(data) < HEADER_SIZE:
        raise damaged(path, f"it ends within its header, after {len(data)} bytes")
    _, version, *values = _HEADER.unpack_from(data)
    if version != VERSION:
        raise FormatError(
            f"{path} is a dictionary of format version {version}; this package reads version "
            f"{VERSION}. Build it again with 'spacy-gladis dictionary build', or install the "
            "version of spacy-gladis that wrote it."
        )
    if values.pop() != zlib.crc32(data[: HEADER_SIZE - 4]):
        raise damaged(path, "its header does not match its checksum")
    offsets = values[6:-1]
    sections = dict(zip(SECTIONS, zip(offsets[::2], offsets[1::2], strict=True), strict=True))
    header = Header._make([*values[:6], values[-1], sections])
    if size != header.file_size:
        raise damaged(path, f"it has {size:,} bytes, its header says {header.file_size:,}")
    _check_sections(header, path)
    return header


def _check_sections(header: Header, path: Path) -> None:
    expected = {"slots": header.slots * 4, "offsets": header.acronyms * 4}
    for name, (offset, size) in header.sections.items():
        if (
            offset % UNIT
            or offset < HEADER_SIZE
            or offset + size > header.file_size
            or size != expected.get(name, size)
        ):
            raise damaged(path, f"its section '{name}' is out of place")
    if header.slots & (header.slots - 1) or header.slots <= header.acronyms:
        raise damaged(path, f"{header.slots:,} slots cannot hold {header.acronyms:,} acronyms")


def read_metadata(data: bytes, crc: int, path: Path) -> dict[str, Any]:
    """The metadata in its section's bytes."""
    if zlib.crc32(data) != crc:
        raise damaged(path, "its metadata do not match their checksum")
    try:
        metadata = json.loads(data)
        domains = metadata["domains"]
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, f"its metadata cannot be read ({error})") from error
    if not isinstance(domains, list) or not all(isinstance(name, str) for name in domains):
        raise damaged(path, "its metadata name no domains")
    return dict(metadata)


def pack_metadata(metadata: Mapping[str, Any]) -> bytes:
    """The metadata as bytes, the same for equal metadata."""
    return json.dumps(metadata, sort_keys=True, indent=1).encode()


def hash_acronym(acronym: str) -> int:
    """The acronym's hash, without case: spellings that differ in case alone share their slots."""
    return zlib.crc32(acronym.casefold().encode("utf-8", "surrogatepass"))


def counts_by_form(
    flags: Sequence[int], values: Sequence[int], domains: Sequence[str]
) -> Iterator[dict[str, int]]:
    """The counts by domain of each of a record's long forms."""
    counts: dict[str, int] = {}
    for flag, value in zip(flags, values, strict=True):
        counts[domains[flag & ~LAST]] = value
        if flag & LAST:
            yield counts
            counts = {}


def damaged(path: Path, what: str) -> FormatError:
    """The error for a dictionary file that is not what was written."""
    return FormatError(
        f"The dictionary {path} is truncated or damaged: {what}. Fetch or build the file again; "
        "for the packaged dictionary, reinstall spacy-gladis."
    )
