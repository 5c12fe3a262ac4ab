"""Tables that show the acronyms in documents on the terminal."""

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
"""Number of characters in a line of a table if the output isn't a terminal."""

LEAST_SHOWN = 0.005
"""Minimum probability of a candidate that a table shows. Lower ones are rounded to 0.00."""


def write_tables(documents: "Iterable[tuple[str, Doc]]", stream: IO[bytes]) -> None:
    """Write a table of the acronyms in each document, for a terminal.

    Args:
        documents: Pairs of a document's name and the annotated document.
        stream: Binary stream to write to. Colours are used only if it is a terminal.
    """
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
                _plain(format_candidates(meaning.example.runners_up), "dim"),
            )
    return table


def _source(meaning: "Meaning") -> str:
    """Return the source of a meaning, with the document that defines it, if there is one."""
    document = meaning.example.document
    return f"{meaning.source}: {document}" if document else meaning.source


def format_candidates(candidates: Iterable[tuple[str, float]]) -> str:
    """Format candidates as text, such as "artificial intelligence 0.83; adequate intake 0.12".

    Candidates whose probability is below `LEAST_SHOWN` are left out.

    Args:
        candidates: Pairs of a long form and its probability (0 to 1).

    Returns:
        The long forms and probabilities, separated by semicolons.
    """
    return "; ".join(
        f"{long_form} {probability:.2f}"
        for long_form, probability in candidates
        if probability >= LEAST_SHOWN
    )


def _plain(text: str, style: str = "") -> "Text":
    """Return text that rich prints without markup and with blanks for control characters."""
    from rich.text import Text

    return Text("".join(sign if sign.isprintable() else " " for sign in text), style)
