"""AC010: the next word repeats the last of the long form: "ATM machine"."""

import re
from collections.abc import Iterator

from ...rules import merge_key
from ...rules.function_words import FUNCTION_WORDS
from ...rules.inflection import plural
from ..defined import Use
from ..document import LintDocument
from ..finding import Edit, Found
from ..reading import is_spelled, names_itself
from ..wording import spells_last

_NEXT = re.compile(r"[ \t]+([^\W\d_]{3,})\b(?![-(])")
_OBJECT = re.compile(
    r"\s+(?:an?|the|its|their|this|these|all|any|both|many|more|most|multiple|several|that|to|you)\b"
)
"""What follows a verb: "NAPALM supports several methods"."""
_NOUN = re.compile(r"\s+([^\W\d_]{2,})\b")
_NO_NOUN = re.compile(r"\w{3,}(?:ed|ing|ly)")
_TOGETHER = re.compile(r"(?:\b(?:and|or)\s|[/&]\s?|[`-])$")
_DONE_WITH = frozenset({"integration", "management", "security"})
"""What is done with a thing, or is its own: "TLS security"."""
_PROGRAMS = frozenset({"compiler", "installer", "library", "optimizer", "toolkit"})
_PROGRAM = re.compile(r"[A-Z][a-z]+(?<!aa)[A-Z]")  # "OpenGL", not "SaaS"


def redundant(document: LintDocument) -> Iterator[Found]:
    """A finding at each use whose long form is known and ends with the word that follows."""
    for use in document.uses:
        long_form = document.long_form(use)
        after = repeated(document, use, long_form) if long_form else None
        if long_form and after:
            yield _found(document, use, after, long_form)


def repeated(document: LintDocument, use: Use, long_form: str) -> re.Match[str] | None:
    """The word behind a use that says the long form's last word once more."""
    after = _NEXT.match(document.text, use.end)
    if not after or len(long_form.split()) < 2:
        return None
    if not _repeats(after[1], use.answer.acronym, long_form):
        return None
    if _names_a_whole(long_form) and use.key not in document.by_acronym:
        return None
    return None if _is_of_more(document.text, use, after) else after


def _repeats(word: str, acronym: str, long_form: str) -> bool:
    """Whether a word says once more what the acronym's last letters stand for; "an ORM mapped
    class" says no mapping twice, "Graph classes (Graph)" has no letter for them, and "YAML" is no
    markup language."""
    last = long_form.split()[-1].lower()
    one = word.lower()
    if one in _DONE_WITH | _PROGRAMS or _PROGRAM.match(acronym):
        return False
    if last not in (one, plural(one)) and plural(last) != one:
        return False
    if not is_spelled(acronym, long_form) or not spells_last(acronym, long_form):
        return False
    return merge_key(last) not in merge_key(acronym) and not names_itself(acronym, long_form)


def _names_a_whole(long_form: str) -> bool:
    """Whether it is a name in the plural, of which the word is a part: "Amazon Web Services"."""
    words = long_form.split()
    return words[-1].endswith("s") and all(word[0].isupper() for word in words)


def _is_of_more(text: str, use: Use, after: re.Match[str]) -> bool:
    """Whether the word is a verb, or belongs to more than the acronym: to a noun after it, as in
    "CI integration tests", to another acronym, as in "the SSH and FTP protocols", or to a name, as
    in "a native-FTS search"."""
    if _TOGETHER.search(text, max(0, use.start - 5), use.start):
        return True
    if after[1].endswith("s"):
        return bool(_OBJECT.match(text, after.end()))
    noun = _NOUN.match(text, after.end())
    return bool(noun and noun[1].lower() not in FUNCTION_WORDS and not _NO_NOUN.fullmatch(noun[1]))


def _found(document: LintDocument, use: Use, after: re.Match[str], long_form: str) -> Found:
    acronym, last = use.answer.acronym, long_form.split()[-1]
    means = "is" if use.key in document.by_acronym else "is perhaps"
    message = f"'{acronym} {after[1]}' says '{last}' twice: '{acronym}' {means} '{long_form}'"
    span = original_repetition(document, use, after)
    fix = (Edit(*span, "s" * is_more(use, after, long_form)),) if span else ()
    return Found(document.offset(use), message, fix)


def is_more(use: Use, after: re.Match[str], long_form: str) -> bool:
    """Whether the repeated word alone is in the plural."""
    last, word = long_form.split()[-1].lower(), after[1].lower()
    return word == plural(last) != last and not use.answer.acronym.endswith("s")


def original_repetition(
    document: LintDocument, use: Use, after: re.Match[str]
) -> tuple[int, int] | None:
    """Where in the original the repeated word and the blank before it stand, if they may go: a
    plural with a noun after it is perhaps of that: "PIN numbers pad"; quoted words are others'."""
    span = document.source.original_span(use.end - 1, after.end())
    noun = _NOUN.match(document.text, after.end())
    of_noun = after[1].endswith("s") and noun and noun[1].lower() not in FUNCTION_WORDS
    kept = of_noun or document.quotations.has(use.start)
    return (span[0] + 1, span[1]) if span and document.fixable and not kept else None
