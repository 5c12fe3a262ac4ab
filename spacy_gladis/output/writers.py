"""Functions that write annotated documents to a stream, one for each output format.

A writer takes documents with their names, and a binary stream. It writes each document as soon as
it arrives, unless the format needs all documents at once.
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
    """Write a JSON array that has a record for each document.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: The stream to write to.
        record: Function that converts a document to its record.
    """
    separator = b"[\n"
    for name, doc in documents:
        stream.write(separator + _json(record(doc, name)))
        separator = b",\n"
    stream.write(b"\n]\n" if separator == b",\n" else b"[]\n")


def write_jsonl(documents: Documents, stream: IO[bytes], record: ToRecord = to_record) -> None:
    """Write a record for each document as a line of JSON.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: The stream to write to.
        record: Function that converts a document to its record.
    """
    for name, doc in documents:
        stream.write(_json(record(doc, name)) + b"\n")


def write_html(
    documents: Documents, stream: IO[bytes], sources: Mapping[str, Source] | None = None
) -> None:
    """Write an HTML page that shows the documents and a glossary of their acronyms.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: The stream to write to.
        sources: The sources that the documents were read from, by name. They provide line numbers.
    """
    for part in to_html(documents, sources=sources):
        stream.write(part.encode("utf-8", "replace"))


def write_docbin(documents: Documents, stream: IO[bytes]) -> None:
    """Write the documents as a spaCy `DocBin`, with their names in `doc.user_data["document"]`.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: The stream to write to.
    """
    store = DocBin(store_user_data=True)
    for name, doc in documents:
        doc.user_data[DOCUMENT] = name
        store.add(doc)
    stream.write(store.to_bytes())


def write_expanded(
    documents: Documents, stream: IO[bytes], expanded: Expander, sources: Mapping[str, Source]
) -> None:
    """Write the texts with acronyms replaced by long forms.

    Each text after the first is preceded by a line with its name.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: The stream to write to.
        expanded: Function that returns the text of a document with long forms.
        sources: The sources that the documents were read from, by name.
    """
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
    """Return the function that writes documents in a format.

    Args:
        format: A key of `WRITERS`, or `text` together with `expand`.
        expand: A mode of `expander`, to write the texts with long forms. None writes the
            annotations.
        sources: The sources that the documents were read from, by name. A source must be in the
            mapping when its document is written. Offsets in records refer to the original files.
        text: Whether to include each text in its record. Offsets then refer to this text.
        shorthand: Whether to expand shorthand, units, symbols and doses as well.

    Returns:
        A function that takes documents with their names, and a binary stream.
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
