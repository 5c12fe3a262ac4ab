"""AC001: an acronym is used, and never defined in the document."""

import re
from collections.abc import Iterator

from ...output.expansion import Expand, replacements
from ...output.markup import as_markup
from ...rules import find_definitions
from ..defined import Use
from ..document import LintDocument
from ..finding import Edit, Found

_LIKELY = 0.1  # below, a long form helps nobody
_INSIDE_A_WORD = re.compile(r"[\w/-]")


def undefined(document: LintDocument) -> Iterator[Found]:
    """One finding an acronym, at its first use that is not switched off, with the likeliest long
    form."""
    found: set[str] = set()
    entries = {key.casefold() for key in document.glossary}  # another case is for AC013
    for use in document.uses:
        key = use.key
        if key in found or key in document.explained or key.casefold() in entries:
            continue
        if document.allows(use):
            continue
        if not document.is_acronym(use) or document.in_reference(use.start):
            continue
        if document.switches.off(document.offset(use), "AC001"):
            continue
        found.add(key)
        acronym, candidates = use.answer.acronym, use.answer.candidates
        message = f"'{acronym}' is used but never defined"
        if candidates and candidates[0][1] >= _LIKELY:
            long_form, probability = candidates[0]
            message += f"; perhaps '{long_form}' ({probability:.2f})"
        yield Found(document.offset(use), message, tuple(_fix(document, use)), acronym)


def _fix(document: LintDocument, use: Use) -> Iterator[Edit]:
    """Write "long form (SF)" in the place of the first use, where that reads as a definition."""
    long_form = use.answer.long_form
    if long_form is None or use.answer.probability < document.settings.least_probability:
        return
    around = document.text[use.start - 1 : use.start] + document.text[use.end : use.end + 1]
    if document.source.original_span(use.start, use.end) is None or _INSIDE_A_WORD.search(around):
        return
    place = document.text, document.facts.language, use.start, use.end
    written = list(replacements(*place, use.answer, Expand.first))
    example = f"They say {written[-1][2]} there."
    defined = {example[slice(*one.acronym)] for one in find_definitions(example)}
    spans = [document.source.original_span(start, end) for start, end, _ in written]
    if use.answer.acronym in defined:
        for span, (_, _, text) in zip(spans, written, strict=True):
            if span:
                yield Edit(*span, as_markup(text, document.source.format))
