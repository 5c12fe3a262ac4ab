"""The component `sense_verifier`: finds words of which one sense is known, and asks if it is this.

For a graph that knows one sense of a word: the island Java, but no programming language.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from spacy import util
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.pipeline.pipe import Pipe
from spacy.tokens import Doc, Span, SpanGroup

from ..resolution import NIL
from ..text import Mention
from .component import Component
from .verify import Sense, verify_all

SENSES = "senses"
LABEL = "SENSE"

Found = list[tuple[Span, float]]


@Language.factory(
    "sense_verifier",
    assigns=["doc.spans"],
    default_config={"senses": {}},
)
class SenseVerifier(Component, Pipe):
    """Marks every mention of the words it has a sense for, with the probability of that sense.

    `doc.spans["senses"]` holds the mentions: `kb_id_` is the word as it is in `senses` where the
    sense is likely enough, else NIL; `attrs["probabilities"]` says how likely, by "start:end"
    (characters).
    """

    def __init__(
        self,
        nlp: Language,
        name: str = "sense_verifier",
        *,
        senses: Mapping[str, Any],
        spans_key: str = SENSES,
        threshold: float = 0.5,
        ignore_case: bool = False,
        model: str | None = None,
    ) -> None:
        """Set up; weights are read when the first mention is found.

        senses: by word, a long form or a mapping with `long_form`, `definition`, `hypernyms`.
        spans_key: key of `doc.spans` for the mentions.
        threshold: the probability, 0..1, below which the answer is NIL.
        ignore_case: find words in any case.
        model: a folder of AcroBERT's weights; None: packaged.
        Raises InputError for a sense without words or a threshold out of range.
        """
        self._tokenizer = nlp.make_doc
        cfg = {
            "senses": dict(senses),
            "spans_key": spans_key,
            "threshold": threshold,
            "ignore_case": ignore_case,
            "model": model,
        }
        self._begin(nlp, name, cfg)
        self._changed()

    def _changed(self) -> None:
        """Make of the settings what finds the words."""
        self._senses = {
            word: Sense.of(given, f"{self.name}, '{word}'")
            for word, given in self.cfg["senses"].items()
        }
        self._matcher = PhraseMatcher(
            self.vocab, attr="LOWER" if self.cfg["ignore_case"] else "ORTH"
        )
        for word in self._senses:
            self._matcher.add(word, [self._tokenizer(word)])

    def predict(self, docs: Iterable[Doc]) -> list[Found]:
        """The mentions of each document with the probability that each has its sense."""
        rows = [self._mentions(doc) for doc in docs]
        questions = [
            (Mention(span.doc.text, span.start_char, span.end_char), self._senses[span.kb_id_])
            for spans in rows
            for span in spans
        ]
        probabilities = iter(verify_all(questions, self.cfg["model"]))
        return [[(span, next(probabilities)) for span in spans] for spans in rows]

    def _mentions(self, doc: Doc) -> list[Span]:
        """The words found; where two overlap, the longer."""
        found = [
            Span(doc, start, end, label=LABEL, kb_id=self.vocab.strings[key])
            for key, start, end in self._matcher(doc)
        ]
        return util.filter_spans(found)

    def set_annotations(self, docs: Iterable[Doc], rows: list[Found]) -> None:
        """Write the mentions to `doc.spans` and their probabilities to the group's `attrs`."""
        for doc, found in zip(docs, rows, strict=True):
            spans = [
                span
                if probability >= self.cfg["threshold"]
                else Span(doc, span.start, span.end, label=LABEL, kb_id=NIL)
                for span, probability in found
            ]
            likely = {f"{one.start_char}:{one.end_char}": share for one, share in found}
            key = self.cfg["spans_key"]
            doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs={"probabilities": likely})
