"""A text with the long forms of its acronyms inserted."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from html import escape
from typing import Any

from spacy.tokens import Doc

from ..documents.source import Source
from ..errors import InputError
from ..pipeline.annotations import definitions_of, mentions_of
from ..resolution import Resolution
from ..rules import base_form
from .inflection import indefinite_article, plural
from .markup import EDITABLE, Edit, apply_edits, as_markup

TOOLTIPS = ("html", "markdown")
"""Formats that have `<abbr title>`."""

_ARTICLE = re.compile(r"(?<![\w.])(an?)\s+$", re.IGNORECASE)

_SHORTENED = re.compile(
    r"\b(?:\w|e\.g|i\.e|al|approx|ca|cf|dr|esp|fig|incl|mrs?|ms|no|prof|resp|vs)\.$", re.IGNORECASE
)
_OPENING = "\"'([\u2018\u201c"
_LOOK_BACK = 80  # characters in which to look for a sentence's end


class Expand(str, Enum):
    """Which acronyms become long forms."""

    first = "first"
    all = "all"
    tooltip = "tooltip"


def expand(doc: Doc, which: Expand) -> str:
    """The document's text with long forms in the place of acronyms.

    which: `first`: the first mention of each acronym with each meaning becomes "long form (ACRO)",
        unless the text has defined it by then; `all`: every mention becomes its long form;
        `tooltip`: every mention stays and gets its long form as `<abbr title>`.
    Definitions stay as they are, and so do acronyms whose meaning is not known. A sentence begins
    with a capital. In English, a plural becomes a plural, and "a" or "an" before it is put right.
    """
    text, at, written = doc.text, 0, []
    for start, end, shown in expansions(doc, which):
        written += [text[at:start], shown]
        at = end
    return "".join([*written, text[at:]])


def expansions(doc: Doc, which: Expand) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, text)` for what `expand` puts in the place of `doc.text[start:end]`."""
    for start, end, answer in _expanded(doc, which):
        yield from replacements(doc.text, doc.lang_, start, end, answer, which)


def replacements(
    text: str, language: str, start: int, end: int, answer: Resolution, which: Expand
) -> Iterator[tuple[int, int, str]]:
    """Yield what stands for the mention `text[start:end]` with a long form, and before it for an
    article that changes, as `expansions` does."""
    if which is Expand.tooltip:
        title = escape(str(answer.long_form))
        shown = f'<abbr title="{title}">{escape(text[start:end], quote=False)}</abbr>'
        yield start, end, shown
        return
    long_form = _in_number(answer, language)
    if language == "en" and (found := _ARTICLE.search(text, max(0, start - _LOOK_BACK), start)):
        article = _article(found, long_form)
        if article != found[1]:
            yield *found.span(1), article
    if _begins_sentence(text[max(0, start - _LOOK_BACK) : start], start <= _LOOK_BACK):
        long_form = long_form[:1].upper() + long_form[1:]
    yield start, end, f"{long_form} ({text[start:end]})" if which is Expand.first else long_form


def expand_source(source: Source, doc: Doc, which: Expand) -> str:
    """A file's text in its own format with long forms in the place of acronyms, as `expand` puts
    them into plain text; in formats that cannot be changed the plain text.

    Raises InputError for tooltips in another format than HTML and Markdown.
    """
    if which is Expand.tooltip and source.format not in TOOLTIPS:
        raise InputError(
            f"{source.name} is {source.format}: tooltips are for {' and '.join(TOOLTIPS)}."
        )
    if source.format not in EDITABLE:
        return expand(doc, which)
    edits = [
        Edit(*span, text if which is Expand.tooltip else as_markup(text, source.format))
        for start, end, text in expansions(doc, which)
        if (span := source.original_span(start, end))
    ]
    return apply_edits(source.source, edits)


def to_expanded(
    doc: Doc, name: str, which: Expand, sources: Mapping[str, Source]
) -> dict[str, Any]:
    """The expanded text as a JSON record."""
    return {"document": name, "text": expand_source(sources[name], doc, which)}


def _expanded(doc: Doc, which: Expand) -> Iterator[tuple[int, int, Resolution]]:
    """The mentions that become long forms, in order, none overlapping."""
    definitions = definitions_of(doc)
    fixed = bytearray(len(doc.text))  # 1 where a definition stands
    for start, end in (place for one in definitions for place in (one.acronym, one.long_form)):
        fixed[start:end] = b"\1" * (end - start)
    at_definition = {one.acronym for one in definitions}
    said: set[tuple[str, str]] = set()
    free = 0
    for start, end, answer in mentions_of(doc):
        sense = (base_form(answer.acronym), answer.kb_id)
        if (start, end) in at_definition:
            said.add(sense)
        elif answer.long_form is not None and start >= free and not any(fixed[start:end]):
            free = end
            if which is not Expand.first or sense not in said:
                yield start, end, answer
            said.add(sense)


def _in_number(answer: Resolution, language: str) -> str:
    """The long form, in the plural where the acronym is."""
    long_form = str(answer.long_form)
    is_plural = answer.acronym == base_form(answer.acronym) + "s"
    return plural(long_form) if is_plural and language == "en" else long_form


def _begins_sentence(before: str, from_start: bool) -> bool:
    """Whether a sentence ends with these words; from_start: they are all that stands before."""
    before = before.rstrip(_OPENING)
    stripped = before.rstrip()
    if not stripped:
        return from_start
    gap = before[len(stripped) :]
    words = stripped.rstrip("\"')]\u2019\u201d")
    ended = words[-1:] in ("!", "?") or (words[-1:] == "." and not _SHORTENED.search(words))
    return gap.count("\n") > 1 or (ended and bool(gap))


def _article(found: re.Match[str], long_form: str) -> str:
    article = indefinite_article(long_form)
    return article.capitalize() if found[1][0] == "A" else article
