"""How annotated documents are written, one function a format.

Each takes named documents as they come and a binary stream, and writes the documents as they
come, except where the format is one whole.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import IO

from spacy.tokens import Doc, DocBin

from ..documents.source import Source
from ..pipeline.annotations import DOCUMENT
from .expansion import Expander, expander
from .labelling import to_displacy, to_label_studio, to_prodigy
from .page import to_html
from .records import to_record
from .rows import write_parquet, write_separated

Documents = Iterable[tuple[str, Doc]]
Writer = Callable[[Documents, IO[bytes]], None]
ToRecord = Callable[[Doc, str], object]


def write_json(documents: Documents, stream: IO[bytes], record: ToRecord = to_record) -> None:
    """One JSON array with a record for each document."""
    before = b"[\n"
    for name, doc in documents:
        stream.write(before + _json(record(doc, name)))
        before = b",\n"
    stream.write(b"\n]\n" if before == b",\n" else b"[]\n")


def write_jsonl(documents: Documents, stream: IO[bytes], record: ToRecord = to_record) -> None:
    """One JSON record a line for each document."""
    for name, doc in documents:
        stream.write(_json(record(doc, name)) + b"\n")


def write_html(
    documents: Documents, stream: IO[bytes], sources: Mapping[str, Source] | None = None
) -> None:
    """A page with the texts and their glossary."""
    for part in to_html(documents, sources=sources):
        stream.write(part.encode("utf-8", "replace"))


def write_docbin(documents: Documents, stream: IO[bytes]) -> None:
    """spaCy's own binary format; `doc.user_data["document"]` is the name."""
    store = DocBin(store_user_data=True)
    for name, doc in documents:
        doc.user_data[DOCUMENT] = name
        store.add(doc)
    stream.write(store.to_bytes())


def write_expanded(
    documents: Documents, stream: IO[bytes], expanded: Expander, sources: Mapping[str, Source]
) -> None:
    """The texts with long forms inserted; from the second on each under a line with its name."""
    for number, (name, doc) in enumerate(documents):
        if number:
            stream.write(f"\n==> {name} <==\n".encode("utf-8", "replace"))
        text = expanded(sources[name], doc)
        stream.write(text.encode("utf-8", "replace"))
        if not text.endswith("\n"):
            stream.write(b"\n")


def _json(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


_WITH_SOURCES: dict[str, Callable[..., None]] = {
    "html": write_html,
    "csv": write_separated,
    "tsv": partial(write_separated, separator="\t"),
    "parquet": write_parquet,
}
WRITERS: dict[str, Writer] = {
    "json": write_json,
    "jsonl": write_jsonl,
    "displacy": partial(write_json, record=to_displacy),
    "docbin": write_docbin,
    "prodigy": partial(write_jsonl, record=to_prodigy),
    "label-studio": partial(write_json, record=to_label_studio),
    **_WITH_SOURCES,
}


def writer_of(
    format: str,
    expand: str | None,
    sources: Mapping[str, Source],
    text: bool = False,
    *,
    shorthand: bool = False,
) -> Writer:
    """Return the writer of a format, for texts with long forms inserted as `expander` has it.

    Args:
        format: One of `WRITERS`, or `text` with `expand`.
        expand: A mode of `expander`, or None for the annotated documents themselves.
        sources: What each document was read from, there when the document comes; the offsets in
            JSON records are those of the files.
        text: Put each text, as it was read, into its record; offsets are then those of that text.
        shorthand: Also expand shorthand, units, symbols and doses.
    """
    expanded = expander(expand, shorthand=shorthand) if expand else None
    if expanded and format == "text":
        return partial(write_expanded, expanded=expanded, sources=sources)
    if format in _WITH_SOURCES:
        return partial(_WITH_SOURCES[format], sources=sources)
    if format not in ("json", "jsonl"):
        return WRITERS[format]

    def record(doc: Doc, name: str) -> object:
        if expanded:
            return {"document": name, "text": expanded(sources[name], doc)}
        return to_record(doc, name, sources[name], text)

    return partial(write_json if format == "json" else write_jsonl, record=record)
