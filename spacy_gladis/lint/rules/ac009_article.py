"""AC009: the wrong article before an acronym."""

import re
from collections.abc import Iterator

from ...output.markup import EDITABLE
from ..document import LintDocument
from ..finding import Edit, Found
from ..pronunciation import article_of
from ..rule import Rule

_ARTICLE = re.compile(r"(?<![\w.'/-])(an?|An?)\s\Z")
_GOES_ON = re.compile(r"[^\s.!?:\"'“(]\s?\Z")  # before a capital "A" that is a letter: Vitamin A


class WrongArticle(Rule):
    code = "AC009"
    name = "wrong-article"
    summary = 'Wrong article ("a"/"an") before an acronym'
    why = "A reader who says the acronym stumbles over the article."
    known_problems = (
        "Acronyms that readers say in two ways, as letters or as a word, are not checked."
    )
    fix_safety = "Only the article changes. No fix is made where it is part of the markup."
    is_default = True
    bad = ("It is a HTML page.", "She wrote an UN report.", "He has a MRI today.")
    good = ("It is an HTML page.", "She works at a UN office.", "Vitamin A NMR was done.")

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each article that does not fit the acronym behind it."""
        text = document.text
        for use in document.uses:
            near = max(0, use.start - 5)
            article = _ARTICLE.search(text, near, use.start)
            if not article or (article[1] == "A" and _GOES_ON.search(text, near, article.start(1))):
                continue
            right = article_of(use.acronym)
            if right and right != article[1].lower():
                message = f"'{article[1]} {use.acronym}' is '{right} {use.acronym}'"
                offset = document.source.original_offset(article.start(1))
                yield Found(offset, use.acronym, message, _fix(document, article, right))


def _fix(document: LintDocument, article: re.Match[str], right: str) -> tuple[Edit, ...]:
    span = document.source.original_span(*article.span(1))
    if not span or not document.source.path or document.source.format not in EDITABLE:
        return ()
    return (Edit(*span, right.capitalize() if article[1][0] == "A" else right),)
