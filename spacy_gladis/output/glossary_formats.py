"""Output formats of a glossary of acronyms, such as Markdown, CSV, LaTeX and JSON."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, count
from pathlib import Path

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
_MARKDOWN_HEADING = (
    "| Acronym | Long form | What it is | Source | Probability | Mentions | First use |"
)
_OWN_OUTPUT = re.compile(
    r"\A(?:"
    rf"# Acronyms\n(?s:.*)\n{re.escape(_MARKDOWN_HEADING)}\n"
    rf"|{','.join(COLUMNS)}\n"
    r'|\[\s*\{\s*"acronym": [^\n]*,\s*"(?:defined": (?:true|false),|meanings": \[)'
    r'|\[\s*\{"document": [^\n]*, "acronyms": \['
    r'|\{\s*"title": "Acronyms",\s*"terms": \[)'
)
_HEAD = 4096  # number of bytes that tell whether a file was written by this package
_MARKDOWN = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>|~#"})


def is_own_output(path: Path) -> bool:
    """Return whether a file contains answers that this package wrote.

    Some of these answers are wrong, so they are no evidence for later answers. Formats that don't
    differ from a list of the user's own, such as MyST and LaTeX, are not recognized.

    Args:
        path: Path of the file.

    Returns:
        True for the output of `to_markdown`, `to_csv`, `to_json` or `to_remark`, for a saved
        `AcronymCollection`, and for the JSON output of ``spacy-gladis annotate``. False for other
        files, and for files that can't be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8-sig", "ignore")
    except OSError:
        return False
    return _OWN_OUTPUT.match(head.replace("\r\n", "\n")) is not None


def summary(glossary: Glossary) -> str:
    """Return a sentence that summarizes a glossary.

    An example is "12 acronyms in 3 documents; 1 with more than one meaning, 4 used but never
    defined."

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The numbers of acronyms, documents, conflicts and missing definitions, as a sentence.
    """
    entries = glossary.entries()
    conflicts = sum(entry.conflict for entry in entries)
    undefined = sum(entry.undefined for entry in entries)
    return (
        f"{number(len(entries), 'acronym')} in {number(glossary.documents, 'document')}; "
        f"{conflicts} with more than one meaning, {undefined} used but never defined."
    )


def to_markdown(glossary: Glossary) -> str:
    """Return a glossary as a Markdown page with a table of acronyms and lists of problems.

    The lists name the acronyms that have several meanings, are never defined, or are used before
    their definition.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The Markdown text of the page.
    """
    entries = glossary.entries()
    lines = ["# Acronyms", "", summary(glossary)]
    if entries:
        lines += [
            "",
            _MARKDOWN_HEADING,
        ]
        lines += ["|---|---|---|---|--:|--:|---|"]
        lines += [_row(entry, meaning) for entry in entries for meaning in entry.meanings]
    sections = {
        "More than one meaning": [_conflict(entry) for entry in entries if entry.conflict],
        "Used but never defined": [
            f"- **{_plain(entry.acronym)}**, {number(entry.mentions, 'mention')}, first at "
            f"{_plain(str(entry.first))}{_guess(entry)}"
            for entry in entries
            if entry.undefined
        ],
        "Used before the definition": [
            f"- **{_plain(entry.acronym)}** at {_plain(str(entry.defined_late))}"
            for entry in entries
            if entry.defined_late
        ],
    }
    for title, items in sections.items():
        if items:
            lines += ["", f"## {title}", "", *items]
    return "\n".join(lines) + "\n"


