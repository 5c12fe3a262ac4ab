"""AC001: an acronym is used, and never defined in the document."""

import re
from collections.abc import Iterator

from ...output.expansion import Expand, replacements
from ...output.markup import as_markup
from ...rules import base_form, find_definitions
from ...rules.inflection import plural
from ..defined import Use
from ..document import LintDocument
from ..finding import Edit, Found
from ..long_forms import has_simple_plural, within_sentence
from .redundant import is_more, original_repetition, repeated

_LIKELY = 0.1  # below, a long form helps nobody
_INSIDE_A_WORD = re.compile(r"[\w/'\u2019-]")
_NEXT = re.compile(r"\W{0,20}([^\W\d_]+)")
_BRACKETS = re.compile(r"[()\[\]]|\n\n")
_NEAR = 200  # characters in which a bracket opens


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
            message += f"; perhaps '{within_sentence(key, long_form)}' ({probability:.2f})"
        yield Found(document.offset(use), message, tuple(_fix(document, use)), acronym)


def _fix(document: LintDocument, use: Use) -> Iterator[Edit]:
    """Write "long form (SF)" in the place of the first use, where that reads as a definition; a
    word behind it that repeats the last one goes."""
    if use.answer.long_form is None or not document.is_sure(use.answer):
        return
    text, long_form = document.text, within_sentence(use.key, use.answer.long_form)
    around = text[use.start - 1 : use.start] + text[use.end : use.end + 1]
    if _INSIDE_A_WORD.search(around) or _in_brackets(text, use.start):
        return
    span = document.source.original_span(use.start, use.end)
    after = repeated(document, use, long_form)
    gone = original_repetition(document, use, after) if after else None
    if span is None or (_says_again(text, use, long_form) and not gone):
        return
    spelled = use.answer.acronym
    if after and gone:
        if _INSIDE_A_WORD.match(text, after.end()):
            return
        span = span[0], gone[1]
        spelled += "s" * is_more(use, after, long_form)
    if spelled != base_form(spelled) and not has_simple_plural(long_form):
        return
    answer = use.answer._replace(acronym=spelled, long_form=long_form)
    place = text, document.facts.language, use.start, use.end
    *_, (_, _, written) = replacements(*place, answer, Expand.first)
    written = written.removesuffix(f"({text[use.start : use.end]})") + f"({spelled})"
    example = f"They say {written} there."
    if spelled in {example[slice(*one.acronym)] for one in find_definitions(example)}:
        yield Edit(*span, as_markup(written, document.source.format))


def _in_brackets(text: str, at: int) -> bool:
    """Whether a bracket is open, in which another would stand."""
    before = text[max(0, at - _NEAR) : at]
    depth = 0
    for sign in reversed(_BRACKETS.findall(before)):
        if sign.isspace():
            break
        depth += -1 if sign in ")]" else 1
        if depth > 0:
            return True
    return False


def _says_again(text: str, use: Use, long_form: str) -> bool:
    """Whether the next word is one of the long form's, be it in the plural."""
    after = _NEXT.match(text, use.end)
    words = {word for one in long_form.lower().split() for word in (one, plural(one))}
    return bool(after and after[1].lower() in words)
