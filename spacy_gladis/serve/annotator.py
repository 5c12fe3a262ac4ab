"""One pipeline for many requests, each with a dictionary of its own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..dictionary import Dictionary
from ..dictionary.dictionary import suggest
from ..documents.encodings import without_lone_surrogates
from ..documents.formats import read_content, read_text
from ..documents.source import Source
from ..errors import GladisError, InputError, MissingExtraError
from ..output.expansion import Expand, expand_source
from ..output.records import to_record
from ..pipeline.acrobert_linker import AcroBERTLinker
from ..pipeline.acronym_detector import AcronymDetector
from ..pipeline.acronym_llm import AcronymLLM
from ..pipeline.annotate import with_marked
from ..pipeline.learn import linker_of
from .limits import Limits
from .messages import (
    AnnotateRequest,
    Annotation,
    BatchAnswer,
    BatchRequest,
    FileText,
    Known,
    LookupAnswer,
    Manner,
    OwnDictionary,
)


class TooLongError(GladisError):
    """A text has more characters or more acronyms than the service takes."""


class Annotator:
    """Annotates texts and looks acronyms up; a request leaves nothing behind."""

    def __init__(self, nlp: Language, limits: Limits) -> None:
        self.nlp, self.limits = nlp, limits
        self.linker = linker_of(nlp)

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary without anybody's own entries."""
        return self.linker.dictionary

    def annotate(self, request: AnnotateRequest) -> Annotation:
        """The acronyms of a text. Raises InputError for an own entry that is none, TooLongError."""
        return self._annotations([request.text], request)[0]

    def annotate_batch(self, request: BatchRequest) -> BatchAnswer:
        """The acronyms of many texts, each a document of its own. Raises as `annotate`."""
        return BatchAnswer(documents=self._annotations(request.texts, request))

    def _annotations(self, texts: Sequence[str], manner: Manner) -> list[Annotation]:
        self._check(texts)
        sources = [read_text(without_lone_surrogates(text), manner.format) for text in texts]
        docs: Iterable[Doc] = (self.nlp.make_doc(source.text) for source in sources)
        for pipe in self._pipes(manner):
            if isinstance(pipe, AcroBERTLinker):
                docs = self._checked(docs, texts)
            docs = pipe.pipe(docs) if hasattr(pipe, "pipe") else map(pipe, docs)
        return [
            _annotation(with_marked(doc, source), source, manner)
            for doc, source in zip(docs, sources, strict=True)
        ]

    def read(self, name: str, content: bytes) -> FileText:
        """The plain text of a file of this name. Raises InputError where it is none that can be
        read, TooLongError."""
        try:
            text = read_content(content, name).text
        except UnicodeDecodeError as error:
            raise InputError(f"{name} is not {error.encoding}: save it as UTF-8.") from None
        except (InputError, MissingExtraError) as error:
            raise InputError(f"{name}: {error}") from None
        self._check([text])
        return FileText(text=text)

    def lookup(self, acronym: str, limit: int) -> LookupAnswer:
        """What the dictionary has of an acronym as a text spells it."""
        acronym = without_lone_surrogates(acronym)
        found = self.dictionary.lookup(acronym)[:limit]
        known = [Known(long_form=c.long_form, total=c.total, counts=c.counts) for c in found]
        suggestions = [] if known else suggest(self.dictionary, acronym)
        return LookupAnswer(acronym=acronym, candidates=known, suggestions=suggestions)

    def _check(self, texts: Sequence[str]) -> None:
        if sum(map(len, texts)) > self.limits.characters:
            raise TooLongError(
                f"The {_text_has(texts)} more than {self.limits.characters:,} characters: "
                "send less at once."
            )

    def _checked(self, docs: Iterable[Doc], texts: Sequence[str]) -> Iterator[Doc]:
        """The same documents: time goes by mentions more than by characters."""
        mentions = 0
        for doc in docs:
            mentions += len(doc.spans.get(self.linker.cfg["spans_key"], ()))
            if mentions > self.limits.mentions:
                raise TooLongError(
                    f"The {_text_has(texts)} more than {self.limits.mentions:,} acronyms: "
                    "send less at once."
                )
            yield doc

    def _pipes(self, manner: Manner) -> Iterator[Any]:
        """The pipeline's components, those that a request changes replaced by variants."""
        linker = self._linker(manner)
        if manner.ask_model and not any(
            isinstance(one, AcronymLLM) for _, one in self.nlp.pipeline
        ):
            raise InputError("The service has no language model to ask: it is started with --llm.")
        for _, pipe in self.nlp.pipeline:
            if isinstance(pipe, AcronymLLM):
                if manner.ask_model:
                    yield pipe.beside(linker)
            elif pipe is self.linker:
                yield linker
            elif isinstance(pipe, AcronymDetector) and linker is not self.linker:
                yield pipe.with_dictionary(linker.dictionary)
            else:
                yield pipe

    def _linker(self, manner: Manner) -> AcroBERTLinker:
        wanted = {"threshold": manner.threshold, "top_k": manner.top_k, "field": manner.field}
        settings: dict[str, Any] = {name: one for name, one in wanted.items() if one is not None}
        own = manner.dictionary
        if not settings and own == OwnDictionary():
            return self.linker
        return self.linker.variant(self.nlp, _changed(self.dictionary, own), **settings)


def _annotation(doc: Doc, source: Source, manner: Manner) -> Annotation:
    record = to_record(doc, "", source)
    expanded = expand_source(source, doc, Expand(manner.expand)) if manner.expand else None
    return Annotation(
        acronyms=record["acronyms"], definitions=record["definitions"], expanded=expanded
    )


def _changed(dictionary: Dictionary, own: OwnDictionary) -> Dictionary:
    """A copy with the own entries; what is removed goes in all spellings of its acronym."""
    if own == OwnDictionary():
        return dictionary
    changed = dictionary.copy()
    for removed in own.remove:
        for spelling in dictionary.matches(removed.acronym):
            changed.remove(spelling, removed.long_form)
    for added in own.add:
        most = max((one.total for one in dictionary.lookup(added.acronym)), default=1)
        changed.add(added.acronym, added.long_form, added.count or most)
    for word in own.ignore:
        changed.ignore(word)
    return changed


def _text_has(texts: Sequence[str]) -> str:
    return "text has" if len(texts) == 1 else f"{len(texts):,} texts have together"
