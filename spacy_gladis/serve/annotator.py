"""Answers to the requests of the REST service and the MCP server."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..dictionary import Dictionary
from ..dictionary.dictionary import suggest
from ..dictionary.overlay import USER_SOURCE
from ..documents.encodings import without_lone_surrogates
from ..documents.formats import read_content, read_text
from ..documents.source import Source
from ..errors import InputError, MissingExtraError
from ..output.expansion import Expand, expand_source
from ..output.records import to_record
from ..pipeline.acrobert_linker import AcroBERTLinker
from ..pipeline.acronym_detector import AcronymDetector
from ..pipeline.acronym_llm import AcronymLLM
from ..pipeline.annotate import with_marked
from ..pipeline.learn import linker_of
from .limits import Limits, TooLongError
from .messages import (
    AnnotateRequest,
    Annotation,
    AnnotationSettings,
    BatchAnswer,
    BatchRequest,
    DictionaryChanges,
    ExplainedAcronym,
    Explanation,
    FileText,
    KnownLongForm,
    LookupAnswer,
    Meaning,
    Meanings,
    Mention,
)


class Annotator:
    """Answers requests to annotate texts, look up acronyms and read files, with one pipeline.

    A request can have its own settings and dictionary entries. They apply only to the answer to
    this request, and the pipeline stays unchanged.

    Attributes:
        nlp: Pipeline that annotates the texts.
        limits: Maximum length of a request, and other limits.
        linker: The pipeline's `acrobert_linker`.
    """

    def __init__(self, nlp: Language, limits: Limits) -> None:
        """Prepare a pipeline to answer requests.

        Args:
            nlp: Pipeline that annotates the texts. It needs an `acrobert_linker`.
            limits: Maximum length of a request, and other limits.
        """
        self.nlp, self.limits = nlp, limits
        self.linker = linker_of(nlp)

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary of the pipeline, without the entries of any request."""
        return self.linker.dictionary

    def annotate(self, request: AnnotateRequest) -> Annotation:
        """Find and resolve the acronyms in the text of a request.

        Args:
            request: Text to annotate, with optional settings and dictionary entries.

        Returns:
            The acronyms and definitions in the text, and the expanded text if it was requested.

        Raises:
            InputError: If a setting or a dictionary entry is invalid.
            TooLongError: If the text has too many characters or acronyms.
        """
        return self._annotate_texts([request.text], request)[0]

    def annotate_batch(self, request: BatchRequest) -> BatchAnswer:
        """Find and resolve the acronyms in the texts of a request.

        Each text is a separate document.

        Args:
            request: Texts to annotate, with optional settings and dictionary entries for all of
                them.

        Returns:
            The acronyms and definitions in each text, in the order of the texts.

        Raises:
            InputError: If a setting or a dictionary entry is invalid.
            TooLongError: If the texts together have too many characters or acronyms.
        """
        return BatchAnswer(documents=self._annotate_texts(request.texts, request))

    def _annotate_texts(
        self, texts: Sequence[str], settings: AnnotationSettings
    ) -> list[Annotation]:
        self.check_length(texts)
        sources = [read_text(without_lone_surrogates(text), settings.format) for text in texts]
        docs: Iterable[Doc] = (self.nlp.make_doc(source.text) for source in sources)
        for pipe in self._adapt_pipes(settings):
            if isinstance(pipe, AcroBERTLinker):
                docs = self._check_mentions(docs, texts)
            docs = pipe.pipe(docs) if hasattr(pipe, "pipe") else map(pipe, docs)
        annotations = [
            _make_annotation(with_marked(doc, source), source, settings)
            for doc, source in zip(docs, sources, strict=True)
        ]
        for annotation in annotations:
            self._add_glosses(annotation.acronyms)
        return annotations

    def _add_glosses(self, mentions: Sequence[Mention]) -> None:
        """Add the short descriptions in the dictionary to the candidates of acronyms."""
        glosses: dict[str, dict[str, str]] = {}
        for mention in mentions:
            if mention.acronym not in glosses:
                candidates = self.dictionary.lookup(mention.acronym, offensive=True)
                glosses[mention.acronym] = {
                    candidate.long_form: candidate.kind for candidate in candidates
                }
            for candidate in mention.candidates:
                candidate.gloss = glosses[mention.acronym].get(candidate.long_form, "")

    def explain(self, request: AnnotateRequest) -> Explanation:
        """Find and resolve the acronyms in a text, and join mentions with the same long form.

        Args:
            request: Text to annotate, with optional settings and dictionary entries.

        Returns:
            One item for each acronym and long form, in the order of the first mentions. An item has
            the number of mentions and their lines.

        Raises:
            InputError: If a setting or a dictionary entry is invalid.
            TooLongError: If the text has too many characters or acronyms.
        """
        groups: dict[tuple[str, str | None], list[Mention]] = {}
        for mention in self.annotate(request).acronyms:
            groups.setdefault((mention.acronym, mention.long_form), []).append(mention)
        return Explanation(
            acronyms=[
                ExplainedAcronym(
                    **mentions[0].model_dump(),
                    count=len(mentions),
                    lines=sorted(
                        {request.text.count("\n", 0, mention.start) + 1 for mention in mentions}
                    ),
                )
                for mentions in groups.values()
            ]
        )

    def read(self, name: str, content: bytes) -> FileText:
        """Extract the plain text of a file that a request contains.

        Args:
            name: Name of the file. Its extension determines the format.
            content: Content of the file.

        Returns:
            The plain text, without markup.

        Raises:
            InputError: If the file is damaged or its format is unknown.
            TooLongError: If the text has too many characters.
        """
        try:
            text = read_content(content, name).text
        except UnicodeDecodeError as error:
            raise InputError(f"{name} is not valid {error.encoding}. Save it as UTF-8.") from None
        except (InputError, MissingExtraError) as error:
            raise InputError(f"{name}: {error}") from None
        self.check_length([text])
        return FileText(text=text)

    def lookup(self, acronym: str, limit: int) -> LookupAnswer:
        """Look up the long forms of an acronym in the dictionary.

        Args:
            acronym: Acronym in any spelling, such as "CNN" or "CNNs".
            limit: Maximum number of long forms to return.

        Returns:
            The long forms, most frequent first. If there are none, the answer suggests similar
            acronyms.
        """
        acronym = without_lone_surrogates(acronym)
        long_forms = [
            KnownLongForm(
                long_form=candidate.long_form,
                total=candidate.total,
                counts=candidate.counts,
                gloss=candidate.kind,
            )
            for candidate in self.dictionary.lookup(acronym)[:limit]
        ]
        suggestions = [] if long_forms else suggest(self.dictionary, acronym)
        return LookupAnswer(acronym=acronym, candidates=long_forms, suggestions=suggestions)

    def find_meanings(self, acronym: str, limit: int = 20) -> Meanings:
        """Find the meanings of an acronym in the user's entries and in the dictionary.

        Args:
            acronym: Acronym in any spelling, such as "CNN" or "CNNs".
            limit: Maximum number of meanings to return.

        Returns:
            The meanings with short descriptions, beginning with those of user entries. If there are
            none, the answer suggests similar acronyms.
        """
        answer = self.lookup(acronym, limit)
        meanings = [
            Meaning(
                long_form=candidate.long_form,
                gloss=candidate.gloss,
                count=candidate.total,
                is_own=USER_SOURCE in candidate.counts,
            )
            for candidate in answer.candidates
        ]
        meanings.sort(key=lambda meaning: not meaning.is_own)
        return Meanings(meanings=meanings, suggestions=answer.suggestions)

    def check_length(self, texts: Sequence[str]) -> None:
        """Raise an error if the texts of a request have too many characters.

        Args:
            texts: All texts of a request.

        Raises:
            TooLongError: If the texts together have more characters than the limits allow.
        """
        if sum(map(len, texts)) > self.limits.characters:
            raise TooLongError(
                f"The {_describe(texts)} more than {self.limits.characters:,} characters. "
                "Send less text at once."
            )

    def _check_mentions(self, docs: Iterable[Doc], texts: Sequence[str]) -> Iterator[Doc]:
        """Yield documents until they have too many acronyms, and then raise `TooLongError`.

        The number is limited because resolving acronyms takes most of the time of a request.
        """
        mentions = 0
        for doc in docs:
            mentions += len(doc.spans.get(self.linker.cfg["spans_key"], ()))
            if mentions > self.limits.mentions:
                raise TooLongError(
                    f"The {_describe(texts)} more than {self.limits.mentions:,} acronyms. "
                    "Send less text at once."
                )
            yield doc

    def _adapt_pipes(self, settings: AnnotationSettings) -> Iterator[Any]:
        """Yield the components of the pipeline, adapted to the settings of a request."""
        linker = self._adapt_linker(settings)
        if settings.ask_model and not any(
            isinstance(pipe, AcronymLLM) for _, pipe in self.nlp.pipeline
        ):
            raise InputError(
                "The service has no language model. Set ask_model to false, or start the service "
                "with --llm."
            )
        for _, pipe in self.nlp.pipeline:
            if isinstance(pipe, AcronymLLM):
                if settings.ask_model:
                    yield pipe.with_linker(linker)
            elif pipe is self.linker:
                yield linker
            elif isinstance(pipe, AcronymDetector) and linker is not self.linker:
                yield pipe.with_dictionary(linker.dictionary)
            else:
                yield pipe

    def _adapt_linker(self, settings: AnnotationSettings) -> AcroBERTLinker:
        values = {
            "threshold": settings.threshold,
            "top_k": settings.top_k,
            "field": settings.field,
        }
        overrides: dict[str, Any] = {
            name: value for name, value in values.items() if value is not None
        }
        changes = settings.dictionary
        if not overrides and changes == DictionaryChanges():
            return self.linker
        return self.linker.variant(self.nlp, _apply_changes(self.dictionary, changes), **overrides)


def _make_annotation(doc: Doc, source: Source, settings: AnnotationSettings) -> Annotation:
    record = to_record(doc, "", source)
    expanded = expand_source(source, doc, Expand(settings.expand)) if settings.expand else None
    return Annotation(
        acronyms=record["acronyms"], definitions=record["definitions"], expanded=expanded
    )


def _apply_changes(dictionary: Dictionary, changes: DictionaryChanges) -> Dictionary:
    """Return a copy of a dictionary with the changes of a request.

    An entry is removed for all spellings of its acronym. If there are no changes, the result is the
    dictionary itself.
    """
    if changes == DictionaryChanges():
        return dictionary
    changed = dictionary.copy()
    for removed in changes.remove:
        for spelling in dictionary.matches(removed.acronym):
            changed.remove(spelling, removed.long_form)
    for added in changes.add:
        candidates = dictionary.lookup(added.acronym)
        highest = max((candidate.total for candidate in candidates), default=1)
        changed.add(added.acronym, added.long_form, added.count or highest)
    for word in changes.ignore:
        changed.ignore(word)
    return changed


def _describe(texts: Sequence[str]) -> str:
    return "text has" if len(texts) == 1 else f"{len(texts):,} texts together have"
