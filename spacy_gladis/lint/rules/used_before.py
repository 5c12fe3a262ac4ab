"""AC002: an acronym is used before its definition."""

import re
from collections.abc import Iterator

from ..capital_words import CAPITAL_WORDS
from ..defined import Defined, Use
from ..document import LintDocument
from ..finding import Found
from ..headings import is_heading
from ..reading import Mention, is_quoted, is_spelled
from ..references import leads_away

_LINK = re.compile(r":(?:ref|term|doc):`[^`\n]*$")
_TO_TITLE = re.compile(r"[^`<\n]*<[^`>\n]*_>`_")
_LINK_NAME = re.compile(r"`[^`<>\n]*$")
_LINK_NAME_ENDS = re.compile(r"[^`<>\n]*`_")
_BRACKET = re.compile(r"\w \(([^(),;]*)$")
_CLOSED = re.compile(r"([^(),;]*)\)")
_GLOSS = re.compile(r"(?:\s[a-z]+)?\s\(([^()]+)\)|-((?:[A-Z]\w+\s+){1,4}[A-Z]\w+)")
_HYPHENATED_BEFORE = re.compile(r"[^\W_]-$")
_HYPHENATED_AFTER = re.compile(r"-(?:[a-z]+-)?[A-Z]")
_LABEL_BEGINS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(\*\*|__)[^*_\n]{0,80}")
_FIELD = re.compile(r"\W*[A-Z][\w ]{1,30}:[ \t](?:[^a-z\n]{0,80}\W)?")
_VALUE = re.compile(r"[^a-z\n.]*(?:\n|\Z)")
_LABEL_ENDS = {
    "**": re.compile(r"[^*\n]{0,80}\*\*"),
    "__": re.compile(r"[^_\n]{0,80}__"),
}
_FEW = 3  # words beside an acronym in a bracket
_NAME_BEFORE = re.compile(r"[^.!?\s] [A-Z][a-z]+ $")
_CAPITAL_BEFORE = re.compile(r"(?<![\w.-])([A-Z][a-z]+) $")
_NAME_AFTER = re.compile(r" [A-Z][\w]+")
_SOON = 200  # characters in which a paragraph defines what it has just used
_ROLE = 80  # characters at most
_BESIDE = 12  # characters between an acronym and its long form: "NFS. ", "aka "


def used_before(document: LintDocument) -> Iterator[Found]:
    """One finding an acronym, at its first use in a sentence: a title has no place for a
    definition, a link leads to it, and what stands alone in a bracket has its words before it.
    Entries of a glossary hold from the start."""
    waiting = dict(_definitions(document))
    said = _first_said(document)
    for use in document.uses:
        first = waiting.get(use.key)
        if not first or document.allows(use):
            continue
        if document.offset(use) >= said[use.key]:
            del waiting[use.key]
            continue
        if document.in_title(use.start) or not _is_in_text(document, use, first):
            continue
        if _is_label(document, use) or document.in_glossary(document.offset(use)):
            continue
        if _is_link(document, use) or _is_in_name(document, use):
            continue
        if document.members.has(document.offset(use)):
            continue
        if is_quoted(Mention(document.text, use.start, use.end)):
            continue
        del waiting[use.key]
        explained = _BRACKET.search(document.text, max(0, use.start - _ROLE), use.start)
        closed = _CLOSED.match(document.text, use.end)
        if explained and closed and len((explained[1] + closed[1]).split()) < _FEW:
            continue
        if _stands_near(document, use, first) or _is_glossed(document.text, use):
            continue
        place = document.source.position_of_original(first.offset)
        message = f"'{use.answer.acronym}' is used before its definition at {place}"
        yield Found(document.offset(use), message)


def _definitions(document: LintDocument) -> Iterator[tuple[str, Defined]]:
    """The first definition of each acronym that none of a glossary, a title or a work's address
    defines."""
    for key, definitions in document.by_acronym.items():
        kept = [one for one in definitions if _counts(document, one)]
        if not kept or key in CAPITAL_WORDS:
            continue
        listed = any(one.glossary or _is_listed(document, one) for one in kept)
        first = kept[0].offset
        if not (listed or leads_away(document.source, first) or is_heading(document.source, first)):
            yield key, kept[0]


