"""Entries of lists of terms: which of them say what an acronym stands for."""

import re

_CLAUSE = re.compile(r"[.;:(\u2013\u2014]|\s-|,\s")
_SAID = re.compile(
    r"(?:an? )?(?:short|abbreviation|abbreviated form|acronym|initialism) (?:for|of) (?:the )?",
    re.IGNORECASE,
)
_LONGEST = 20  # characters of an acronym
_MORE_WORDS = 5  # than letters, in a long form


def long_form_of(term: str, words: str) -> str:
    """The long form that an entry's words begin with; empty where they explain a term or a name.

    An acronym has two capitals or more and no space, and its letters stand in the long form, in
    their order.
    """
    said = _SAID.match(words.strip())
    words = words.strip()[said.end() if said else 0 :]
    long_form = _CLAUSE.split(words, maxsplit=1)[0].strip().strip('*_`"\u201c\u201d')
    letters = [letter for letter in term.lower() if letter.isalpha()]
    acronym = len(term) <= _LONGEST and sum(map(str.isupper, term)) > 1 and " " not in term
    if not acronym or len(long_form.split()) > len(term) + _MORE_WORDS:
        return ""
    rest = iter(long_form.lower())
    return long_form if all(letter in rest for letter in letters) else ""
