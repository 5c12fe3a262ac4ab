"""A text with the long forms of its acronyms inserted."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from spacy.tokens import Doc

from ..pipeline.resolution import Resolution
from ..rules import base_form
from ..rules.inflection import indefinite_article, plural
from .records import definitions_of, mentions_of

_ARTICLE = re.compile(r"(?<![\w.])(an?)(\s+)$", re.IGNORECASE)

_SHORTENED = re.compile(
    r"\b(?:\w|e\.g|i\.e|al|approx|ca|cf|dr|esp|fig|incl|mrs?|ms|no|prof|resp|vs)\.$", re.IGNORECASE
)
_LOOK_BACK = 80  # characters in which to look for a sentence's end


class Expand(str, Enum):
    """Which acronyms become long forms."""

    first = "first"
    all = "all"


def expand(doc: Doc, which: Expand) -> str:
    """The document's text with long forms in the place of acronyms.

    which: `first`: the first mention of each acronym with each meaning becomes "long form (ACRO)",
        unless the text has defined it by then; `all`: every mention becomes its long form.
    Definitions stay as they are, and so do acronyms whose meaning is not known. A sentence begins
    with a capital. In English, a plural becomes a plural, and "a" or "an" before it is put right.
    """
    text, at, written = doc.text, 0, []
    for start, end, answer in _expanded(doc, which):
        before = text[at:start]
        long_form = _in_number(answer, doc.lang_)
        if doc.lang_ == "en" and (article := _ARTICLE.search(before)):
            before = before[: article.start()] + _article(article, long_form)
        if _begins_sentence(text[max(0, start - _LOOK_BACK) : start], start <= _LOOK_BACK):
            long_form = long_form[:1].upper() + long_form[1:]
        acronym = text[start:end]
        shown = f"{long_form} ({acronym})" if which is Expand.first else long_form
        written += [before, shown]
        at = end
    return "".join([*written, text[at:]])


def to_expanded(doc: Doc, name: str, which: Expand) -> dict[str, Any]:
    """The expanded text as a JSON record."""
    return {"document": name, "text": expand(doc, which)}


def _expanded(doc: Doc, which: Expand) -> Iterator[tuple[int, int, Resolution]]:
    """The mentions that become long forms, in order, none overlapping."""
    definitions = definitions_of(doc)
    fixed = bytearray(len(doc.text))  # 1 where a definition stands
    for start, end in (place for definition in definitions for place in definition):
        fixed[start:end] = b"\1" * (end - start)
    at_definition = {acronym for acronym, _ in definitions}
    said: set[tuple[str, str]] = set()
    free = 0
    for start, end, answer in mentions_of(doc):
        sense = (base_form(answer.acronym), answer.kb_id)
        if (start, end) in at_definition:
            said.add(sense)
        elif answer.long_form is not None and start >= free and not any(fixed[start:end]):
            free = end
            if which is Expand.all or sense not in said:
                yield start, end, answer
            said.add(sense)


def _in_number(answer: Resolution, language: str) -> str:
    """The long form, in the plural where the acronym is."""
    long_form = str(answer.long_form)
    is_plural = answer.acronym == base_form(answer.acronym) + "s"
    return plural(long_form) if is_plural and language == "en" else long_form


def _begins_sentence(before: str, from_start: bool) -> bool:
    """Whether a sentence ends with these words; from_start: they are all that stands before."""
    stripped = before.rstrip()
    if not stripped:
        return from_start
    gap = before[len(stripped) :]
    words = stripped.rstrip("\"')]\u2019\u201d")
    ended = words[-1:] in ("!", "?") or (words[-1:] == "." and not _SHORTENED.search(words))
    return gap.count("\n") > 1 or (ended and bool(gap))


def _article(found: re.Match[str], long_form: str) -> str:
    article = indefinite_article(long_form)
    return (article.capitalize() if found[1][0] == "A" else article) + found[2]
