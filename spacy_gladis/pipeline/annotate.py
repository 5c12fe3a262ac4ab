"""Annotation of many texts by a pipeline, in which a failure affects only one document."""

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
from ..text.mention import cover, sort_spans
from .annotations import (
    ACRONYM_LABEL,
    DOCUMENT,
    Findings,
    acronym_groups,
    mentions_of,
    place_of,
    span_at,
)
from .languages import NAMES, detect_language

BATCH = 32
"""Number of documents that the pipeline processes together."""

logger = logging.getLogger("spacy_gladis")


def annotate_sources(
    nlp: Language, sources: Iterable[Source], report: Report, *, processes: int = 1
) -> Iterator[tuple[Source, Doc]]:
    """Annotate texts with a pipeline and yield each text with its annotated document, in order.

    If a component fails on a document, the document is left out and reported, and the error is
    logged. The name of the text, such as its path, is stored in `doc.user_data["document"]`.

    Args:
        nlp: The pipeline that annotates the texts.
        sources: The texts to annotate, with their names.
        report: Function that receives a `Problem` for each failed document.
        processes: Number of processes that annotate documents in parallel.

    Yields:
        Pairs of a text and its annotated document.

    Raises:
        GladisError: If an error affects all documents, such as missing weights.
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
        detail = "a component failed on this document. The log contains the error"
        report(Problem("failed document", source.name, None, detail))


def with_marked(doc: Doc, source: Source) -> Doc:
    """Resolve acronyms that the markup of a file, or of a file that it includes, defines.

    Such definitions come, for example, from a LaTeX list of acronyms. Definitions in the text
    itself take precedence. The document is changed in place.

    Args:
        doc: A document that the pipeline has annotated.
        source: The text from which the document was made, with the definitions in its markup.

    Returns:
        The same document.
    """
    marked = dict(defined_in_parts(source))
    marked |= {
        base_form(definition.acronym): definition.long_form for definition in source.definitions
    }
    text = doc.text
    for group in acronym_groups(doc) if marked else ():
        findings = Findings.of(group)
        for span in group:
            place = place_of(span)
            acronym, resolution = text[slice(*place)], findings.resolutions.get(place)
            long_form = marked.get(base_form(acronym))
            if long_form and (resolution is None or resolution.source != "definition"):
                findings.resolutions[place] = Resolution.from_definition(acronym, long_form)
                span.kb_id_ = long_form
        findings.store(group)
        lower_case = list(_lower_case_acronyms(text, source, findings.mentions))
        if lower_case:
            answers = {
                (start, end): Resolution.from_definition(
                    text[start:end], marked[base_form(acronym)]
                )
                for start, end, acronym in lower_case
            }
            _add_mentions(doc, group, findings, answers)
    return doc


def _add_mentions(
    doc: Doc, group: SpanGroup, findings: Findings, answers: Mapping[Offsets, Resolution]
) -> None:
    """Replace a group of spans by one that also contains the given mentions."""
    findings.resolutions |= answers
    findings.mentions = sort_spans([*findings.mentions, *answers])
    added = (span_at(doc, place, ACRONYM_LABEL, answer.kb_id) for place, answer in answers.items())
    spans = [*group, *(span for span in added if span is not None)]
    spans.sort(key=lambda span: (place_of(span)[0], -place_of(span)[1]))
    doc.spans[group.name] = SpanGroup(doc, name=group.name, spans=spans)
    findings.store(doc.spans[group.name])


def _lower_case_acronyms(
    text: str, source: Source, mentions: Sequence[Offsets]
) -> Iterator[tuple[int, int, str]]:
    """Yield mentions of lower-case acronyms that the markup defines, such as `gfb` in a glossary.

    The detector can't tell such acronyms from ordinary words.
    """
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
    """Return the language of a document if it is the reason why acronyms were not resolved.

    Args:
        doc: A document that the pipeline has annotated.
        languages: Codes of the languages that the dictionary covers.

    Returns:
        Name of the document's language, such as "French". None if the dictionary covers the
        language, or if every acronym has an answer or at least candidates.
    """
    if all(answer.source != "nil" or answer.candidates for *_, answer in mentions_of(doc)):
        return None
    code = detect_language(doc.text)
    return None if code in languages else NAMES[code]


def with_unanswered(doc: Doc) -> Doc:
    """Give the answer NIL to all acronyms of a document that no linker has resolved.

    Every acronym then has an answer, even in a pipeline that only has a detector. The document is
    changed in place.

    Args:
        doc: A document that the pipeline has annotated.

    Returns:
        The same document.
    """
    text = doc.text
    for group in acronym_groups(doc):
        findings = Findings.of(group)
        for place in map(place_of, group):
            unknown = Resolution(text[slice(*place)], None, 0.0, "nil")
            findings.resolutions.setdefault(place, unknown)
        findings.store(group)
    return doc


def _log_failure(
    name: str, component: Callable[[Doc], Doc], docs: list[Doc], error: Exception
) -> Any:
    if isinstance(error, GladisError):
        raise error
    logger.error("%s failed on %d documents: %r", name, len(docs), error)
