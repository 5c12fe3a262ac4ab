"""AC011: in a document's own glossary and unused; AC012: used, and not in it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..document import LintDocument
from ..finding import Found
from ..headings import glossaries
from ..terms import RUN, find_terms
from ..wording import is_initialism

_FEW = 4  # where more than one entry in so many is unused, a glossary is a document of its own
_LEAST = 10  # entries of a glossary of general purpose
_SEVERAL = 2  # documents that use an acronym that wants an entry
_OFTEN = 3  # uses of an acronym that wants an entry
_ROLE = re.compile(r":term:`(?:[^`<\n]*<)?([^`<>\n]+)>?`")
_VERSION = re.compile(r"-?v?\d+(?:\.\d+)*$")  # of "GICv2"
_DIRECTIVE = ".. glossary::"
# A line, and its text below.
_TERM = re.compile(r"^([ \t]+)(?![:.*-])\S.*\n\1[ \t]+\S", re.MULTILINE)


def unused_entry(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """AC011: a finding at each unused entry of a glossary whose others are used."""
    unused: dict[int, list[tuple[LintDocument, Found]]] = defaultdict(list)
    for document, found in _unused(documents):
        unused[id(document)].append((document, found))
    for few in unused.values():
        if _is_of_acronyms(few[0][0]) and len(few) <= max(1, len(few[0][0].glossary) // _FEW):
            yield from few


def _unused(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at each entry of a glossary that no document of the set uses.

    A glossary is often a page of its own, or a file that others include.
    """
    used = {use.key for document in documents for use in document.uses}
    used |= {one.key for each in documents for one in each.definitions if not one.glossary}
    used |= {term for each in documents for term in _ROLE.findall(each.source.source)}
    used |= {key.casefold() for key in used}  # another case is for AC013
    unused = [
        (document, entry)
        for document in documents
        for key, entry in document.glossary.items()
        if used.isdisjoint((key, key.casefold()))
    ]
    terms = {entry.acronym for _, entry in unused}
    written = defaultdict(set)  # where a term stands, acronym or no: "EDisp"
    for document in documents:
        for term, start, _ in find_terms(document.text, terms, RUN):
            written[term].add((id(document), document.source.original_offset(start)))
    for document, entry in unused:
        if not written[entry.acronym] - {(id(document), entry.offset)}:
            message = f"'{entry.acronym}' is in the glossary and never used"
            yield document, Found(entry.offset, message)


def missing_entry(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """AC012: a finding at each acronym that a document uses often, and that a glossary beside
    or above it lacks."""
    kept = [one for one in documents if _is_kept(one)]
    spread = Counter(key for each in documents for key in {use.key for use in each.uses})
    missing: dict[int, dict[str, tuple[LintDocument, Found]]] = defaultdict(dict)
    for document in documents if kept else ():
        covering = [one for one in kept if _covers(one, document)]
        for key, acronym, offset in _candidates(document, covering):
            shared = spread[key] >= _SEVERAL or document in covering
            if shared and not any(_lists(one, document, key, acronym) for one in covering):
                nearest = max(covering, key=lambda one: len(one.source.path))
                message = f"'{acronym}' is not in the glossary of {nearest.source.name}"
                found = document, Found(offset, message)
                missing[id(nearest)].setdefault(key, found)
    for glossary in kept:
        if len(missing[id(glossary)]) <= len(glossary.glossary):  # else it is but a selection
            yield from missing[id(glossary)].values()


def _candidates(
    document: LintDocument, covering: Sequence[LintDocument]
) -> Iterator[tuple[str, str, int]]:
    """Acronyms that want an entry: key, spelling, offset. Those that the text defines, and,
    in a document with a glossary of its own, those of a known meaning: names and codes have
    none."""
    counts = Counter(use.key for use in document.uses) if covering else {}
    for key, definitions in document.by_acronym.items() if covering else ():
        first = definitions[0]
        spelled = is_initialism(key, first.long_form)
        named = first.glossary or document.settings.allows(key, first.acronym)
        if spelled and not named and counts.get(key, 0) >= _OFTEN:
            yield key, first.acronym, first.offset
    for key, use in document.first_uses.items() if document in covering else ():
        often = counts.get(key, 0) >= _OFTEN and not document.in_reference(use.start)
        known = document.long_form(use) or ""
        if often and document.is_acronym(use) and is_initialism(key, known):
            yield key, use.answer.acronym, document.offset(use)


def _covers(glossary: LintDocument, document: LintDocument) -> bool:
    """Whether a glossary is the document's own, or lies beside or above it."""
    here, there = Path(document.source.path), Path(glossary.source.path)
    below = bool(glossary.source.path) and here.is_relative_to(there.parent)
    return glossary is document or (below and here != there)


def _lists(glossary: LintDocument, document: LintDocument, key: str, acronym: str) -> bool:
    """Whether a glossary has an acronym, be it in the words of another entry."""
    explained = glossary is not document and any(one.key == key for one in glossary.definitions)
    family = {key, _VERSION.sub("", key)}
    return bool(family & glossary.glossary.keys()) or glossary.is_listed(acronym) or explained


def _is_kept(document: LintDocument) -> bool:
    """Whether a document has a glossary of general purpose: marked as such by its format, or the
    whole file, with some entries, most of them acronyms."""
    whole = glossaries(document.source).named[0] or any(one.glossary for one in document.entries)
    return whole and len(document.glossary) >= _LEAST and _is_of_acronyms(document)


def _is_of_acronyms(document: LintDocument) -> bool:
    """Whether at least half of a glossary's entries spell acronyms out."""
    entries = document.entries
    source = document.source.source
    terms = len(_TERM.findall(source)) if _DIRECTIVE in source else 0
    acronyms = sum(is_initialism(one.acronym, one.long_form) for one in entries)
    return acronyms * 2 >= max(len(entries), terms)
