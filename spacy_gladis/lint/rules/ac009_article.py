"""An acronym has another article before it than its first sound wants.

Reports:
    It is a HTML page.
    She wrote an UN report.
    He has a MRI today.

Does not report:
    It is an HTML page.
    She works at a UN office.
    Vitamin A NMR was done.
"""

import re
from collections.abc import Iterator

from ...output.markup import EDITABLE
from ..document import LintDocument
from ..finding import Edit, Found
from ..pronunciation import article_of

_ARTICLE = re.compile(r"(?<![\w.'/-])(an?|An?)\s\Z")
_GOES_ON = re.compile(r"[^\s.!?:\"'“(]\s?\Z")  # before a capital "A" that is a letter: Vitamin A


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each such article; acronyms that readers say in two ways have none."""
    text = document.text
    for use in document.uses:
        near = max(0, use.start - 5)
        found = _ARTICLE.search(text, near, use.start)
        if not found or (found[1] == "A" and _GOES_ON.search(text, near, found.start(1))):
            continue
        right = article_of(use.acronym)
        if right and right != found[1].lower():
            span = document.source.original_span(*found.span(1))
            written = right.capitalize() if found[1][0] == "A" else right
            editable = span and document.source.path and document.source.format in EDITABLE
            fix = (Edit(*span, written),) if span and editable else ()
            offset = document.source.original_offset(found.start(1))
            yield Found(
                offset, use.acronym, f"'{found[1]} {use.acronym}' is '{right} {use.acronym}'", fix
            )
