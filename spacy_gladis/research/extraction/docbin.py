"""Conversion of annotated benchmark files to DocBins, spaCy's format of training data.

With such a file, `spacy train` can train the component `acronym_detector`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import InputError
from ...text import Definition, Offsets, decode_bio, repair_bio
from ..datasets.bioc import read_bioc
from ..datasets.sciai import read_sciai, read_sdu22
from ..leakage import formats, readers
from ..leakage.formats import Reader

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

Pair = tuple[Offsets, Offsets]  # acronym, long form

REPAIRED = "labels that continue nothing"
INSIDE = "ends of spans inside a word"
WIDENED = "spans widened to whole tokens"
BLANK = "spans without a token"
SPLIT = "definitions whose form is in several places"
DIFFERENT = "definitions whose place has another text"


class AnnotatedText(NamedTuple):
    """A text in which a benchmark marks acronyms and long forms.

    All spans are ``(start, end)`` character offsets.

    Attributes:
        text: The whole text.
        short: Spans of the acronyms.
        long: Spans of the long forms.
        definitions: Pairs of spans: an acronym and the long form that defines it. Empty if the
            benchmark does not say which long form belongs to which acronym.
        tokens: Spans of the benchmark's own tokens. None if it has no tokens.
    """

    text: str
    short: list[Offsets]
    long: list[Offsets]
    definitions: list[Pair]
    tokens: list[Offsets] | None = None


def convert(path: Path, nlp: "Language") -> "tuple[list[Doc], dict[str, int]]":
    """Convert an annotated benchmark file to spaCy documents with spans.

    Acronyms and long forms become span groups in ``doc.spans``, under the keys of the component
    `acronym_detector`. A span that begins or ends inside a token is extended to the whole token and
    counted as a problem.

    Args:
        path: Path of the benchmark: a file in the format of SciAI or SDU-22 acronym extraction, or
            a file or folder of BioC XML.
        nlp: Pipeline whose tokenizer splits the texts. Files in SciAI's format keep their own
            tokens.

    Returns:
        A list with a ``Doc`` for each text of the benchmark, and a mapping from descriptions of
        problems, such as ``"spans widened to whole tokens"``, to their numbers.

    Raises:
        InputError: If the file has another format.
        FormatError: If the file is damaged.
    """
    problems: Counter[str] = Counter()
    docs = [as_doc(nlp, text, problems) for text in read_marked(path, problems)]
    return docs, dict(sorted(problems.items()))


def read_marked(path: Path, problems: Counter[str]) -> Iterator[AnnotatedText]:
    """Read the texts of a benchmark in which acronyms and long forms are marked.

    The format is recognized by the file's extension and first record.

    Args:
        path: Path of the benchmark: a file in the format of SciAI or SDU-22 acronym extraction, or
            a file or folder of BioC XML.
        problems: Counter of annotations that had to be repaired or left out, by description. It is
            updated in place while the texts are read.

    Returns:
        An iterator over the annotated texts, in file order.

    Raises:
        InputError: If the file has another format.
        FormatError: If the file is damaged.
    """
    reader = readers.read_bioc_items if path.is_dir() else formats.reader_of(path)
    if reader not in READERS:
        raise InputError(
            f"{path} has the format '{formats.format_name(reader)}', which has no marked acronyms. "
            "Choose a file of SciAI, SDU-22 acronym extraction or BioC XML."
        )
    return READERS[reader](path, problems)


def write_docbin(path: Path, docs: "Sequence[Doc]") -> str:
    """Save annotated documents as a DocBin file, the input of `spacy train`.

    Args:
        path: Path of the file to write. It must have the extension ``.spacy``.
        docs: Documents with acronyms and long forms in ``doc.spans``, as `convert` returns them.

    Returns:
        A message for the user, such as ``"train.spacy: 1,750 texts, 2,000 acronyms, 1,200 long
        forms"``.

    Raises:
        InputError: If the path has another extension.
    """
    from spacy.tokens import DocBin

    from ...files import writing
    from ...pipeline.annotations import ACRONYMS, LONG_FORMS

    if path.suffix != ".spacy":
        raise InputError(
            f"The output '{path}' does not end in .spacy. spaCy requires this extension for a "
            "DocBin."
        )
    with writing(path) as temporary:
        temporary.write_bytes(DocBin(docs=docs, store_user_data=True).to_bytes())
    acronyms, long_forms = (
        sum(len(doc.spans[key]) for doc in docs) for key in (ACRONYMS, LONG_FORMS)
    )
    return f"{path}: {len(docs):,} texts, {acronyms:,} acronyms, {long_forms:,} long forms"


def blank(language: str) -> "Language":
    """Create a spaCy pipeline for a language that has a tokenizer and no components.

    Args:
        language: Language code of spaCy, such as ``"en"``. The code ``"xx"`` works for any language
            that puts spaces between words.

    Returns:
        The pipeline, as ``spacy.blank(language)`` returns it.

    Raises:
        InputError: If spaCy does not support the language.
    """
    import spacy

    try:
        return spacy.blank(language)
    except ImportError as error:
        raise InputError(
            f"spaCy has no tokenizer for the language {language!r} ({error}). Choose a code such "
            "as 'en', 'fr' or 'da'. The code 'xx' splits texts of any language at spaces and "
            "punctuation."
        ) from error


def _read_sciai(path: Path, problems: Counter[str]) -> Iterator[AnnotatedText]:
    sentences, problems[REPAIRED] = read_sciai(path)
    for sentence in sentences:
        spans: dict[str, list[Offsets]] = {"short": [], "long": []}
        for start, end, kind in decode_bio(repair_bio(sentence.labels)[0]):
            spans[kind].append((sentence.offsets[start][0], sentence.offsets[end - 1][1]))
        yield AnnotatedText(sentence.text, spans["short"], spans["long"], [], sentence.offsets)


def _read_sdu22(path: Path, problems: Counter[str]) -> Iterator[AnnotatedText]:
    paragraphs, problems[INSIDE] = read_sdu22(path)
    for paragraph in paragraphs:
        yield AnnotatedText(paragraph.text, sorted(paragraph.short), sorted(paragraph.long), [])


def _read_bioc(path: Path, problems: Counter[str]) -> Iterator[AnnotatedText]:
    for abstract in read_bioc(path):
        pairs: dict[Pair, None] = {}
        for short, long in abstract.places:
            if len(short) != 1 or len(long) != 1:
                problems[SPLIT] += 1
                continue
            texts = (abstract.text[slice(*short[0])], abstract.text[slice(*long[0])])
            if texts in abstract.definitions:
                pairs[short[0], long[0]] = None
            else:
                problems[DIFFERENT] += 1
        short_forms = sorted({short for short, _ in pairs})
        long_forms = sorted({long for _, long in pairs})
        yield AnnotatedText(abstract.text, short_forms, long_forms, sorted(pairs))


READERS: dict[Reader, Callable[[Path, Counter[str]], Iterator[AnnotatedText]]] = {
    readers.read_sciai_items: _read_sciai,
    readers.read_sdu22_extraction_items: _read_sdu22,
    readers.read_bioc_items: _read_bioc,
}


def as_doc(nlp: "Language", annotated: AnnotatedText, problems: Counter[str]) -> "Doc":
    """Convert a text with marked acronyms and long forms to a spaCy document with spans.

    Spans are extended to whole tokens. A span that contains no token, such as a single space, is
    left out. Both are counted as problems.

    Args:
        nlp: Pipeline whose tokenizer splits the text, unless the text already has tokens.
        annotated: Text with the spans of its acronyms, long forms and definitions.
        problems: Counter of annotations that had to be repaired or left out, by description. It is
            updated in place.

    Returns:
        A ``Doc`` with the acronyms, long forms and definitions in ``doc.spans``, under the keys of
        the component `acronym_detector`.
    """
    from ...pipeline.annotations import ACRONYMS, LONG_FORMS, Findings, write_findings

    doc = (
        nlp.make_doc(annotated.text)
        if annotated.tokens is None
        else _cut(nlp, annotated.text, annotated.tokens)
    )

    def within(offsets: Sequence[Offsets]) -> list[Offsets]:
        kept = []
        for bounds in offsets:
            span = doc.char_span(*bounds, alignment_mode="expand")
            if span is None:
                problems[BLANK] += 1
                continue
            problems[WIDENED] += (span.start_char, span.end_char) != bounds
            kept.append(bounds)
        return kept

    definitions = [Definition(short, long) for short, long in annotated.definitions]
    findings = Findings(definitions, within(annotated.short), within(annotated.long))
    write_findings(doc, findings, ACRONYMS, LONG_FORMS)
    return doc


def _cut(nlp: "Language", text: str, tokens: list[Offsets]) -> "Doc":
    from spacy.tokens import Doc

    ends = [start for start, _ in tokens[1:]] + [len(text)]
    spaces = [end < follows for (_, end), follows in zip(tokens, ends, strict=True)]
    return Doc(nlp.vocab, words=[text[slice(*token)] for token in tokens], spaces=spaces)
