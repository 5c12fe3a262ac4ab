"""Glossaries as tables for a terminal."""

import io
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text
    from spacy.tokens import Doc

    from ..output.glossary import Entry, Meaning

COLOURS = {
    "definition": "green",
    "document": "green",
    "folder": "green",
    "dictionary": "cyan",
    "llm": "magenta",
    "nil": "yellow",
}
COLUMNS = ("Acronym", "Long form", "Probability", "Source", "Mentions", "Runners-up")
WIDTH = 120
"""Characters in a line where the output is not a terminal."""

LEAST_SHOWN = 0.005
"""Probability below which a runner-up is none for a reader: it would be shown as 0.00."""


def write_tables(documents: "Iterable[tuple[str, Doc]]", stream: IO[bytes]) -> None:
    """Write a table for each document as it comes; in colours on a terminal alone."""
    from rich.console import Console

    from ..output.glossary import Glossary

    text = io.TextIOWrapper(stream, "utf-8", errors="replace", write_through=True)
    console = Console(file=text, width=None if stream.isatty() else WIDTH, highlight=False)
    for name, doc in documents:
        glossary = Glossary()
        glossary.add(name, doc)
        entries = sorted(glossary.entries(), key=lambda entry: entry.first)
        if entries:
            console.print(_table(name, entries))
        else:
            console.print(_plain(f"{name}: no acronyms"))
    text.detach()


def _table(name: str, entries: "list[Entry]") -> object:
    from rich.table import Table

    table = Table(title=_plain(name), title_justify="left", header_style="bold")
    for column in COLUMNS:
        numeric = column in ("Probability", "Mentions")
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for entry in entries:
        for meaning in entry.meanings:
            table.add_row(
                _plain(entry.acronym, "bold"),
                _plain(meaning.long_form or "unknown"),
                f"{meaning.probability:.2f}",
                _plain(_source(meaning), COLOURS[meaning.source]),
                str(meaning.mentions),
                _plain(in_words(meaning.example.runners_up), "dim"),
            )
    return table


def _source(meaning: "Meaning") -> str:
    """Where a meaning comes from, with the document that defines it."""
    document = meaning.example.document
    return f"{meaning.source}: {document}" if document else meaning.source


def in_words(candidates: Iterable[tuple[str, float]]) -> str:
    """Long forms with their probabilities, without those below LEAST_SHOWN."""
    return "; ".join(f"{name} {share:.2f}" for name, share in candidates if share >= LEAST_SHOWN)


def _plain(text: str, style: str = "") -> "Text":
    """Text as it is: no markup is read in it, and nothing in it steers the terminal."""
    from rich.text import Text

    return Text("".join(c if c.isprintable() else " " for c in text), style)
