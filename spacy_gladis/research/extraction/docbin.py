"""Conversion of benchmark files to DocBins, for training `acronym_detector` with `spacy train`."""

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
    """A text with its annotated spans, as character offsets.

    Attributes:
        text: The text.
        short: Spans of acronyms.
        long: Spans of long forms.
        definitions: Pairs of an acronym's and a long form's span, if the data has them.
        tokens: Spans of tokens, if the data has them.
    """

    text: str
    short: list[Offsets]
    long: list[Offsets]
    definitions: list[Pair]
    tokens: list[Offsets] | None = None


def convert(path: Path, nlp: "Language") -> "tuple[list[Doc], dict[str, int]]":
    """Convert a benchmark file to annotated documents.

    Acronyms and long forms are in `doc.spans` under the detector's keys. Spans that begin or end
    inside a token are extended to the whole token and counted.

    Args:
        path: File or folder of the benchmark.
        nlp: Pipeline whose tokenizer is used. Files in SciAI's format keep their own tokens.

    Returns:
        The documents, and the number of problems of each kind.

    Raises:
        InputError: If the format is not supported.
        FormatError: If the file is damaged.
    """
    problems: Counter[str] = Counter()
    docs = [as_doc(nlp, text, problems) for text in read_marked(path, problems)]
    return docs, dict(sorted(problems.items()))


def read_marked(path: Path, problems: Counter[str]) -> Iterator[AnnotatedText]:
    """Read the annotated texts of a benchmark file.

    Args:
        path: File or folder of the benchmark.
        problems: Counter of repaired problems, updated in place.

    Returns:
        The texts.

    Raises:
        InputError: If the format is not supported.
        FormatError: If the file is damaged.
    """
    reader = readers.read_bioc_items if path.is_dir() else formats.reader_of(path)
    if reader not in READERS:
        raise InputError(
            f"{path} has the format {formats.format_name(reader)}. Expected SciAI, SDU-22 acronym "
            "extraction or BioC XML."
        )
    return READERS[reader](path, problems)


def write_docbin(path: Path, docs: "Sequence[Doc]") -> str:
    """Write documents to a DocBin file for `spacy train`.

    Args:
        path: Path of the file, which must end in `.spacy`.
        docs: The documents.

    Returns:
        A message with the numbers of texts, acronyms and long forms.

    Raises:
        InputError: If the path does not end in `.spacy`.
    """
    from spacy.tokens import DocBin

    from ...files import writing
    from ...pipeline.annotations import ACRONYMS, LONG_FORMS

    if path.suffix != ".spacy":
        raise InputError(
            f"'{path}' must have the extension .spacy, which spaCy requires for a DocBin."
        )
    with writing(path) as temporary:
        temporary.write_bytes(DocBin(docs=docs, store_user_data=True).to_bytes())
    acronyms, long_forms = (
        sum(len(doc.spans[key]) for doc in docs) for key in (ACRONYMS, LONG_FORMS)
    )
    return f"{path}: {len(docs):,} texts, {acronyms:,} acronyms, {long_forms:,} long forms"


def blank(language: str) -> "Language":
    """Return spaCy's blank pipeline for a language.

    Args:
        language: Language code.

    Returns:
        The pipeline.

    Raises:
        InputError: If spaCy does not have the language.
    """
    import spacy

    try:
        return spacy.blank(language)
    except ImportError as error:
        raise InputError(
            f"spaCy cannot tokenize texts of the language {language!r} ({error}). "
            "Give a code such as 'en', 'fr' or 'da'; 'xx' splits texts of any language at spaces "
            "and punctuation."
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
    """Convert an annotated text to a document.

    Args:
        nlp: Pipeline whose tokenizer is used if the text has no tokens.
        annotated: The text.
        problems: Counter of repaired problems, updated in place.

    Returns:
        The document.
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
