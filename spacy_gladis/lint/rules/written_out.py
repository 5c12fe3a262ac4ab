"""AC006: a long form is written out again after its acronym was defined."""

import re
from collections.abc import Iterator

from ..document import Defined, LintDocument
from ..finding import Edit, Found
from ..writing import article_before

_DEFINING = re.compile(r"\s+\([A-Z]\w*[A-Z]\w*\)")  # of a longer one: "kinematic ... (LSRK)"
_ASIDE = re.compile(r"\((?:also|formerly|or|short)\b[^()]*$")  # "LXC (also known as ..."
_TITLE_ENDS = re.compile(r"[^`\"\n]{0,80}(?:\n[^`\"\n]{0,80})?(?:`_|<http|\"\s*<http)")
_QUOTATION = re.compile(r" {0,3}>")
_NAME_AFTER = re.compile(r"[ \t]+[A-Z][a-z]")
_NAME_BEFORE = re.compile(r"[^\W\d_]*[^.!?\s][ \t]+(?:[A-Z][\w-]*)[ \t]+$")


def written_out(document: LintDocument) -> Iterator[Found]:
    """A finding at each place where the acronym would do."""
    kept = [one.long_form_at for one in document.definitions if one.long_form_at]
    for definitions in document.by_acronym.values():
        first = definitions[0]
        if document.in_table(first) or not first.acronym_at or len(first.long_form.split()) < 2:
            continue
        words = r"\s+".join(map(re.escape, first.long_form.split()))
        for again in re.finditer(rf"(?<![\w-]){words}(?P<s>s?)(?![\w-])", document.text, re.I):
            start, end = again.span()
            if start < first.acronym_at[1] or any(a < end and start < b for a, b in kept):
                continue
            if document.in_reference(start) or _is_part_of_name(document.text, start, again[0]):
                continue
            if _is_of_a_definition(document.text, start, end) or _is_quoted(document, start, end):
                continue
            message = f"'{first.acronym}' stands for '{' '.join(again[0].split())}'"
            fix = _fix(document, first, start, end, bool(again["s"]))
            yield Found(document.source.original_offset(start), message, tuple(fix))


def _is_quoted(document: LintDocument, start: int, end: int) -> bool:
    """Whether the words are a title, of a section or another's work, or a quotation."""
    source, original = document.source, document.source.source
    line = original.rfind("\n", 0, source.original_offset(start)) + 1
    after = source.original_offset(end - 1) + 1
    return (
        document.in_title(start)
        or bool(_TITLE_ENDS.match(original, after))
        or bool(source.format == "markdown" and _QUOTATION.match(original, line))
    )


def _is_of_a_definition(text: str, start: int, end: int) -> bool:
    """Whether it says what another acronym stands for, or the acronym before a bracket."""
    aside = _ASIDE.search(text, max(0, start - 40), start)
    return bool(aside or _DEFINING.match(text, end))


def _is_part_of_name(text: str, start: int, found: str) -> bool:
    """Whether it is of a longer name, as in "New York University"."""
    before = _NAME_BEFORE.search(text, max(0, start - 40), start)
    after = _NAME_AFTER.match(text, start + len(found))
    return found[0].isupper() and bool(before or after)


def _fix(
    document: LintDocument, first: Defined, start: int, end: int, plural: bool
) -> Iterator[Edit]:
    written = first.acronym + "s" * (plural and not first.acronym.endswith("s"))
    if document.fixable:
        begin, article = article_before(document.text, start, first.acronym)
        if span := document.source.original_span(begin, end):
            yield Edit(*span, article + written)