def to_csv(glossary: Glossary) -> str:
    """Return a glossary as CSV, with a row for each meaning of each acronym.

    The cells are safe to open in a spreadsheet, which could otherwise read them as formulas. The
    long form of an unknown meaning is empty. The columns `conflict`, `defined` and `defined_late`
    are `yes` or `no`, and have the same value for all meanings of an acronym.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The CSV text. Its first row has the names of the columns, which are those in `COLUMNS`.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for entry in glossary.entries():
        for meaning in entry.meanings:
            first = meaning.first
            cells = (
                entry.acronym,
                meaning.long_form or "",
                meaning.source,
                f"{meaning.probability:.4f}",
                meaning.mentions,
                len(meaning.documents),
                first.document,
                first.line,
                first.before + first.mention + first.after,
                _yes(entry.conflict),
                _yes(not entry.undefined),
                _yes(entry.defined_late is not None),
                meaning.gloss,
            )
            rows.writerow([without_formula(str(cell)) for cell in cells])
    return text.getvalue()


def to_page(glossary: Glossary) -> str:
    """Return a glossary as an HTML page without scripts or external resources.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The HTML text of the page.
    """
    parts = render(
        "glossary_page.jinja",
        title="Glossary of acronyms",
        entries=glossary.entries(),
        summary=summary(glossary),
    )
    return "".join(parts)


def to_json(glossary: Glossary) -> str:
    """Return a glossary as a JSON array with an object for each acronym.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The JSON text. Each object has the keys `acronym`, `defined`, `conflict` and `meanings`.
    """
    records = [
        {
            "acronym": entry.acronym,
            "defined": not entry.undefined,
            "conflict": entry.conflict,
            "meanings": [
                {
                    "long_form": meaning.long_form,
                    "gloss": meaning.gloss,
                    "source": meaning.source,
                    "probability": round(meaning.probability, 4),
                    "mentions": meaning.mentions,
                    "documents": len(meaning.documents),
                    "first": str(meaning.first),
                }
                for meaning in entry.meanings
            ],
        }
        for entry in glossary.entries()
    ]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def to_abbreviations(glossary: Glossary) -> str:
    """Return a glossary in the abbreviation syntax of MkDocs and PHP Markdown Extra.

    A line looks like `*[HTML]: Hypertext Markup Language`. The syntax allows only one meaning for
    an acronym, so each acronym gets its most frequent one.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        A line for each acronym with a known meaning.
    """
    return "".join(
        f"*[{_one_line(acronym)}]: {_one_line(long_form)}\n"
        for acronym, long_form in _known(glossary)
    )


def to_newacronym(glossary: Glossary) -> str:
    r"""Return a glossary as commands of the LaTeX package glossaries.

    A line looks like `\newacronym{html}{HTML}{Hypertext Markup Language}`. Each acronym gets its
    most frequent meaning.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        A line for each acronym with a known meaning.
    """
    lines = []
    for label, acronym, long_form in with_labels(glossary):
        short, words = (as_markup(part, "latex") for part in (acronym, long_form))
        lines.append(f"\\newacronym{{{label}}}{{{short}}}{{{words}}}\n")
    return "".join(lines)


def with_labels(glossary: Glossary) -> Iterator[tuple[str, str, str]]:
    """Yield a unique label for each acronym of a glossary, to refer to the acronym in LaTeX.

    The label consists of the letters and digits of the acronym in lower case, such as `rd` for
    "R&D". If another acronym has this label already, a number is added, as in `rd-2`.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Yields:
        Tuples of the label, the acronym and its most frequent long form. Acronyms without a known
        meaning are left out.
    """
    labels: set[str] = set()
    for acronym, long_form in _known(glossary):
        bare = "".join(filter(str.isalnum, acronym.lower())) or "acronym"
        label = next(
            name
            for name in chain([bare], map(f"{bare}-{{}}".format, count(2)))
            if name not in labels
        )
        labels.add(label)
        yield label, _one_line(acronym), _one_line(long_form)


def to_myst(glossary: Glossary) -> str:
    """Return a glossary as the YAML key `abbreviations` of the frontmatter of MyST documents.

    Each acronym gets its most frequent meaning.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The YAML text, in which strings are quoted as in JSON.
    """
    pairs = (map(_quoted, row[1:]) for row in with_labels(glossary))
    lines = "".join(f"  {acronym}: {long_form}\n" for acronym, long_form in pairs)
    return f"abbreviations:\n{lines}" if lines else "abbreviations: {}\n"


def to_remark(glossary: Glossary) -> str:
    """Return a glossary as JSON for remark plugins, in the format of docusaurus-plugin-glossary.

    Each acronym gets its most frequent meaning. The definition of a term is the gloss of this
    meaning, or its long form if there is no gloss.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The JSON text, which is an object with a title and a list of terms.
    """
    terms = [
        {
            "term": entry.acronym,
            "abbreviation": entry.meanings[0].long_form,
            "definition": entry.meanings[0].gloss or entry.meanings[0].long_form,
            "caseSensitive": True,
        }
        for entry in glossary.entries()
        if entry.meanings[0].long_form is not None
    ]
    return json.dumps({"title": "Acronyms", "terms": terms}, ensure_ascii=False, indent=1) + "\n"


def to_table(glossary: Glossary) -> str:
    """Return a glossary as a plain-text table with aligned columns.

    Args:
        glossary: Glossary of the acronyms in a set of documents.

    Returns:
        The text of the table, with a line for each meaning of each acronym.
    """
    rows = [("Acronym", "Long form", "Source", "Mentions", "First use")]
    rows += [
        (
            _one_line(entry.acronym),
            _one_line(meaning.long_form or "unknown"),
            SOURCES[meaning.source],
            str(meaning.mentions),
            _one_line(str(meaning.first)),
        )
        for entry in glossary.entries()
        for meaning in entry.meanings
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (map(str.ljust, row, widths) for row in rows)
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def _known(glossary: Glossary) -> Iterator[tuple[str, str]]:
    for entry in glossary.entries():
        if entry.meanings[0].long_form is not None:
            yield entry.acronym, entry.meanings[0].long_form


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


WRITERS: dict[str, Callable[[Glossary], str]] = {
    "markdown": to_markdown,
    "csv": to_csv,
    "html": to_page,
    "json": to_json,
    "mkdocs": to_abbreviations,
    "latex": to_newacronym,
    "myst": to_myst,
    "remark": to_remark,
    "table": to_table,
}


def _row(entry: Entry, meaning: Meaning) -> str:
    cells = (
        _plain(entry.acronym),
        _plain(meaning.long_form or "unknown"),
        _plain(meaning.gloss),
        SOURCES[meaning.source],
        f"{meaning.probability:.2f}",
        str(meaning.mentions),
        _plain(str(meaning.first)),
    )
    return "| " + " | ".join(cells) + " |"


def _conflict(entry: Entry) -> str:
    uses = [
        f"    - {_plain(meaning.long_form or '')} ({_plain(str(meaning.first))}): "
        f"{_plain(meaning.first.before)}**{_plain(meaning.first.mention)}**{_plain(meaning.first.after)}"
        for meaning in entry.meanings
        if meaning.long_form is not None
    ]
    return "\n".join([f"- **{_plain(entry.acronym)}**", *uses])


def _guess(entry: Entry) -> str:
    long_forms = [
        _plain(meaning.long_form) for meaning in entry.meanings if meaning.long_form is not None
    ]
    return f": {' or '.join(long_forms)}?" if long_forms else ""


def _plain(text: str) -> str:
    """Return a text on one line, with the special characters of Markdown escaped."""
    return _one_line(text).translate(_MARKDOWN)


def number(count: int, noun: str) -> str:
    """Return a number with a noun, such as "1 acronym" or "1,200 acronyms".

    Args:
        count: Number of things.
        noun: Noun in the singular, whose plural ends with "s".

    Returns:
        The number with thousands separators, followed by the noun in the singular or plural.
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
