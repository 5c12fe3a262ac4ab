"""AC010: the next word repeats the last of the long form: "ATM machine"."""

import re
from collections.abc import Iterator

from ...rules import merge_key
from ..document import LintDocument
from ..finding import Edit, Found

_NEXT = re.compile(r"[ \t]+([^\W\d_]{3,})\b(?!-)")


def redundant(document: LintDocument) -> Iterator[Found]:
    """A finding at each use whose long form is known and ends with the word that follows."""
    for use in document.uses:
        long_form = document.long_form(use)
        after = _NEXT.match(document.text, use.end)
        if not long_form or not after or len(long_form.split()) < 2:
            continue
        last = long_form.split()[-1]
        if merge_key(after[1]) != merge_key(last):
            continue
        acronym = use.answer.acronym
        message = f"'{acronym} {after[1]}' says '{last}' twice: '{acronym}' is '{long_form}'"
        plural = after[1].endswith("s") and not last.endswith("s") and not acronym.endswith("s")
        span = document.source.original_span(use.end - 1, after.end())
        fix = (Edit(span[0] + 1, span[1], "s" * plural),) if span and document.fixable else ()
        yield Found(document.offset(use), message, fix)
