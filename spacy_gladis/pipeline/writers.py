"""How annotated documents are written, one function a format.

Each takes named documents as they come and a binary stream, and writes the documents as they
come, except where the format is one whole.
"""

import json
from collections.abc import Callable, Iterable
from typing import IO

from spacy.tokens import Doc, DocBin

from .export import to_record
from .html import to_html

Documents = Iterable[tuple[str, Doc]]
Writer = Callable[[Documents, IO[bytes]], None]


def write_json(documents: Documents, stream: IO[bytes]) -> None:
    """One JSON array with a record for each document."""
    before = b"[\n"
    for name, doc in documents:
        stream.write(before + _json(to_record(doc, name)))
        before = b",\n"
    stream.write(b"\n]\n" if before == b",\n" else b"[]\n")


def write_jsonl(documents: Documents, stream: IO[bytes]) -> None:
    """One JSON record a line for each document."""
    for name, doc in documents:
        stream.write(_json(to_record(doc, name)) + b"\n")


def write_html(documents: Documents, stream: IO[bytes]) -> None:
    """A page with the texts and their glossaries."""
    for part in to_html(documents):
        stream.write(part.encode("utf-8", "replace"))


def write_docbin(documents: Documents, stream: IO[bytes]) -> None:
    """spaCy's own binary format; `doc.user_data["document"]` is the name."""
    store = DocBin(store_user_data=True)
    for name, doc in documents:
        doc.user_data["document"] = name
        store.add(doc)
    stream.write(store.to_bytes())


def _json(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


WRITERS: dict[str, Writer] = {
    "json": write_json,
    "jsonl": write_jsonl,
    "html": write_html,
    "docbin": write_docbin,
}
