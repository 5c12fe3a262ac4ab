"""AC006: a long form is written out again after its acronym was defined."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ...rules import base_form
from ..defined import Defined
from ..document import LintDocument
from ..finding import Edit, Found
from ..terms import find_terms
from ..wording import is_initialism

_MARKS = {"'": "'", "\u2018": "\u2019"}
_BESIDE = 12  # characters
_ADOPTED = 3  # uses in sentences
_RUN = re.compile(r"[\w-]+")
_DEFINING = re.compile(r"\s+\([A-Z]\w*[A-Z]\w*\)")  # of a longer one: "kinematic ... (LSRK)"
_ASIDE = re.compile(r"\((?:also|formerly|or|short)\b[^()]*$")  # "LXC (also known as ..."
_TITLE_ENDS = re.compile(r"[^`\"\n]{0,80}(?:\n[^`\"\n]{0,80})?(?:`_|<http|\"\s*<http)")
_QUOTATION = re.compile(r" {0,3}>")
_NAME_AFTER = re.compile(r"[ \t]+[A-Z][a-z]")
_NAME_BEFORE = re.compile(r"[^\W\d_]*[^.!?\s][ \t]+(?:[A-Z][\w-]*)[ \t]+$")


def written_out(document: LintDocument) -> Iterator[Found]:
    """A finding at each place where the acronym would do."""
    phrases: dict[str, list[tuple[Defined, str]]] = defaultdict(list)
    for first, *_ in document.by_acronym.values():
        words = " ".join(first.long_form.lower().split())
        sound = is_initialism(first.key, first.long_form) or "-" in first.key
        if sound and not document.in_table(first) and first.acronym_at and " " in words:
            for form, written in _numbers(words, first.acronym):
                phrases[form].append((first, written))
    text, uses = document.text, _adopted(document)
    for words, start, end in find_terms(text, phrases, _RUN, any_case=True):
        if document.in_long_form(start, end) or document.in_reference(start):
            continue
        again = text[start:end]
        if _is_part_of_name(text, start, again) or _is_of_a_definition(text, start, end):
            continue
        if _is_quoted(document, start, end):
            continue
        for first, written in phrases[words]:
            places = uses.get(first.key, [])
            if places and first.acronym_at and places[0] < start:
                before = text[max(start - _BESIDE, first.acronym_at[1]) : start]
                if base_form(first.acronym) in before + text[end : end + _BESIDE]:
                    continue  # explained once more, as in "RTO (retransmission timeout)"
                message = f"'{written}' stands for '{' '.join(again.split())}'"
                fix = tuple(_fix(document, first, written, start, end))
                yield Found(document.source.original_offset(start), message, fix)


def _numbers(words: str, acronym: str) -> Iterator[tuple[str, str]]:
    """A long form and its acronym as they are defined, and in the other number."""
    yield words, acronym
    if acronym[-1] == "s" and words[-1] == "s":
        yield words[:-1], acronym[:-1]
    else:
        yield words + "s", acronym + "s" * (acronym[-1] != "s")


def _adopted(document: LintDocument) -> dict[str, list[int]]:
    """Where acronyms stand that the document's sentences use after their definition, often; a
    definition that comes again is as good as a use."""
    places: dict[str, list[int]] = defaultdict(list)
    for use in document.uses:
        definitions = document.by_acronym.get(use.key)
        at = definitions[0].acronym_at if definitions else None
        if at and use.start > at[1] and document.in_sentence(use.start):
            places[use.key].append(use.start)
    for key, definitions in document.by_acronym.items():
        places[key] += [one.acronym_at[0] for one in definitions[1:] if one.acronym_at]
    return {key: sorted(found) for key, found in places.items() if len(found) >= _ADOPTED}


def _is_quoted(document: LintDocument, start: int, end: int) -> bool:
    """Whether the words are a title, of a section or another's work, or a quotation."""
    source, original = document.source, document.source.source
    line = original.rfind("\n", 0, source.original_offset(start)) + 1
    after = source.original_offset(end - 1) + 1
    marked = _MARKS.get(document.text[start - 1 : start]) == document.text[end : end + 1]
    return (
        document.in_title(start)
        or document.quotations.has(start)
        or marked
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
    document: LintDocument, first: Defined, written: str, start: int, end: int
) -> Iterator[Edit]:
    span = document.source.original_span(start, end)
    if span and document.fixable and first.key not in document.ambiguous:
        yield Edit(*span, written)
