"""Small corpora in the formats that the readers take."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

TOPICS = [
    ("support vector machine", "SVM", "The {} separated the two classes with a wide margin."),
    ("magnetic resonance imaging", "MRI", "Each patient was examined by {} before surgery."),
    ("polymerase chain reaction", "PCR", "Samples were amplified by {} for thirty cycles."),
    ("gross domestic product", "GDP", "Growth of the {} slowed in the second quarter."),
    ("public key infrastructure", "PKI", "Certificates are issued by the {} of the agency."),
    ("principal component analysis", "PCA", "We reduced the features by {} to ten dimensions."),
    ("patient controlled analgesia", "PCA", "Pain after the operation was treated by {} at once."),
]
FILLER = "The weather was mild and the river ran slowly past the old mill by the village green. "


def document(number: int) -> str:
    """A text that defines an acronym and uses it again, far away."""
    long_form, acronym, sentence = TOPICS[number % len(TOPICS)]
    return (
        f"Report {number}: {sentence.format(f'{long_form} ({acronym})')} {FILLER * 8}\n\n"
        f"{FILLER * 8}{sentence.format(acronym)} {FILLER * 8}\n\n"
        f"{FILLER * 3}Nobody spoke of {long_form} in chapter {number}. {FILLER * 3}"
    )


def records(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {
            "text": document(number),
            "meta": {"pile_set_name": ("Papers", "Reports", "Web")[number % 3]},
        }
        for number in range(first, first + count)
    ]


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    """Write records (or lines, as bytes) in the compression that the file's name says."""
    data = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )
    path.write_bytes(compressor(path.suffix)(data))
    return path


def compressor(suffix: str) -> Callable[[bytes], bytes]:
    if suffix == ".zst":
        return pytest.importorskip("zstandard").ZstdCompressor().compress
    if suffix == ".gz":
        import gzip

        return gzip.compress
    if suffix == ".bz2":
        import bz2

        return lambda data: bz2.compress(data, 1)  # in small blocks
    return bytes
