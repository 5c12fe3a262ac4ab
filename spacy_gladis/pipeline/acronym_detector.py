"""The component `acronym_detector`: finds acronyms and the definitions a text gives them."""

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from thinc.api import Model, Optimizer, SequenceCategoricalCrossentropy
from thinc.types import Floats2d

from ..arrays import Floats
from ..dictionary import Dictionary
from ..errors import InputError
from ..text import Offsets, settle
from ..text.detect import Detected, complete, cover, define, detect, shaped_acronyms
from .annotations import ACRONYMS, LONG_FORMS, Findings, explained, place_of, write_findings
from .component import Component, Scorer
from .detector_dictionary import DetectorDictionary
from .linker_dictionary import LinkerDictionary, is_being_loaded
from .tags import LABELS, gold_labels, tagged_spans

Tagger = Model[list[Doc], list[Floats2d]]

LOSS = SequenceCategoricalCrossentropy(normalize=False, names=LABELS, missing_value="")


@Language.factory(
    "acronym_detector",
    assigns=["doc.spans"],
    default_config={
        "scorer": {"@scorers": "spacy-gladis.acronym_detector_scorer.v1"},
    },
    default_score_weights={
        "identification_f": 1.0,
        "spans_acronyms_f": 0.0,
        "spans_long_forms_f": 0.0,
    },
)
class AcronymDetector(Component, TrainablePipe):  # type: ignore[misc]
    """Finds definitions, every mention of a defined acronym, and undefined acronyms.

    Without a model the rules decide. With one their definitions stand, and all else is for the
    tagger, which sees what they propose; the pair scorer says which of its marks belong together.
    """

    optional = frozenset({"dictionary"})

    def __init__(
        self,
        nlp: Language,
        name: str = "acronym_detector",
        *,
        model: Tagger | None = None,
        threshold: float = 0.5,
        spans_key: str = ACRONYMS,
        long_forms_key: str = LONG_FORMS,
        patterns: bool = True,
        undefined: bool = True,
        known: bool | None = None,
        dictionary: str | None = None,
        scorer: Scorer | None = None,
    ) -> None:
        """Set what is looked for and where it is written.

        Args:
            nlp: The pipeline.
            name: The component's name in the pipeline.
            model: A tagger, `spacy-gladis.AcronymTagger.v1`, for training. None: only the rules.
            threshold: The least confidence, 0 to 1, of a definition that only the tagger finds.
            spans_key: Key of `doc.spans` for the acronyms.
            long_forms_key: Key of `doc.spans` for the long forms.
            patterns: Read all patterns of definitions, or only those of Schwartz and Hearst (2003).
            undefined: Find acronyms without a definition, by their shape or by the tagger.
            known: Also find undefined acronyms that only a dictionary can tell, such as c/o and
                k8s. None: in the English texts of English pipelines, as the packaged list is
                English. Own entries of the dictionary are always found, and its ignored words
                never.
            dictionary: The dictionary file to ask. None: that of the pipeline's `acrobert_linker`
                with its own entries, without a linker the packaged one.
            scorer: What `nlp.evaluate` and `score` call on examples to get the component's scores.
                None: there are no scores.

        Raises:
            InputError: If both keys are one, `threshold` is out of range, or the dictionary's file
                is not there.
        """
        if spans_key == long_forms_key:
            raise InputError(
                f"acronym_detector: spans_key and long_forms_key are both '{spans_key}'. "
                "Acronyms and long forms need a key each."
            )
        self.model = model
        self.scorer = scorer
        cfg = {
            "threshold": threshold,
            "spans_key": spans_key,
            "long_forms_key": long_forms_key,
            "patterns": patterns,
            "undefined": undefined,
            "known": known,
            "dictionary": dictionary,
        }
        self._begin(nlp, name, cfg)
        self._dictionary = DetectorDictionary(nlp, dictionary, known)
        if dictionary is not None and not is_being_loaded(nlp, name):
            self._dictionary.source.check(name)

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary that is asked: the linker's own object where the pipeline has a linker."""
        return self._dictionary.source.open()

    def share_dictionary(self, dictionary: LinkerDictionary) -> None:
        """Ask a linker's dictionary; the linker calls this when it joins the pipeline."""
        self._dictionary.share(dictionary)

    def with_dictionary(self, dictionary: Dictionary) -> "AcronymDetector":
        """A detector of the same settings that asks another dictionary; this one stays."""
        made = copy.copy(self)
        made._dictionary = self._dictionary.over(dictionary)
        return made

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        parts: dict[str, Any] = {} if self.model is None else {"model": self.model}
        if self._dictionary.own if reading else self._dictionary.must_be_saved:
            parts["dictionary"] = self._dictionary.source
        return parts

    def predict(self, docs: Iterable[Doc]) -> list[Findings]:
        """Find the acronyms of each document, and leave the documents as they are."""
        docs = list(docs)
        if self.model is None:
            return [self.find(doc.text) for doc in docs]
        with_tokens = [doc for doc in docs if len(doc)]
        rows = iter(self.model.predict(with_tokens) if with_tokens else ())
        numbers = map(self.model.ops.to_numpy, rows)
        return [self._tagged(doc, next(numbers)) if len(doc) else Findings() for doc in docs]

    def find(self, text: str) -> Findings:
        """Find the definitions and the mentions of a text by the rules, by character offsets."""
        patterns, undefined = self.cfg["patterns"], self.cfg["undefined"]
        spellings = self._dictionary.spellings(text)
        detected = detect(text, spellings, patterns=patterns, undefined=undefined)
        return _findings(text, detected, {one.long_form for one in detected.definitions})

    def _tagged(self, doc: Doc, probabilities: Floats) -> Findings:
        """Find what the tagger and the rules find together."""
        text = doc.text
        spellings = self._dictionary.spellings(text)
        shaped = shaped_acronyms(text, spellings)
        by_rules = define(text, (), spellings, patterns=self.cfg["patterns"])
        proposed = [*(definition.acronym for definition in by_rules), *shaped]
        acronyms, long_forms = tagged_spans(
            doc, probabilities, proposed, [definition.long_form for definition in by_rules]
        )
        acronyms, long_forms, definitions = settle(
            text, acronyms, long_forms, by_rules, self.cfg["threshold"]
        )
        places = [marked.offsets for marked in long_forms]
        detected = complete(
            text,
            definitions,
            [marked.offsets for marked in acronyms],
            spellings,
            undefined=self.cfg["undefined"],
        )
        found = _findings(text, detected, places)
        closed = cover(text, places)
        found.mentions = [one for one in found.mentions if closed.find(1, *one) < 0]
        return found

    def set_annotations(self, docs: Iterable[Doc], findings: Iterable[Findings]) -> None:
        """Write the findings to `doc.spans`, aligned with the tokens."""
        for doc, found in zip(docs, findings, strict=True):
            write_findings(doc, found, self.cfg["spans_key"], self.cfg["long_forms_key"])

    @property
    def is_trainable(self) -> bool:
        """Whether there is a tagger to train."""
        return self.model is not None

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
    ) -> None:
        """Give the tagger's weights their sizes; the rules alone need nothing.

        Raises InputError when no example has acronyms or long forms under the component's keys.
        """
        if self.model is None:
            return
        validate_get_examples(get_examples, "AcronymDetector.initialize")
        if not any(self._is_marked(one.reference) for one in get_examples()):
            raise InputError(
                f"{self.name}: no example has spans under '{self.cfg['spans_key']}' or "
                f"'{self.cfg['long_forms_key']}'. Make training data with 'spacy-gladis convert'."
            )
        docs = [one.x for one in islice(get_examples(), 10) if len(one.x)]
        labels: list[Any] = [self.model.ops.alloc2f(len(doc), len(LABELS)) for doc in docs]
        self.model.initialize(X=docs, Y=labels)  # which tell how many labels there are

    def get_loss(
        self, examples: Iterable[Example], scores: Sequence[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """How far the tagger's probabilities are from right, and the cross-entropy's gradient.

        Documents without spans under either key say nothing, and change nothing.
        """
        examples = list(examples)
        validate_examples(examples, "AcronymDetector.get_loss")
        gradients, loss = LOSS(scores, [self._gold(one) for one in examples])
        return float(loss), gradients

    def finish_update(self, sgd: Optimizer) -> None:
        """Let the optimizer change the tagger's weights by the gradients gathered."""
        if self.model is not None:
            self.model.finish_update(sgd)

    def use_params(self, params: dict[Any, Any]) -> Iterator[None]:
        """Use other parameter values, such as the optimizer's averages, until resumed."""
        if self.model is None:
            yield
        else:
            yield from super().use_params(params)

    def _is_marked(self, doc: Doc) -> bool:
        return self.cfg["spans_key"] in doc.spans or self.cfg["long_forms_key"] in doc.spans

    def _gold(self, example: Example) -> list[str]:
        """The labels of the predicted document's tokens; empty ones, which say nothing."""
        if not self._is_marked(example.reference):
            return [""] * len(example.predicted)
        keys = (self.cfg["spans_key"], self.cfg["long_forms_key"])
        short, long = (
            [place_of(span) for span in example.reference.spans.get(key, ())] for key in keys
        )
        return gold_labels(example.predicted, short, long)


def _findings(text: str, detected: Detected, long_forms: Iterable[Offsets]) -> Findings:
    """Return what was detected as it is stored with a document."""
    defined = detected.defined or {}
    resolutions = explained(text, detected.definitions, defined)
    definitions, mentions = list(detected.definitions), list(detected.mentions)
    return Findings(definitions, mentions, sorted(long_forms), resolutions)
