"""Files of many documents: JSON lines and spaCy's DocBin."""

from collections.abc import Iterator
from pathlib import Path

from ...problem import Problem, Report
from ..builder import TextBuilder
from ..document import Piece
from ..json_strings import decoded, loads
from ..lines import read_lines
from ..readers.docbin import read_docbin
from ..readers.pile import read_pile
from ..source import Source


def read_json_lines(path: Path, report: Report, text_field: str = "text") -> Iterator[Source]:
    """Yield the text of each line's object, by its key; a place is one in the line."""
    lines = read_lines(path, report)
    for document in read_pile(Piece.whole(path), report, text_field):
        number = int(document.id.rpartition(":")[2])
        line = next(line for at, line in lines if at == number).decode("utf-8")
        builder = TextBuilder(line)
        try:
            text = loads(line)[text_field]
        except RecursionError:
            report(Problem("invalid JSON", str(path), number, "nested too deeply"))
            continue
        for run, start, end in decoded(line, text):
            builder.replace(run, start, end)
        source = builder.source("json lines", f"{path}:{number}")
        yield source.at(path=str(path), first=number)


def read_docbins(path: Path, report: Report) -> Iterator[Source]:
    """Yield the texts of a DocBin; a place is a document's number and a character in it."""
    for document in read_docbin(Piece.whole(path), report):
        number = int(document.id.rpartition(":")[2])
        text = document.text
        builder = TextBuilder(" ".join(text.replace("\r", " ").split("\n")))
        builder.replace(text, 0, len(text))
        source = builder.source("docbin", f"{path}:{number}")
        yield source.at(path=str(path), unit="document", first=number)
