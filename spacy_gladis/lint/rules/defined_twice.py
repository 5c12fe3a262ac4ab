"""AC003: an acronym is defined twice with one meaning; AC004: with different meanings."""

import re
from collections.abc import Callable, Iterator

from rapidfuzz.distance import OSA

from ..apart import in_description, in_entry
from ..defined import Defined
from ..document import LintDocument
from ..finding import Edit, Found
from ..headings import is_heading, is_term
from ..references import in_link
from ..wording import is_wording

_OFTEN = 4  # definitions of an acronym, which are there on purpose
_BESIDE = 60  # characters
_ALIKE = 0.6  # of them
_OPENING = re.compile(r"\s*[(\[]\s*")


def defined_twice(document: LintDocument) -> Iterator[Found]:
    """AC003: a finding at each definition in running text after the first of its meaning, of words
    that begin with the acronym's letters; two entries of a list of options or terms are each read
    alone."""
    for first, again in _repeated(document, _in_sentence):
        if not (first.exact and again.exact) or len(document.by_acronym[first.key]) >= _OFTEN:
            continue
        if all(in_entry(document.source, one.offset) for one in (first, again)):
            continue
        if _is_looked_up(document, again) or _is_parallel(document, first, again):
            continue
        if document.changes.has(again.offset) or document.is_legal(again):
            continue
        if is_wording(first.long_form, again.long_form):
            place = document.source.position_of_original(first.offset)
            message = f"'{again.acronym}' is defined again, as at {place}"
            yield Found(again.offset, message, tuple(_shortened(document, again)))


def _is_looked_up(document: LintDocument, one: Defined) -> bool:
    """Whether a definition is of an entry that is looked up by itself: an option, a function, a
    term of a glossary."""
    source, at = document.source, one.offset
    listed = document.in_glossary(at) or document.looked_up.has(at)
    return listed or in_description(source, at) or document.members.has(at)


def _is_parallel(document: LintDocument, *both: Defined) -> bool:
    """Whether much the same words go before and after two definitions, as in sections that are
    made alike to be read apart."""
    spans = [sorted((one.acronym_at or (0, 0), one.long_form_at or (0, 0))) for one in both]
    before = [document.text[max(0, one[0][0] - _BESIDE) : one[0][0]] for one in spans]
    after = [document.text[one[1][1] : one[1][1] + _BESIDE] for one in spans]
    return all(OSA.normalized_similarity(*words) >= _ALIKE for words in (before, after))


def defined_differently(document: LintDocument) -> Iterator[Found]:
    """AC004: a finding at each definition that contradicts the first."""
    for first, again in _repeated(document, _is_no_entry):
        if first.contradicts(again):
            place = document.source.position_of_original(first.offset)
            yield Found(
                again.offset,
                f"'{again.acronym}' is defined as '{again.long_form}', and at {place} "
                f"as '{first.long_form}'",
            )


def _repeated(
    document: LintDocument, counts: Callable[[LintDocument, Defined], bool]
) -> Iterator[tuple[Defined, Defined]]:
    for definitions in document.by_acronym.values():
        kept = [one for one in definitions if counts(document, one)]
        for again in kept[1:]:
            yield kept[0], again


def _is_no_entry(document: LintDocument, one: Defined) -> bool:
    return not one.glossary and not document.is_entry(one)


def _in_sentence(document: LintDocument, one: Defined) -> bool:
    """Whether it is no entry of a list, no tooltip, no title, no link and not of the abstract,
    which are read by themselves, and stands among words."""
    if not (one.acronym_at and one.long_form_at) or one.glossary:
        return False
    source = document.source
    (at, _), (_, end) = sorted((one.acronym_at, one.long_form_at))
    if document.abstracts.has(one.offset) or document.in_summary(at):
        return False
    listed = document.in_table(one) or document.is_entry(one) or document.begins_item(one)
    title = is_heading(source, one.offset) or is_term(source, one.offset) or document.in_title(at)
    linked = in_link(source, source.original_offset(end - 1) + 1)
    return document.in_sentence(at) and not (listed or title or linked)


def _shortened(document: LintDocument, again: Defined) -> Iterator[Edit]:
    """Write the acronym alone in the place of "long form (SF)"."""
    if not (document.fixable and again.acronym_at and again.long_form_at):
        return
    text, (start, end) = document.text, again.acronym_at
    begin, before = again.long_form_at
    if not _OPENING.fullmatch(text, before, start) or text[end : end + 1] not in (")", "]"):
        return
    if span := document.source.original_span(begin, end + 1):
        yield Edit(*span, document.source.source[slice(*_place(document, again.acronym_at))])


def _place(document: LintDocument, at: tuple[int, int]) -> tuple[int, int]:
    start = document.source.original_offset(at[0])
    return start, document.source.original_offset(at[1] - 1) + 1
