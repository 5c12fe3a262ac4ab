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
    """Write a JSON array with a record for each document.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to.
        record: Function that takes an annotated document and its name, and returns its record as
            JSON types.
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
        stream: Binary stream to write to.
        record: Function that takes an annotated document and its name, and returns its record as
            JSON types.
    """
    for name, doc in documents:
        stream.write(_json(record(doc, name)) + b"\n")


def write_html(
    documents: Documents, stream: IO[bytes], sources: Mapping[str, Source] | None = None
) -> None:
    """Write an HTML page that shows documents with their acronyms, and a glossary.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to.
        sources: Texts that the documents were read from, by the name of the document. They provide
            the line numbers in the files. None counts the lines in each document's text.
    """
    for part in to_html(documents, sources=sources):
        stream.write(part.encode("utf-8", "replace"))


def write_docbin(documents: Documents, stream: IO[bytes]) -> None:
    """Write annotated documents as a spaCy `DocBin`.

    The name of each document is stored in `doc.user_data["document"]`.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to.
    """
    store = DocBin(store_user_data=True)
    for name, doc in documents:
        doc.user_data[DOCUMENT] = name
        store.add(doc)
    stream.write(store.to_bytes())


def write_expanded(
    documents: Documents, stream: IO[bytes], expanded: Expander, sources: Mapping[str, Source]
) -> None:
    """Write the texts of documents with long forms in place of acronyms.

    If there are several documents, a line such as `==> b.txt <==` precedes each text except the
    first.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to.
        expanded: Function that takes a source and its annotated document, and returns the expanded
            text.
        sources: Texts that the documents were read from, by the name of the document.
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
    """Return the function that writes annotated documents in an output format.

    Args:
        format: Name of the format, which is a key of `WRITERS`, or `text` if `expand` is set.
        expand: Mode of `expander`, such as `first`, to write the texts with long forms. None writes
            the annotations.
        sources: Texts that the documents were read from, by the name of the document. Offsets in
            records refer to the files. The mapping can be filled while the documents are iterated
            over.
        text: Whether to include the text of each document in its record. If True, offsets refer to
            this text.
        shorthand: Whether to also expand shorthand, units, symbols and doses, such as `w/` and
            `BID`.

    Returns:
        A function that takes pairs of a name and an annotated document, and a binary stream to
        write to.
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
