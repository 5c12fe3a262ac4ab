"""Lists of references, contents and terms, by their titles and by what their entries say."""

import re
from collections.abc import Sequence

from .source import RegionKind


def names(listed: str, between: str | None = None) -> frozenset[str]:
    """The names in a list with something between them, by default a space."""
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
_BESIDE_THEM = names(
    "and common definitions document in key list of paper report symbols table terms the this "
    "units used"
)
_LONGEST_TITLE = 80  # characters
_WORD = re.compile(r"[^\W\d_]{2,}")

_CLAUSE = re.compile(r"[.;:(\u2013\u2014]|\s-|,\s")
_SAID = re.compile(
    r"(?:an? )?(?:short|abbreviation|abbreviated form|acronym|initialism) (?:for|of) (?:the )?",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"(?P<term>[^\s:=]+)(?:\t|  | ?[:=]| [\u2013\u2014-] )")
_LONGEST = 20  # characters of an acronym
_MORE_WORDS = 5  # than letters, in a long form


def kind_of_section(title: str) -> RegionKind | None:
    """What a section with this title holds, where it is no running text; numbers do not count."""
    words = _WORD.findall(title.lower()) if len(title) <= _LONGEST_TITLE else []
    if not GLOSSARIES.isdisjoint(words) and (GLOSSARIES | _BESIDE_THEM).issuperset(words):
        return "glossary"
    written = " ".join(words)
    return next((kind for kind, titles in _KINDS.items() if written in titles), None)


def long_form_of(term: str, words: str) -> str:
    """The long form that an entry's words begin with; empty where they explain a term or a name.

    An acronym has two capitals or more and no space, and its letters stand in the long form, in
    their order, but not as a word.
    """
    said = _SAID.match(words.strip())
    words = words.strip()[said.end() if said else 0 :]
    long_form = _CLAUSE.split(words, maxsplit=1)[0].strip().strip('*_`"\u201c\u201d')
    letters = [letter for letter in term.lower() if letter.isalpha()]
    if long_form[:4].lower() == "the " and letters[:1] != ["t"]:
        long_form = long_form[4:]
    acronym = len(term) <= _LONGEST and sum(map(str.isupper, term)) > 1 and " " not in term
    words_of_it = long_form.lower().split()
    if not acronym or len(words_of_it) > len(term) + _MORE_WORDS or term.lower() in words_of_it:
        return ""
    rest = iter(long_form.lower())
    return long_form if all(letter in rest for letter in letters) else ""


def entry_of(line: str) -> tuple[str, str] | None:
    """Return the term and the long form of a line such as ``HRF: Housing Repair Fund``.

    Args:
        line: A line of a list of abbreviations, or a note.

    Returns:
        The two, or None where the line is no such entry.
    """
    written = line.strip()
    entry = _ENTRY.match(written)
    long_form = long_form_of(entry["term"], written[entry.end() :].lstrip(" \t:=")) if entry else ""
    return (entry["term"], long_form) if entry and long_form else None


def is_glossary(rows: Sequence[Sequence[str]]) -> bool:
    """Whether half of the rows of a table, or of the entries of a list, say in their second cell
    what an acronym in the first one stands for."""
    said = sum(len(row) > 1 and long_form_of(row[0], row[1]) != "" for row in rows)
    return 0 < len(rows) <= 2 * said
