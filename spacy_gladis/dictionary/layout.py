"""The layout of the dictionary file: a checked header, then ten sections.

    header          magic, version, sizes, places of the sections, checksums (see `_HEADER`)
    metadata        JSON object, "domains" among its keys
    slots           u32 each: hash table over the acronyms, open addressing; acronym row + 1, or 0
    acronym_starts  u32 each, one more than acronyms: where each acronym begins in `acronyms`
    acronyms        UTF-8, sorted by code point
    pair_starts     u32: the first pair (long form of an acronym) of each acronym
    form_starts     u32: where each acronym's long forms begin in `forms`
    forms           UTF-8, an acronym's long forms joined by line feeds, most frequent first
    count_starts    u32: the first count of each acronym
    count_domains   u16 each: a count's domain; LAST_OF_PAIR is added on a pair's last count
    count_values    u32 each

All numbers are little-endian and every section begins at a multiple of eight bytes.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import FormatError

MAGIC = b"\x89GLADIS\n"
VERSION = 1
LAST_OF_PAIR = 0x8000
MAX_DOMAINS = LAST_OF_PAIR

SECTIONS = {  # name -> bytes an item
    "metadata": 1,
    "slots": 4,
    "acronym_starts": 4,
    "acronyms": 1,
    "pair_starts": 4,
    "form_starts": 4,
    "forms": 1,
    "count_starts": 4,
    "count_domains": 2,
    "count_values": 4,
}
# magic, version, acronyms, pairs, counts, slots, file size, sha256 of all behind the header,
# (place, size) of each section in bytes; last the crc32 of the metadata and of the header.
_HEADER = struct.Struct(f"<8sIIIIIQ32s{2 * len(SECTIONS)}QII")
HEADER_SIZE = -(-_HEADER.size // 8) * 8


class Header(NamedTuple):
    """What the first bytes of a dictionary file say."""

    acronyms: int
    pairs: int
    counts: int
    slots: int
    file_size: int
    digest: bytes
    metadata_crc: int
    sections: dict[str, tuple[int, int]]

    def pack(self) -> bytes:
        """The header's bytes, `HEADER_SIZE` of them."""
        places = [number for name in SECTIONS for number in self.sections[name]]
        start = (MAGIC, VERSION, self.acronyms, self.pairs, self.counts, self.slots)
        values = (*start, self.file_size, self.digest, *places, self.metadata_crc)
        crc = zlib.crc32(_HEADER.pack(*values, 0))
        return _HEADER.pack(*values, crc).ljust(HEADER_SIZE, b"\0")


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
    _, version, acronyms, pairs, counts, slots, file_size, digest, *rest = _HEADER.unpack_from(data)
    if version != VERSION:
        raise FormatError(
            f"{path} is a dictionary of format version {version}; this package reads version "
            f"{VERSION}. Build it again with 'spacy-gladis dictionary build', or install the "
            "version of spacy-gladis that wrote it."
        )
    *places, metadata_crc, crc = rest
    if crc != zlib.crc32(data[: _HEADER.size - 4] + b"\0\0\0\0"):
        raise damaged(path, "its header does not match its checksum")
    if size != file_size:
        raise damaged(path, f"it has {size:,} bytes, its header says {file_size:,}")
    sections = dict(zip(SECTIONS, zip(places[::2], places[1::2], strict=True), strict=True))
    header = Header(acronyms, pairs, counts, slots, file_size, digest, metadata_crc, sections)
    items = {
        "slots": slots,
        "acronym_starts": acronyms + 1,
        "pair_starts": acronyms + 1,
        "form_starts": acronyms + 1,
        "count_starts": acronyms + 1,
        "count_domains": counts,
        "count_values": counts,
    }
    for name, (place, length) in sections.items():
        expected = items.get(name)
        if (
            place % 8
            or place < HEADER_SIZE
            or place + length > size
            or (expected is not None and length != expected * SECTIONS[name])
        ):
            raise damaged(path, f"its section '{name}' is out of place")
    if slots & (slots - 1) or slots <= acronyms:
        raise damaged(path, f"its table of {slots} slots cannot hold {acronyms} acronyms")
    return header


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


def damaged(path: Path, what: str) -> FormatError:
    return FormatError(
        f"The dictionary {path} is truncated or damaged: {what}. Fetch or build the file again; "
        "for the packaged dictionary, reinstall spacy-gladis."
    )
