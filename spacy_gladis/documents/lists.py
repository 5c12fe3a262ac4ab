"""Recognize bibliographies, tables of contents and lists of abbreviations in documents."""

import re
from collections.abc import Sequence

from .source import RegionKind


def names(listed: str, between: str | None = None) -> frozenset[str]:
    """Split a string that lists names, so that long sets of names are easy to write and read.

    For example, ``names("figure table")`` returns the set with ``"figure"`` and ``"table"``.

    Args:
        listed: The names, in one string.
        between: The separator between names. None means white space.

    Returns:
        The names as a set, without white space around them.
    """
    return frozenset(map(str.strip, listed.split(between)))


_KINDS: dict[RegionKind, frozenset[str]] = {
    "bibliography": names(
        "references, bibliography, further reading, literature, literature cited, "
        "list of references, references cited, selected references, works cited",
        between=",",
    ),
    "contents": names("contents, table of contents, list of figures, list of tables", ","),
    "index": names("index, author index, name index, subject index", ","),
}
GLOSSARIES = names("abbreviations acronyms glossary nomenclature terminology")
"""Words that are titles of lists of abbreviations, or names of files with such lists."""
_OTHER_TITLE_WORDS = names(
    "and common definitions document in key list of paper report symbols table terms the this "
    "units used"
)
_LONGEST_TITLE = 80  # characters
_WORD = re.compile(r"[^\W\d_]{2,}")

_CLAUSE = re.compile(r"[.;:(\u2013\u2014]|\s-|,\s")
_LEAD_IN = re.compile(
    r"(?:an? )?(?:short|abbreviation|abbreviated form|acronym|initialism) (?:for|of) (?:the )?",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"(?P<term>[^\s:=]+)(?:\t|  | ?[:=]| [\u2013\u2014-] )")
_LONGEST = 20  # characters of an acronym
_MORE_WORDS = 5  # that a long form may have than the acronym has letters


def kind_of_section(title: str) -> RegionKind | None:
    """Return the kind of section that a title announces, such as a bibliography or a glossary.

    For example, "7 References" announces a bibliography. Numbers and signs in the title are
    ignored.

    Args:
        title: Title of the section.

    Returns:
        The kind of section, or None if the section is running text.
    """
    words = _WORD.findall(title.lower()) if len(title) <= _LONGEST_TITLE else []
    if not GLOSSARIES.isdisjoint(words) and (GLOSSARIES | _OTHER_TITLE_WORDS).issuperset(words):
        return "glossary"
    joined = " ".join(words)
    return next((kind for kind, titles in _KINDS.items() if joined in titles), None)


def long_form_of(term: str, words: str) -> str:
    """Return the long form at the beginning of an acronym's description, if there is one.

    For example, the term ``QSB`` with the description "Quarry Safety Board, founded in 1990" gives
    "Quarry Safety Board". The term must have two or more capital letters and no space. The letters
    of the term must occur in the long form in order, and the term itself must not be a word of it.

    Args:
        term: The term that is described in a list or a note, such as ``QSB``.
        words: The description of the term. An introduction such as "short for" is skipped.

    Returns:
        The long form, or an empty string if the description doesn't begin with one.
    """
    lead_in = _LEAD_IN.match(words.strip())
    words = words.strip()[lead_in.end() if lead_in else 0 :]
    long_form = _CLAUSE.split(words, maxsplit=1)[0].strip().strip('*_`"\u201c\u201d')
    letters = [letter for letter in term.lower() if letter.isalpha()]
    if long_form[:4].lower() == "the " and letters[:1] != ["t"]:
        long_form = long_form[4:]
    is_acronym = len(term) <= _LONGEST and sum(map(str.isupper, term)) > 1 and " " not in term
    long_form_words = long_form.lower().split()
    if (
        not is_acronym
        or len(long_form_words) > len(term) + _MORE_WORDS
        or term.lower() in long_form_words
    ):
        return ""
    rest = iter(long_form.lower())
    return long_form if all(letter in rest for letter in letters) else ""


def entry_of(line: str) -> tuple[str, str] | None:
    """Return the acronym and the long form of a line such as ``HRF: Housing Repair Fund``.

    A colon, an equals sign, a dash, a tab or two spaces must separate them.

    Args:
        line: A line of a list of abbreviations, or the text of a note.

    Returns:
        The acronym and the long form, or None if the line doesn't have this form.
    """
    stripped = line.strip()
    entry = _ENTRY.match(stripped)
    long_form = (
        long_form_of(entry["term"], stripped[entry.end() :].lstrip(" \t:=")) if entry else ""
    )
    return (entry["term"], long_form) if entry and long_form else None


def is_glossary(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the rows of a table or the entries of a list form a glossary of acronyms.

    In at least half of the rows, the second cell must begin with a long form of the acronym in the
    first cell.

    Args:
        rows: The cells of each row of a table, or the term and description of each entry of a list.
    """
    entries = sum(len(row) > 1 and long_form_of(row[0], row[1]) != "" for row in rows)
    return 0 < len(rows) <= 2 * entries
