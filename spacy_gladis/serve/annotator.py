"""One pipeline for many requests, each with a dictionary of its own."""

from typing import Any, cast

from spacy.language import Language
from spacy.tokens import Doc

from ..dictionary import Dictionary
from ..dictionary.suggest import suggest
from ..documents.formats import read_text
from ..documents.readers.pile import without_lone_surrogates
from ..output.marked import with_marked
from ..output.records import to_record
from ..pipeline.acrobert_linker import AcroBERTLinker
from ..pipeline.acronym_detector import AcronymDetector
from .limits import Limits, TooLongError
from .messages import AnnotateRequest, Annotation, Known, LookupAnswer, OwnDictionary

_LINKER = "acrobert_linker"


class Annotator:
    """Annotates texts and looks acronyms up; a request leaves nothing behind."""

    def __init__(self, nlp: Language, limits: Limits) -> None:
        self.nlp, self.limits = nlp, limits
        self.linker = cast(AcroBERTLinker, nlp.get_pipe(_LINKER))

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary without anybody's own entries."""
        return self.linker.dictionary

    def annotate(self, request: AnnotateRequest) -> Annotation:
        """The acronyms of a text. Raises InputError for an own entry that is none, TooLongError."""
        if len(request.text) > self.limits.characters:
            raise TooLongError(f"The text is longer than {self.limits.characters:,} characters.")
        linker = self._linker(request)
        source = read_text(without_lone_surrogates(request.text), request.format)
        doc = self.nlp.make_doc(source.text)
        for name, shared in self.nlp.pipeline:
            pipe: Any = shared
            if name == _LINKER:
                self._check(doc)
            if isinstance(pipe, AcronymDetector) and linker is not self.linker:
                pipe = pipe.with_dictionary(linker.dictionary)
            doc = linker(doc) if name == _LINKER else pipe(doc)
        record = to_record(with_marked(doc, source), "", source)
        return Annotation(acronyms=record["acronyms"], definitions=record["definitions"])

    def lookup(self, acronym: str, limit: int) -> LookupAnswer:
        """What the dictionary has of an acronym as a text spells it."""
        acronym = without_lone_surrogates(acronym)
        found = self.dictionary.lookup(acronym)[:limit]
        known = [Known(long_form=c.long_form, total=c.total, counts=c.counts) for c in found]
        suggestions = [] if known else suggest(self.dictionary, acronym)
        return LookupAnswer(acronym=acronym, candidates=known, suggestions=suggestions)

    def _check(self, doc: Doc) -> None:
        """Time goes by mentions more than by characters."""
        mentions = len(doc.spans.get(self.linker.cfg["spans_key"], ()))
        if mentions > self.limits.mentions:
            raise TooLongError(f"The text has more than {self.limits.mentions:,} acronyms.")

    def _linker(self, request: AnnotateRequest) -> AcroBERTLinker:
        wanted = {"threshold": request.threshold, "top_k": request.top_k}
        settings: dict[str, Any] = {name: one for name, one in wanted.items() if one is not None}
        own = request.dictionary
        if not settings and own == OwnDictionary():
            return self.linker
        return self.linker.variant(self.nlp, _changed(self.dictionary, own), **settings)


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