def _counts(document: LintDocument, one: Defined) -> bool:
    """Whether a definition is one that readers meet: no owner's of rights, none of the contents or
    of a table."""
    contents = document.contents.has(one.offset)
    return not (document.is_legal(one) or contents or document.in_table(one))


def _first_said(document: LintDocument) -> dict[str, int]:
    """Where the text first says what each acronym means, be it beside a work that it cites, of a
    licence or in a table: anywhere but in the contents."""
    said: dict[str, int] = {}
    for one in document.definitions:
        if one.meant and not document.contents.has(one.offset):
            said.setdefault(one.key, one.offset)
    return said


def _is_listed(document: LintDocument, one: Defined) -> bool:
    """Whether a definition is an entry of a list, as in "- **VM** (virtual machine): ..."."""
    first = one.acronym_at and one.long_form_at and one.acronym_at < one.long_form_at
    item = first and document.begins_item(one)
    return document.is_entry(one) or document.in_glossary(one.offset) or bool(item)


def _is_label(document: LintDocument, use: Use) -> bool:
    """Whether a use stands in the bold words that an item or a paragraph begins with, or in a
    field's value, as in "Reference: NIST, PTB"."""
    source, at = document.source.source, document.offset(use)
    line = source.rfind("\n", 0, at) + 1
    label = _LABEL_BEGINS.fullmatch(source, line, at)
    if label and _LABEL_ENDS[label[1]].match(source, at):
        return True
    return bool(_FIELD.fullmatch(source, line, at) and _VALUE.match(source, at))


def _says(one: Defined, words: str) -> bool:
    """Whether words have the long form, be it in another number: "degrees of freedom"."""
    wanted = [word.removesuffix("s") for word in _plain(one.long_form).split()]
    given = [word.removesuffix("s") for word in _plain(words).split()]
    length = len(wanted)
    return any(given[n : n + length] == wanted for n in range(len(given) - length + 1))


def _is_in_text(document: LintDocument, use: Use, definition: Defined) -> bool:
    """Whether it stands in a sentence, and in no list of changes, where the last comes first, and
    the text has not said before what it stands for."""
    if document.changes.has(document.offset(use)) or not document.in_sentence(use.start):
        return False
    acronym = re.escape(use.answer.acronym)
    before = document.source.source[: document.offset(use) + _SOON]
    said = re.compile(rf"\b{acronym}\W{{1,4}}(?:stands for|is short for|means)\b")
    listed = re.compile(rf"\b{acronym}[*`]*(?: [-=\u2013\u2014]|:) +((?:[^\n.,;]+|\n(?!\n))+)")
    words = [one[1] for one in listed.finditer(before)]
    said_so = any(is_spelled(use.key, one) or _says(definition, one) for one in words)
    return not said.search(before) and not said_so


def _is_link(document: LintDocument, use: Use) -> bool:
    at, text = document.offset(use), document.source.source
    if _LINK.search(text, max(0, at - _ROLE), at) or _TO_TITLE.match(text, at):
        return True
    name = document.source.format in ("restructuredtext", "text") and _LINK_NAME_ENDS.match(
        text, at
    )
    return bool(name and _LINK_NAME.search(text, max(0, at - _ROLE), at))


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


def _is_in_name(document: LintDocument, use: Use) -> bool:
    """Whether it stands between words in capitals, as in "The Python ARM Radar Toolkit", beside a
    name that is written so within sentences, as in "Cyrus IMAP", or is a part of a hyphenated
    name: "OP-TEE"."""
    text = document.text
    hyphenated = _HYPHENATED_BEFORE.search(text, max(0, use.start - 2), use.start)
    if hyphenated or _HYPHENATED_AFTER.match(text, use.end):
        return True
    before = _NAME_BEFORE.search(text, max(0, use.start - _ROLE), use.start)
    if before and _NAME_AFTER.match(text, use.end):
        return True
    acronym = text[use.start : use.end]
    first = _CAPITAL_BEFORE.search(text, max(0, use.start - _ROLE), use.start)
    if not first or first[1].lower() in document.small_words:
        return False
    return bool(re.search(rf"[a-z0-9,;)] {first[1]} {re.escape(acronym)}\b", text))


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
