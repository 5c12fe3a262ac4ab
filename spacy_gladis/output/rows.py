"""Tables with a row for each acronym in annotated documents: CSV, TSV, Parquet and data frames."""

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
"""Columns of the tables of acronyms, with their pandas types.

Columns of the types `Int64` and `string` can have missing values.
"""

EXTRA = "dataframe"
_ROW_GROUP = 50_000  # number of rows in a row group of Parquet


def to_rows(doc: Doc, name: str, source: Source | None = None) -> Iterator[dict[str, Any]]:
    """Yield a table row for each acronym in a document.

    Args:
        doc: Document that a pipeline has annotated.
        name: Name of the document, which is the first cell of each row.
        source: The text that was read from a file. With it, offsets refer to the file, and rows
            have a line and a column. None leaves line and column empty.

    Yields:
        Dictionaries that map each column in `TYPES` to its cell. The cell is None if there is no
        value.
    """
    for mention in to_record(doc, name, source)["acronyms"]:
        runners_up = [
            f"{candidate['long_form']} {candidate['probability']:.2f}"
            for candidate in mention["candidates"]
            if candidate["long_form"] != mention["long_form"]
        ]
        yield {
            "document": name,
            **{column: mention.get(column) for column in TYPES if column != "document"},
            "defined_in": mention.get("defined_in"),
            "runners_up": "; ".join(runners_up),
            "why": "; ".join(mention["why"]),
        }


def to_dataframe(docs: Iterable[Doc]) -> "DataFrame":
    """Convert the acronyms in annotated documents to a pandas data frame.

    Args:
        docs: Annotated documents, such as `nlp.pipe(texts)` yields. The name of a document is
            `doc.user_data["document"]` if it is set, or else its number, counted from 0.

    Returns:
        A data frame with a row for each mention of an acronym, and the columns of `TYPES`. In the
        column `long_form`, the values of acronyms that weren't resolved are missing.

    Raises:
        MissingExtraError: If pandas isn't installed.
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
    """Write the acronyms in annotated documents as CSV or TSV, with a row for each mention.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to, in UTF-8.
        separator: Character between cells, such as a comma or a tab.
        sources: Texts that the documents were read from, by the name of the document. Rows then
            have lines, columns and offsets of the file. The mapping can be filled while `documents`
            is iterated over.
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
    """Write the acronyms in annotated documents as Parquet, with a row for each mention.

    The rows are written in groups, so that only one group is in memory at a time.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to.
        sources: Texts that the documents were read from, by the name of the document. Rows then
            have lines, columns and offsets of the file. The mapping can be filled while `documents`
            is iterated over.

    Raises:
        MissingExtraError: If pyarrow isn't installed.
    """
    arrow, parquet = require("pyarrow", EXTRA), require("pyarrow.parquet", EXTRA)
    schema = arrow.schema([(name, kind.lower()) for name, kind in TYPES.items()])
    rows = _rows(documents, sources)
    with parquet.ParquetWriter(stream, schema) as writer:
        while group := list(islice(rows, _ROW_GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _rows(
    documents: Iterable[tuple[str, Doc]], sources: Mapping[str, Source] | None
) -> Iterator[dict[str, Any]]:
    for name, doc in documents:
        yield from to_rows(doc, name, (sources or {}).get(name))
