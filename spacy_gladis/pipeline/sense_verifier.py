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
    """Pipeline component that finds given words and checks whether they have their expected sense.

    For example, it finds "Java" in texts and estimates whether each mention means the island or
    something else.

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
        """Initialize the component with the words to find and their senses.

        Args:
            nlp: The pipeline to which the component belongs.
            name: Name of the component in the pipeline, which error messages mention.
            senses: A mapping from each word to its sense: a long form, or a mapping with
                `long_form`, `definition` and `hypernyms`.
            spans_key: Key under which `doc.spans` holds the mentions.
            threshold: Minimum probability, between 0 and 1, that a mention has the expected sense.
                Below it, the answer is NIL.
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
            docs: The documents to search. They aren't changed.

        Returns:
            For each document, its mentions with the probabilities, between 0 and 1, that they have
            the expected senses.
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
        """Return the mentions of the words in a document, without those inside longer mentions."""
        spans = [
            Span(doc, start, end, label=LABEL, kb_id=self.vocab.strings[key])
            for key, start, end in self._matcher(doc)
        ]
        return util.filter_spans(spans)

    def set_annotations(self, docs: Iterable[Doc], rows: list[Marked]) -> None:
        """Write the mentions to `doc.spans`, and their probabilities to the group's `attrs`.

        Args:
            docs: The documents to change, in place.
            rows: For each document, its mentions with the probabilities, as `predict` returns them.
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
