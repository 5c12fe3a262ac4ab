"""AC011: in a document's own glossary and unused; AC012: used, and not in it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..document import LintDocument
from ..finding import Found
from ..terms import RUN, find_terms
from ..wording import is_initialism

_FEW = 4  # where more than one entry in so many is unused, a glossary is a document of its own
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
    unused = [
        (document, entry)
        for document in documents
        for key, entry in document.glossary.items()
        if key not in used
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


def missing_entry(document: LintDocument) -> Iterator[Found]:
    """AC012: a finding at the first use of each acronym that a document's glossary of acronyms
    lacks."""
    if document.glossary and _is_of_acronyms(document):
        for key, use in document.first_uses.items():
            listed = key in document.glossary or document.is_listed(use.answer.acronym)
            if not listed and document.is_acronym(use) and not document.in_reference(use.start):
                message = f"'{use.answer.acronym}' is not in the document's glossary"
                yield Found(document.offset(use), message)


def _is_of_acronyms(document: LintDocument) -> bool:
    """Whether at least half of a glossary's entries spell acronyms out."""
    entries = [one for one in document.definitions if one.glossary]
    source = document.source.source
    terms = len(_TERM.findall(source)) if _DIRECTIVE in source else 0
    acronyms = sum(is_initialism(one.acronym, one.long_form) for one in entries)
    return acronyms * 2 >= max(len(entries), terms)
