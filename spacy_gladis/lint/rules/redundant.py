"""AC010: the next word repeats the last of the long form: "ATM machine"."""

import re
from collections import Counter
from collections.abc import Iterator

from ...rules import base_form, merge_key
from ...rules.inflection import plural
from ..document import LintDocument
from ..finding import Edit, Found
from ..reading import is_spelled

_NEXT = re.compile(r"[ \t]+([^\W\d_]{3,})\b(?![-(])")
_OBJECT = re.compile(
    r"\s+(?:an?|the|its|their|this|these|all|any|both|many|more|most|multiple|several|that|to|you)\b"
)
"""What follows a verb: "NAPALM supports several methods"."""


def _stands_for_last(acronym: str, long_form: str) -> bool:
    """Whether a letter is left for the last word: none is where "MAP" is short for "maximum a
    posteriori estimation"."""
    words = re.findall(r"[^\W_]+", long_form.lower())
    initials = Counter(word[0] for word in words[:-1])
    return bool(Counter(filter(str.isalpha, base_form(acronym).lower())) - initials)


def redundant(document: LintDocument) -> Iterator[Found]:
    """A finding at each use whose long form is known and ends with the word that follows."""
    for use in document.uses:
        long_form = document.long_form(use)
        after = _NEXT.match(document.text, use.end)
        if not long_form or not after or len(long_form.split()) < 2:
            continue
        last = long_form.split()[-1]
        one, other = after[1].lower(), last.lower()
        if one != other and plural(one) != other and one != plural(other):
            continue  # "an ORM mapped class" says no mapping twice
        acronym = use.answer.acronym
        if not is_spelled(acronym, long_form) or not _stands_for_last(acronym, long_form):
            continue
        more = after[1].endswith("s") and not last.endswith("s")
        if (more and _OBJECT.match(document.text, after.end())) or merge_key(last) in merge_key(
            acronym
        ):
            continue
        message = f"'{acronym} {after[1]}' says '{last}' twice: '{acronym}' is '{long_form}'"
        ending = "s" * (more and not acronym.endswith("s"))
        span = document.source.original_span(use.end - 1, after.end())
        fix = (Edit(span[0] + 1, span[1], ending),) if span and document.fixable else ()
        yield Found(document.offset(use), message, fix)
