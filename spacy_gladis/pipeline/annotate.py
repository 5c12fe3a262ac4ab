"""Texts through a pipeline, where one that fails does not end the others."""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, SpanGroup

from ..dictionary.parts import defined_in_parts
from ..documents.source import Source
from ..errors import GladisError
from ..problem import Problem, Report
from ..resolution import Resolution
from ..text import Offsets, base_form, find_occurrences
from ..text.alignment import spells
from ..text.detect import cover
from .annotations import (
    ACRONYM_LABEL,
    DOCUMENT,
    Findings,
    acronym_groups,
    mentions_of,
    place_of,
    span_at,
)
from .languages import NAMES, told_language

BATCH = 32
"""Documents that go through the model together."""

logger = logging.getLogger("spacy_gladis")


def annotate_sources(
    nlp: Language, sources: Iterable[Source], report: Report, *, processes: int = 1
) -> Iterator[tuple[Source, Doc]]:
    """Yield each source and its annotated document, in order.

    A document on which a component fails is left out and reported; the log has its error. Errors
    of our own are raised: they concern all documents. `doc.user_data["document"]` is the name of
    the source, which tells apart the texts of one file.
    """
    nlp.set_error_handler(_log_failure)
    waiting: dict[int, Source] = {}

    def docs() -> Iterator[tuple[Doc, int]]:
        for number, source in enumerate(sources):
            waiting[number] = source
            doc = nlp.make_doc(source.text)
            doc.user_data[DOCUMENT] = source.name
            yield doc, number

    stream = nlp.pipe(docs(), as_tuples=True, batch_size=BATCH, n_process=processes)
    for doc, number in stream:
        yield waiting.pop(number), doc
    for source in waiting.values():
        detail = "a component failed on it; see the log"
        report(Problem("failed document", source.name, None, detail))


def with_marked(doc: Doc, source: Source) -> Doc:
    """Answer mentions by the file's marked definitions and by the files that it takes in, where the
    text itself defines nothing."""
    marked = dict(defined_in_parts(source))
    marked |= {base_form(one.acronym): one.long_form for one in source.definitions}
    text = doc.text
    for group in acronym_groups(doc) if marked else ():
        found = Findings.of(group)
        for span in group:
            place = place_of(span)
            acronym, known = text[slice(*place)], found.resolutions.get(place)
            long_form = marked.get(base_form(acronym))
            if long_form and (known is None or known.source != "definition"):
                found.resolutions[place] = Resolution.from_definition(acronym, long_form)
                span.kb_id_ = long_form
        found.store(group)
        small = list(_small_acronyms(text, source, found.mentions))
        if small:
            answers = {
                (start, end): Resolution.from_definition(
                    text[start:end], marked[base_form(acronym)]
                )
                for start, end, acronym in small
            }
            _add_mentions(doc, group, found, answers)
    return doc


def _add_mentions(
    doc: Doc, group: SpanGroup, found: Findings, answers: Mapping[Offsets, Resolution]
) -> None:
    """Put a group in the place of this one that has these mentions, too."""
    found.resolutions |= answers
    found.mentions = sorted([*found.mentions, *answers])
    added = (span_at(doc, place, ACRONYM_LABEL, one.kb_id) for place, one in answers.items())
    spans = sorted([*group, *(span for span in added if span is not None)])
    doc.spans[group.name] = SpanGroup(doc, name=group.name, spans=spans)
    found.store(doc.spans[group.name])


def _small_acronyms(
    text: str, source: Source, mentions: Sequence[Offsets]
) -> Iterator[tuple[int, int, str]]:
    """Yield where acronyms in small letters that the format marks stand, such as a glossary's
    `gfb`: no dictionary tells those from words."""
    parts = (source, *source.included)
    acronyms = {
        definition.acronym
        for part in parts
        for definition in part.definitions
        if definition.acronym.islower()
        and definition.acronym.isalpha()
        and spells(definition.acronym, definition.long_form)
    }
    taken = cover(text, mentions) if acronyms else bytearray()
    for start, end, acronym in find_occurrences(text, acronyms):
        if taken.find(1, start, end) < 0:
            yield start, end, acronym


def unanswered_language(doc: Doc, languages: Container[str]) -> str | None:
    """Return the language because of which the dictionary was not asked about a document.

    Args:
        doc: An annotated document.
        languages: Codes of the languages whose texts the dictionary answers.

    Returns:
        The language's name; None where the dictionary was asked, or nothing was left to ask.
    """
    if all(answer.source != "nil" or answer.candidates for *_, answer in mentions_of(doc)):
        return None
    code = told_language(doc.text)
    return None if code in languages else NAMES[code]


def with_unanswered(doc: Doc) -> Doc:
    """Say of the acronyms that no linker was asked about that they are not known."""
    text = doc.text
    for group in acronym_groups(doc):
        found = Findings.of(group)
        for place in map(place_of, group):
            unknown = Resolution(text[slice(*place)], None, 0.0, "nil")
            found.resolutions.setdefault(place, unknown)
        found.store(group)
    return doc


def _log_failure(
    name: str, component: Callable[[Doc], Doc], docs: list[Doc], error: Exception
) -> Any:
    if isinstance(error, GladisError):
        raise error
    logger.error("%s failed on %d documents: %r", name, len(docs), error)
