"""A glossary in the formats that people and their tools read."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from itertools import chain, count

from ..dictionary.tables import without_formula
from .glossary import Entry, Glossary, Meaning
from .markup import as_markup
from .templates import SOURCES, render

COLUMNS = (
    "acronym",
    "long_form",
    "source",
    "probability",
    "mentions",
    "documents",
    "first_document",
    "first_line",
    "first_use",
    "conflict",
    "defined",
    "defined_late",
    "gloss",
)
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>|~#"})


def summary(glossary: Glossary) -> str:
    """One line on a glossary: how many acronyms, and how many of them need a look."""
    entries = glossary.entries()
    conflicts = sum(entry.conflict for entry in entries)
    undefined = sum(entry.undefined for entry in entries)
    return (
        f"{number(len(entries), 'acronym')} in {number(glossary.documents, 'document')}; "
        f"{conflicts} with more than one meaning, {undefined} used but never defined."
    )


def to_markdown(glossary: Glossary) -> str:
    """A table of all meanings, then the conflicts with their first uses, then the undefined."""
    entries = glossary.entries()
    lines = ["# Acronyms", "", summary(glossary)]
    if entries:
        lines += [
            "",
            "| Acronym | Long form | What it is | Source | Probability | Mentions | First use |",
        ]
        lines += ["|---|---|---|---|--:|--:|---|"]
        lines += [_row(entry, meaning) for entry in entries for meaning in entry.meanings]
    sections = {
        "More than one meaning": [_conflict(one) for one in entries if one.conflict],
        "Used but never defined": [
            f"- **{_plain(one.acronym)}**, {number(one.mentions, 'mention')}, first at "
            f"{_plain(str(one.first))}{_guess(one)}"
            for one in entries
            if one.undefined
        ],
        "Used before the definition": [
            f"- **{_plain(one.acronym)}** at {_plain(str(one.defined_late))}"
            for one in entries
            if one.defined_late
        ],
    }
    for title, items in sections.items():
        if items:
            lines += ["", f"## {title}", "", *items]
    return "\n".join(lines) + "\n"


def to_csv(glossary: Glossary) -> str:
    """A row for each meaning, in the order of COLUMNS; safe to open in a spreadsheet.

    An unknown meaning's long form is empty; `conflict`, `defined` and `defined_late` speak of the
    acronym and are `yes` or `no`.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for entry in glossary.entries():
        for one in entry.meanings:
            first = one.first
            cells = (
                entry.acronym,
                one.long_form or "",
                one.source,
                f"{one.probability:.4f}",
                one.mentions,
                len(one.documents),
                first.document,
                first.line,
                first.before + first.mention + first.after,
                _yes(entry.conflict),
                _yes(not entry.undefined),
                _yes(entry.defined_late is not None),
                one.gloss if one.long_form else "",
            )
            rows.writerow([without_formula(str(cell)) for cell in cells])
    return text.getvalue()


def to_page(glossary: Glossary) -> str:
    """A page of its own: no connection, no script."""
    parts = render(
        "glossary_page.jinja",
        title="Glossary of acronyms",
        entries=glossary.entries(),
        summary=summary(glossary),
    )
    return "".join(parts)


def to_json(glossary: Glossary) -> str:
    """A JSON array with an object for each acronym and its meanings."""
    records = [
        {
            "acronym": entry.acronym,
            "defined": not entry.undefined,
            "conflict": entry.conflict,
            "meanings": [
                {
                    "long_form": one.long_form,
                    "gloss": one.gloss if one.long_form else "",
                    "source": one.source,
                    "probability": round(one.probability, 4),
                    "mentions": one.mentions,
                    "documents": len(one.documents),
                    "first": str(one.first),
                }
                for one in entry.meanings
            ],
        }
        for entry in glossary.entries()
    ]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def to_abbreviations(glossary: Glossary) -> str:
    """Lines of `*[HTML]: Hypertext Markup Language`, as MkDocs and PHP Markdown Extra take them;
    of several meanings the most frequent, for there can be one."""
    return "".join(
        f"*[{_one_line(acronym)}]: {_one_line(long_form)}\n"
        for acronym, long_form in _known(glossary)
    )


def to_newacronym(glossary: Glossary) -> str:
    r"""Lines of `\newacronym{html}{HTML}{Hypertext Markup Language}` for LaTeX's glossaries; of
    several meanings the most frequent."""
    lines = []
    labels: set[str] = set()
    for acronym, long_form in _known(glossary):
        bare = "".join(filter(str.isalnum, acronym.lower())) or "acronym"
        label = next(
            name
            for name in chain([bare], map(f"{bare}-{{}}".format, count(2)))
            if name not in labels
        )
        labels.add(label)
        short, words = (as_markup(_one_line(one), "latex") for one in (acronym, long_form))
        lines.append(f"\\newacronym{{{label}}}{{{short}}}{{{words}}}\n")
    return "".join(lines)


def to_table(glossary: Glossary) -> str:
    """A table in plain text, its columns as wide as they need to be."""
    rows = [("Acronym", "Long form", "Source", "Mentions", "First use")]
    rows += [
        (
            _one_line(entry.acronym),
            _one_line(one.long_form or "unknown"),
            SOURCES[one.source],
            str(one.mentions),
            _one_line(str(one.first)),
        )
        for entry in glossary.entries()
        for one in entry.meanings
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (map(str.ljust, row, widths) for row in rows)
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def _known(glossary: Glossary) -> Iterator[tuple[str, str]]:
    for entry in glossary.entries():
        if entry.meanings[0].long_form is not None:
            yield entry.acronym, entry.meanings[0].long_form


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


WRITERS: dict[str, Callable[[Glossary], str]] = {
    "markdown": to_markdown,
    "csv": to_csv,
    "html": to_page,
    "json": to_json,
    "mkdocs": to_abbreviations,
    "latex": to_newacronym,
    "table": to_table,
}


def _row(entry: Entry, meaning: Meaning) -> str:
    cells = (
        _plain(entry.acronym),
        _plain(meaning.long_form or "unknown"),
        _plain(meaning.gloss if meaning.long_form else ""),
        SOURCES[meaning.source],
        f"{meaning.probability:.2f}",
        str(meaning.mentions),
        _plain(str(meaning.first)),
    )
    return "| " + " | ".join(cells) + " |"


def _conflict(entry: Entry) -> str:
    uses = [
        f"    - {_plain(one.long_form or '')} ({_plain(str(one.first))}): "
        f"{_plain(one.first.before)}**{_plain(one.first.mention)}**{_plain(one.first.after)}"
        for one in entry.meanings
        if one.long_form is not None
    ]
    return "\n".join([f"- **{_plain(entry.acronym)}**", *uses])


def _guess(entry: Entry) -> str:
    known = [_plain(one.long_form) for one in entry.meanings if one.long_form is not None]
    return f": {' or '.join(known)}?" if known else ""


def _plain(text: str) -> str:
    """Text as Markdown that says the same: nothing in it is markup, and it is one line."""
    return _one_line(text).translate(_MARKDOWN)


def number(count: int, noun: str) -> str:
    """A number of things, in the plural unless it is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
