"""AC002: an acronym is used before its definition."""

import re
from collections.abc import Iterator

from ..capital_words import CAPITAL_WORDS
from ..document import Defined, LintDocument, Use
from ..finding import Found
from ..headings import is_heading
from ..reading import Mention, is_quoted, is_spelled
from ..references import leads_away

_LINK = re.compile(r":(?:ref|term|doc):`[^`\n]*$")
_TO_TITLE = re.compile(r"[^`<\n]*<[^`>\n]*_>`_")
_BRACKET = re.compile(r"\w \(([^(),;]*)$")
_CLOSED = re.compile(r"([^(),;]*)\)")
_GLOSS = re.compile(r"(?:\s[a-z]+)?\s\(([^()]+)\)|-((?:[A-Z]\w+\s+){1,4}[A-Z]\w+)")
_HYPHENATED_BEFORE = re.compile(r"[^\W_]-$")
_HYPHENATED_AFTER = re.compile(r"-(?:[a-z]+-)?[A-Z]")
_FEW = 3  # words beside an acronym in a bracket
_NAME_BEFORE = re.compile(r"[^.!?\s] [A-Z][a-z]+ $")
_NAME_AFTER = re.compile(r" [A-Z][\w]+")
_SOON = 200  # characters in which a paragraph defines what it has just used
_ROLE = 80  # characters at most
_BESIDE = 12  # characters between an acronym and its long form: "NFS. ", "aka "


def used_before(document: LintDocument) -> Iterator[Found]:
    """One finding an acronym, at its first use in a sentence: a title has no place for a
    definition, a link leads to it, and what stands alone in a bracket has its words before it.
    Entries of a glossary hold from the start."""
    found: set[str] = set()
    for use in document.uses:
        definitions = document.by_acronym.get(use.key)
        unsure = use.key in found or use.key in CAPITAL_WORDS or document.allows(use)
        if not definitions or unsure:
            continue
        listed = any(one.glossary or document.is_entry(one) for one in definitions)
        cited = leads_away(document.source, definitions[0].offset)
        if listed or cited or document.in_title(use.start):
            continue
        if is_heading(document.source, definitions[0].offset) or not _is_in_text(document, use):
            continue
        if _is_link(document, use) or _is_in_name(document.text, use):
            continue
        if is_quoted(Mention(document.text, use.start, use.end)):
            continue
        found.add(use.key)
        explained = _BRACKET.search(document.text, max(0, use.start - _ROLE), use.start)
        closed = _CLOSED.match(document.text, use.end)
        if explained and closed and len((explained[1] + closed[1]).split()) < _FEW:
            continue
        if _stands_near(document, use, definitions[0]):
            continue
        if _is_glossed(document.text, use):
            continue
        first = definitions[0].offset
        if document.offset(use) < first:
            place = document.source.position_of_original(first)
            message = f"'{use.answer.acronym}' is used before its definition at {place}"
            yield Found(document.offset(use), message)


def _is_in_text(document: LintDocument, use: Use) -> bool:
    """Whether it stands in a sentence, and in no list of changes, where the last comes first, and
    the text has not said before what it stands for."""
    if document.changes.has(document.offset(use)) or not document.in_sentence(use.start):
        return False
    acronym = re.escape(use.answer.acronym)
    before = document.source.source[: document.offset(use) + _SOON]
    said = re.compile(rf"\b{acronym}\W{{1,4}}(?:stands for|is short for|means)\b")
    listed = re.compile(rf"\b{acronym}[*`]*(?: [-=\u2013\u2014]|:) +([^\n.,;]+)")
    words = (one[1] for one in listed.finditer(before))
    return not said.search(before) and not any(is_spelled(use.key, one) for one in words)


def _is_link(document: LintDocument, use: Use) -> bool:
    at, text = document.offset(use), document.source.source
    return bool(_LINK.search(text, max(0, at - _ROLE), at) or _TO_TITLE.match(text, at))


def _is_glossed(text: str, use: Use) -> bool:
    """Whether its words follow it here or just before, as in "the FIT format (Flat Image Tree)"
    and "an AFU-Accelerated Function Unit"."""
    acronym = use.answer.acronym
    near = text[max(0, use.start - _SOON) : use.end + _SOON]
    for place in re.finditer(rf"\b{re.escape(acronym)}", near[: _SOON + len(acronym)]):
        gloss = _GLOSS.match(near, place.end())
        if gloss and is_spelled(use.key, gloss[1] or gloss[2]):
            return True
    return False


def _is_in_name(text: str, use: Use) -> bool:
    """Whether it stands between words in capitals, as in "The Python ARM Radar Toolkit", or is a
    part of a hyphenated name: "OP-TEE"."""
    hyphenated = _HYPHENATED_BEFORE.search(text, max(0, use.start - 2), use.start)
    if hyphenated or _HYPHENATED_AFTER.match(text, use.end):
        return True
    before = _NAME_BEFORE.search(text, max(0, use.start - _ROLE), use.start)
    return bool(before and _NAME_AFTER.match(text, use.end))


def _stands_near(document: LintDocument, use: Use, one: Defined) -> bool:
    """Whether the long form stands right before a use, as in "network file system, or NFS", or
    the paragraph goes on to say it, as in "NFS has a long history: a network file system"."""
    text, reach = document.text, len(one.long_form)
    before = text[max(0, use.start - reach - _BESIDE) : use.start].rpartition("\n\n")[2]
    after = text[use.end : use.end + _SOON].partition("\n\n")[0]
    if any(_plain(one.long_form) in _plain(near) for near in (before, after)):
        return True
    begins = one.acronym_at[0] if one.acronym_at else len(text)
    return begins - use.end < _SOON and "\n\n" not in text[use.end : begins]


def _plain(words: str) -> str:
    return " ".join(words.casefold().replace("-", " ").split())
