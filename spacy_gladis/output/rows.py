"""Annotated documents as a table, a row for each mention: CSV, TSV, Parquet, a data frame."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from spacy.tokens import Doc

from ..dictionary.tables import without_formula
from ..documents.source import Source
from ..errors import require
from ..pipeline.annotations import DOCUMENT
from .records import to_record

if TYPE_CHECKING:
    from pandas import DataFrame

TYPES = {
    "document": "string",
    "start": "int64",
    "end": "int64",
    "line": "Int64",
    "column": "Int64",
    "acronym": "string",
    "long_form": "string",
    "probability": "float64",
    "source": "string",
    "gloss": "string",
    "defined_in": "string",
    "runners_up": "string",
    "why": "string",
}
"""The columns, with pandas' types. `Int64` and `string` may lack a value."""

EXTRA = "dataframe"
_ROW_GROUP = 50_000  # rows that are written to Parquet together


def to_rows(doc: Doc, name: str, source: Source | None = None) -> Iterator[dict[str, Any]]:
    """Yield a row for each mention of a document, by the names in `TYPES`.

    Args:
        doc: An annotated document.
        name: What the document is called.
        source: What it was read from; offsets are then those of the file, with line and column.
    """
    for mention in to_record(doc, name, source)["acronyms"]:
        others = [
            f"{one['long_form']} {one['probability']:.2f}"
            for one in mention["candidates"]
            if one["long_form"] != mention["long_form"]
        ]
        yield {
            "document": name,
            **{column: mention.get(column) for column in TYPES if column != "document"},
            "defined_in": mention.get("defined_in"),
            "runners_up": "; ".join(others),
            "why": "; ".join(mention["why"]),
        }


def to_dataframe(docs: Iterable[Doc]) -> "DataFrame":
    """Return the mentions of annotated documents as a pandas data frame, a row for each.

    Args:
        docs: Annotated documents, as `nlp.pipe(texts)` gives them. One is called what
            `doc.user_data["document"]` says, else by its number from 0.

    Returns:
        A frame with the columns of `TYPES`. `long_form` lacks a value where the meaning is not
        known.

    Raises:
        MissingExtraError: If pandas is not installed.
    """
    pandas = require("pandas", EXTRA)
    rows = [
        row
        for number, doc in enumerate(docs)
        for row in to_rows(doc, doc.user_data.get(DOCUMENT) or str(number))
    ]
    frame: DataFrame = pandas.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
    return frame


def write_separated(
    documents: Iterable[tuple[str, Doc]],
    stream: IO[bytes],
    separator: str = ",",
    sources: Mapping[str, Source] | None = None,
) -> None:
    """Write named documents as CSV or TSV, as they come, in UTF-8.

    Args:
        documents: Annotated documents with their names.
        stream: Where to write.
        separator: What stands between two cells.
        sources: What each document was read from, there when the document comes.
    """
    text = io.TextIOWrapper(stream, "utf-8", "replace", newline="", write_through=True)
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(TYPES)
    for row in _rows(documents, sources):
        cells = ("" if row[name] is None else " ".join(str(row[name]).split()) for name in TYPES)
        writer.writerow(map(without_formula, cells))
    text.detach()


def write_parquet(
    documents: Iterable[tuple[str, Doc]],
    stream: IO[bytes],
    sources: Mapping[str, Source] | None = None,
) -> None:
    """Write named documents as Parquet, some thousand rows at a time.

    Args:
        documents: Annotated documents with their names.
        stream: Where to write.
        sources: What each document was read from, there when the document comes.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """
    arrow, parquet = require("pyarrow", EXTRA), require("pyarrow.parquet", EXTRA)
    schema = arrow.schema([(name, kind.lower()) for name, kind in TYPES.items()])
    rows = _rows(documents, sources)
    with parquet.ParquetWriter(stream, schema) as writer:
        while some := list(islice(rows, _ROW_GROUP)):
            writer.write_table(arrow.Table.from_pylist(some, schema=schema))


def _rows(
    documents: Iterable[tuple[str, Doc]], sources: Mapping[str, Source] | None
) -> Iterator[dict[str, Any]]:
    for name, doc in documents:
        yield from to_rows(doc, name, (sources or {}).get(name))
