"""Lint rule AC009, which reports the wrong article before an acronym."""

import re
from collections.abc import Iterator

from ...output.markup import EDITABLE
from ..document import LintDocument
from ..finding import Edit, Violation
from ..pronunciation import indefinite_article
from ..rule import Rule

_ARTICLE = re.compile(r"(?<![\w.'/-])(an?|An?)\s\Z")
_MID_SENTENCE = re.compile(r"[^\s.!?:\"'“(]\s?\Z")
"""Text before a capital "A" which shows that it is a letter, not an article: Vitamin A."""


class WrongArticle(Rule):
    """Lint rule AC009: the article "a" or "an" doesn't fit the acronym after it."""

    code = "AC009"
    name = "wrong-article"
    summary = 'Wrong article ("a"/"an") before an acronym'
    why = "Readers stumble over an article that doesn't fit the acronym's pronunciation."
    known_problems = "Acronyms that can be read as letters or as a word (SQL) are not checked."
    fix_safety = (
        "The fix changes only the article. There is no fix if the article is part of markup."
    )
    is_default = True
    bad = ("It is a HTML page.", "She wrote an UN report.", "He has a MRI today.")
    good = ("It is an HTML page.", "She works at a UN office.", "Vitamin A NMR was done.")

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each article "a" or "an" that doesn't fit the sound of the acronym after it.

        Args:
            document: Document to check.

        Yields:
            Violations in text order, each at the article.
        """
        text = document.text
        for use in document.uses:
            start = max(0, use.start - 5)
            article = _ARTICLE.search(text, start, use.start)
            if not article or (
                article[1] == "A" and _MID_SENTENCE.search(text, start, article.start(1))
            ):
                continue
            right = indefinite_article(use.acronym)
            if right and right != article[1].lower():
                right = right.capitalize() if article[1][0] == "A" else right
                message = f"Use '{right} {use.acronym}' instead of '{article[1]} {use.acronym}'"
                offset = document.source.original_offset(article.start(1))
                yield Violation(offset, use.acronym, message, _fix(document, article, right))


def _fix(document: LintDocument, article: re.Match[str], right: str) -> tuple[Edit, ...]:
    span = document.source.original_span(*article.span(1))
    if not span or not document.source.path or document.source.format not in EDITABLE:
        return ()
    return (Edit(*span, right),)
