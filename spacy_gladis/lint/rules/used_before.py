"""AC002: an acronym is used before its definition."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from ..capital_words import CAPITAL_WORDS
from ..defined import Defined, Use
from ..document import LintDocument
from ..finding import Found
from ..headings import is_heading
from ..known import WIDELY, commonness
from ..reading import Mention, is_quoted, is_spelled
from ..references import leads_away
from ..said import Said
from ..terms import RUN, find_terms

_LINK = re.compile(r":(?:ref|term|doc):`[^`\n]*$")
_TO_TITLE = re.compile(r"[^`<\n]*<[^`>\n]*_>`_")
_LINK_NAME = re.compile(r"`[^`<>\n]*$")
_LINK_NAME_ENDS = re.compile(r"[^`<>\n]*`_")
_MARKED_LINK = re.compile(r"\[[^\[\]]*$|<<[^<>]*$")
_MARKED_LINK_ENDS = {
    "markdown": re.compile(r"[^\[\]]*\][(\[]"),
    "notebook": re.compile(r"[^\[\]]*\][(\[]"),
    "asciidoc": re.compile(r"[^\[\]]*\]|[^<>]*>>"),
}
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
_LATER = 2  # uses after its definition
_GOES_ON = re.compile(r"[)\]](?:[*`]*:|\s[A-Z][a-z])")  # "the X (SF) Manager", "X (SF): all that"
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
    waiting = _needed(document, dict(_definitions(document)))
    said = _first_said(document, waiting)
    for use in document.uses:
        first = waiting.get(use.key)
        if not first or document.allows(use):
            continue
        if document.offset(use) >= said[use.key]:
            del waiting[use.key]
            continue
        if document.in_title(use.start) or not _is_in_text(document, use):
            continue
        at = document.offset(use)
        if _is_label(document, use) or document.in_glossary(at):
            continue
        if document.members.has(at) or document.looked_up.has(at):
            continue
        if _is_link(document, use) or _is_in_name(document, use):
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
        if not _has_to_be_told(first):
            continue
        place = document.source.position_of_original(first.offset)
        message = f"'{use.answer.acronym}' is used before its definition at {place}"
        yield Found(document.offset(use), message)


def _needed(document: LintDocument, first: dict[str, Defined]) -> dict[str, Defined]:
    """The acronyms that the text goes on to use after it has defined them."""
    offsets = ((use.key, document.offset(use)) for use in document.uses if use.key in first)
    after = Counter(key for key, offset in offsets if offset > first[key].offset)
    return {key: one for key, one in first.items() if after[key] >= _LATER}


def _has_to_be_told(one: Defined) -> bool:
    """Whether readers have to be told the meaning, and it is one: the dictionary's lists of what
    people write without defining it have it, which codes and names of programs are not in, but
    not so widely that readers know it by its letters."""
    return 0 < commonness(one.key, one.long_form) < WIDELY


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
    """Whether a definition is one that readers meet: no owner's of rights, none of the contents,
    of a table, a name or an entry."""
    contents = document.contents.has(one.offset)
    named = one.acronym_at and _GOES_ON.match(document.text, one.acronym_at[1])
    return not (document.is_legal(one) or contents or document.in_table(one) or named)


def _first_said(document: LintDocument, waiting: Mapping[str, Defined]) -> dict[str, int]:
    """Up to where a use of each acronym comes too early: where the text first says what it means,
    be it beside a work that it cites, of a licence or in a table, anywhere but in the contents, or
    shortly before it says so without a bracket."""
    said: dict[str, int] = {}
    for one in document.definitions:
        if one.meant and not document.contents.has(one.offset):
            said.setdefault(one.key, one.offset)
    told = Said(document.source)
    written = _first_written(document, (one.long_form for one in waiting.values()))
    for key, one in waiting.items():
        said[key] = min(said[key], written.get(one.long_form.lower(), said[key]))
        place = told.first(key, partial(_says, one))
        if place is not None:
            said[key] = min(said[key], place - _SOON)
    return said


def _first_written(document: LintDocument, long_forms: Iterable[str]) -> dict[str, int]:
    """Where in the original, but for its contents, each long form first stands: by its words in
    small letters."""
    first: dict[str, int] = {}
    for words, start, _ in find_terms(document.text, map(str.lower, long_forms), RUN, True):
        at = document.source.original_offset(start)
        if not document.contents.has(at):
            first.setdefault(words, at)
    return first


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
    """Whether words spell the acronym or have the long form, be it in another number: "degrees of
    freedom"."""
    if is_spelled(one.key, words):
        return True
    wanted = [word.removesuffix("s") for word in _plain(one.long_form).split()]
    given = [word.removesuffix("s") for word in _plain(words).split()]
    length = len(wanted)
    return any(given[n : n + length] == wanted for n in range(len(given) - length + 1))


def _is_in_text(document: LintDocument, use: Use) -> bool:
    """Whether it stands in a sentence, and in no list of changes, where the last comes first."""
    return document.in_sentence(use.start) and not document.changes.has(document.offset(use))


def _is_link(document: LintDocument, use: Use) -> bool:
    """Whether a use stands in the text or the name of a link."""
    at, text, kind = document.offset(use), document.source.source, document.source.format
    first = max(0, at - _ROLE)
    if _LINK.search(text, first, at) or _TO_TITLE.match(text, at):
        return True
    if kind == "html":
        return document.in_closed(at)
    if ends := _MARKED_LINK_ENDS.get(kind):
        return bool(_MARKED_LINK.search(text, first, at) and ends.match(text, at, at + _ROLE))
    name = kind in ("restructuredtext", "text") and _LINK_NAME_ENDS.match(text, at)
    return bool(name and _LINK_NAME.search(text, first, at))


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
    return one.acronym_at is not None and document.in_one_paragraph(use.start, one.acronym_at[0])


def _plain(words: str) -> str:
    return " ".join(words.casefold().replace("-", " ").split())
