"""The component `sense_verifier`, which checks whether words have their expected sense.

Use it, for example, with a knowledge graph that has only one sense of a word, such as the island
Java but not the programming language.
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

Marked = list[tuple[Span, float]]
"""The mentions in a document, each with the probability that it has the expected sense."""


@Language.factory(
    "sense_verifier",
    assigns=["doc.spans"],
    default_config={"senses": {}},
)
class SenseVerifier(Component, Pipe):
    """Pipeline component that marks words and estimates whether they have their expected sense.

    `doc.spans["senses"]` holds the mentions of the words. The `kb_id_` of a mention is the word as
    `senses` spells it, or NIL if the probability is below the threshold. `attrs["probabilities"]`
    of the group maps each mention's character offsets ("start:end") to its probability. The
    component loads the weights when it first finds a mention.
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
        """Initialize the component.

        Args:
            nlp: The pipeline.
            name: The component's name in the pipeline.
            senses: For each word, its sense: a long form, or a mapping with `long_form`,
                `definition` and `hypernyms`.
            spans_key: Key of the mentions in `doc.spans`.
            threshold: Probability, 0 to 1, below which the answer is NIL.
            ignore_case: Whether to find the words regardless of upper and lower case.
            model: Path of a folder with AcroBERT weights. None selects the packaged weights.

        Raises:
            InputError: If a sense is empty or the threshold is out of range.
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
        """Build the phrase matcher again after the settings have changed."""
        self._senses = {
            word: Sense.of(sense, f"{self.name}, '{word}'")
            for word, sense in self.cfg["senses"].items()
        }
        self._matcher = PhraseMatcher(
            self.vocab, attr="LOWER" if self.cfg["ignore_case"] else "ORTH"
        )
        for word in self._senses:
            self._matcher.add(word, [self._tokenizer(word)])

    def predict(self, docs: Iterable[Doc]) -> list[Marked]:
        """Find the words in each document and estimate how probable their expected senses are.

        Args:
            docs: The documents, which aren't changed.

        Returns:
            For each document, its mentions with the probabilities, 0 to 1, of their senses.
        """
        rows = [self._mentions(doc) for doc in docs]
        questions = [
            (Mention(span.doc.text, span.start_char, span.end_char), self._senses[span.kb_id_])
            for spans in rows
            for span in spans
        ]
        probabilities = iter(verify_all(questions, self.cfg["model"]))
        return [[(span, next(probabilities)) for span in spans] for spans in rows]

    def _mentions(self, doc: Doc) -> list[Span]:
        """Return the mentions of the words in a document, only the longest of overlapping ones."""
        spans = [
            Span(doc, start, end, label=LABEL, kb_id=self.vocab.strings[key])
            for key, start, end in self._matcher(doc)
        ]
        return util.filter_spans(spans)

    def set_annotations(self, docs: Iterable[Doc], rows: list[Marked]) -> None:
        """Write the mentions to `doc.spans` and their probabilities to the group's `attrs`.

        Args:
            docs: The documents.
            rows: For each document, its mentions with the probabilities.
        """
        for doc, marked in zip(docs, rows, strict=True):
            spans = [
                span
                if probability >= self.cfg["threshold"]
                else Span(doc, span.start, span.end, label=LABEL, kb_id=NIL)
                for span, probability in marked
            ]
            probabilities = {
                f"{span.start_char}:{span.end_char}": probability for span, probability in marked
            }
            key = self.cfg["spans_key"]
            doc.spans[key] = SpanGroup(
                doc, name=key, spans=spans, attrs={"probabilities": probabilities}
            )
