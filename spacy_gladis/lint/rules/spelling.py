"""AC009: the words do not spell the acronym, or the article before it does not fit."""

import re
from collections.abc import Iterator

from ...documents.source import Source
from ...rules import schwartz_hearst
from ..capital_words import CAPITAL_WORDS
from ..document import LintDocument
from ..finding import Edit, Found
from ..writing import article_of, is_article

_BETWEEN = re.compile(
    r"(?:[\s*_~{}]|&(?:nbsp|#160|#xa0);|\\(?:emph|text[a-z]{2,6})\{|</?(?:abbr|b|em|i|span|strong)\b[^<>]*>)+",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?<![\w.'/-])(an?)\s+$", re.IGNORECASE)


def spelling(document: LintDocument) -> Iterator[Found]:
    """A finding at each definition whose words lack letters, and at each article."""
    for one in document.meant:
        if not _spells(one.long_form, one.acronym):
            yield Found(one.offset, f"'{one.long_form}' does not spell '{one.acronym}'")
    yield from _articles(document)


def _spells(long_form: str, acronym: str) -> bool:
    """Whether the letters and digits stand in the words, in any order: "X" and "2" go for sounds,
    such as "exchange" and "to", and what is not ASCII may be of another language."""
    letters = acronym.lower().rstrip("s") if acronym[-1:] == "s" else acronym.lower()
    if not acronym.isascii() or not long_form.isascii():
        return True
    words = long_form.lower()
    wanted = [letter for letter in letters if letter.isalpha() and letter != "x"]
    if all(letter in words for letter in wanted):
        return True
    example = f"{long_form} ({acronym})"
    return bool(schwartz_hearst(example))


def _stands_before(source: Source, end: int, start: int) -> bool:
    """Whether no more than space and marks of letters' looks parts two places of the text."""
    first, last = source.original_offset(end - 1) + 1, source.original_offset(start)
    return bool(_BETWEEN.fullmatch(source.source, first, last))


def _articles(document: LintDocument) -> Iterator[Found]:
    if document.facts.language != "en":
        return
    for use in document.uses:
        before = _ARTICLE.search(document.text, max(0, use.start - 6), use.start)
        if not before or not is_article(document.text, before.start(), before[1]):
            continue
        right = None if use.answer.acronym in CAPITAL_WORDS else article_of(use.answer.acronym)
        if not _stands_before(document.source, before.end(1), use.start):
            continue  # code stands between them
        if right and before[1].lower() != right:
            message = f"'{before[1]} {use.answer.acronym}' wants '{right}'"
            start, end = before.span(1)
            span = document.source.original_span(start, end) if document.fixable else None
            written = right.capitalize() if before[1][0] == "A" else right
            fix = (Edit(*span, written),) if span else ()
            yield Found(document.offset(use), message, fix)
